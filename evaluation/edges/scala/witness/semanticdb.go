package main

import (
	"encoding/binary"
	"errors"
)

// A document is what the compiler tells of one source file.
type document struct {
	uri         string // path from the source root
	occurrences []occurrence
	symbols     []symbol
}

// An occurrence is a symbol in the text. Line and columns count from 0.
type occurrence struct {
	line, start  int
	endLine, end int
	symbol       string
	isDefinition bool
}

// A symbol is a definition of the document.
type symbol struct {
	name       string
	properties int
	first      []string // of each parameter list of a method, its first parameter
	method     bool
}

// Numbers of the SemanticDB schema.
const (
	documentsField = 1

	uriField         = 2
	symbolsField     = 5
	occurrencesField = 6

	roleDefinition = 2

	kindMethod      = 3
	methodSignature = 2
)

// propertyValue marks what is a val or var.
const propertyValue = 0x400 | 0x800

// propertyImplicit marks a parameter that nobody needs to write.
const propertyImplicit = 0x20 | 0x10000

var errFormat = errors.New("not a SemanticDB file")

// each calls tell with the fields of a protobuf message: number and value, or
// bytes.
func each(b []byte, tell func(field, value int, bytes []byte) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return errFormat
		}
		b = b[n:]
		value, bytes := uint64(0), []byte(nil)
		switch key & 7 {
		case 0:
			if value, n = binary.Uvarint(b); n <= 0 {
				return errFormat
			}
		case 1:
			n = 8
		case 2:
			size, m := binary.Uvarint(b)
			if m <= 0 || size > uint64(len(b)-m) {
				return errFormat
			}
			bytes, n = b[m:m+int(size)], m+int(size)
		case 5:
			n = 4
		default:
			return errFormat
		}
		if n > len(b) {
			return errFormat
		}
		b = b[n:]
		if err := tell(int(key>>3), int(value), bytes); err != nil {
			return err
		}
	}
	return nil
}

func readDocuments(b []byte) ([]document, error) {
	var list []document
	err := each(b, func(field, _ int, bytes []byte) error {
		if field != documentsField {
			return nil
		}
		var d document
		err := each(bytes, func(field, _ int, bytes []byte) error {
			switch field {
			case uriField:
				d.uri = string(bytes)
			case symbolsField:
				s, err := readSymbol(bytes)
				d.symbols = append(d.symbols, s)
				return err
			case occurrencesField:
				o, err := readOccurrence(bytes)
				d.occurrences = append(d.occurrences, o)
				return err
			}
			return nil
		})
		list = append(list, d)
		return err
	})
	return list, err
}

func readOccurrence(b []byte) (o occurrence, err error) {
	err = each(b, func(field, value int, bytes []byte) error {
		switch field {
		case 1:
			return each(bytes, func(field, value int, _ []byte) error {
				switch field {
				case 1:
					o.line = value
				case 2:
					o.start = value
				case 3:
					o.endLine = value
				case 4:
					o.end = value
				}
				return nil
			})
		case 2:
			o.symbol = string(bytes)
		case 3:
			o.isDefinition = value == roleDefinition
		}
		return nil
	})
	return o, err
}

func readSymbol(b []byte) (s symbol, err error) {
	err = each(b, func(field, value int, bytes []byte) error {
		switch field {
		case 1:
			s.name = string(bytes)
		case 3:
			s.method = value == kindMethod
		case 4:
			s.properties = value
		case 17: // signature
			return each(bytes, func(field, _ int, bytes []byte) error {
				if field != methodSignature {
					return nil
				}
				return each(bytes, func(field, _ int, bytes []byte) error {
					if field != 2 {
						return nil
					}
					list, err := firstOf(bytes)
					s.first = append(s.first, list)
					return err
				})
			})
		}
		return nil
	})
	return s, err
}

// firstOf is the first symbol of a scope, "" of an empty one.
func firstOf(scope []byte) (name string, err error) {
	err = each(scope, func(field, _ int, bytes []byte) error {
		if field == 1 && name == "" {
			name = string(bytes)
		}
		return nil
	})
	return name, err
}
