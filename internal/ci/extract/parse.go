package extract

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Parse reads one source file in this process. A file of a language that is
// not parsed gives an empty File. A syntax error is no error: the File then
// holds what could be saved and is marked Broken. The error says that the
// parser itself failed; it never holds text of the file.
//
// Grammars written in C can crash the process: a caller that reads foreign
// files uses a [Pool].
func Parse(name string, data []byte) (f *File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("parser crashed: %.200s", oneLine(fmt.Sprint(r)))
		}
	}()
	variant := Variant(name, data)
	lang, _, _ := strings.Cut(variant, " ")
	known, ok := parsers[lang]
	if !ok {
		return &File{}, nil
	}
	// What is no UTF-8 would be neither a name nor JSON. Lines stay as they are.
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	c := newCollector(lang, variant, data)
	if err := known.parse(c); err != nil {
		return nil, err
	}
	return c.finish(), nil
}
