package extract

import (
	"encoding/binary"
	"errors"
	"math"
)

// A File's binary form: every number a varint, every string once in a table.
// It is read from a cache that may be damaged and from a child process that
// may have gone mad, so decoding checks all bounds.

var errEncoding = errors.New("malformed extraction result")

var (
	kinds = []Kind{"", Function, Method, Class, Interface, Trait, Object, Enum, EnumCase, Type, Constant, Variable, Field, Given, Namespace,
		Component, Table, View, Index, Trigger, Sequence, Policy, Resource, Data, Module, Output, Provider, Block, Selector, Mixin, Keyframes,
		Key, Job, Step, Service, Endpoint, Stage, Target, Recipe, Script}
	relations = []string{"", Calls, Inherits, Implements, Embeds, References, ImportsRel, Contains}
)

const (
	flagExported = 1 << iota
	flagEntry
	flagTest
)

type encoder struct {
	table map[string]uint64
	texts []byte
	body  []byte
}

// Append appends the binary form of f, as [Decode] of the same [Version]
// reads it.
func Append(dst []byte, f *File) []byte { return appendFile(dst, f) }

// Decode reads what [Append] wrote. Data that it did not write gives an error
// or a File whose numbers are in bounds.
func Decode(data []byte) (*File, error) { return decodeFile(data) }

// appendFile appends the binary form of f to dst.
func appendFile(dst []byte, f *File) []byte {
	e := encoder{table: make(map[string]uint64, 64)}
	for _, s := range [...]string{f.Lang, f.Module, f.Doc} {
		e.text(s)
	}
	e.number(f.Cut)
	e.bit(f.Broken)
	e.number(len(f.Definitions))
	for _, d := range f.Definitions {
		e.text(d.Name)
		e.number(indexOf(kinds, d.Kind))
		e.text(d.Container)
		e.number(d.Parent + 1)
		e.number(d.Line)
		e.number(d.EndLine - d.Line)
		e.text(d.Signature)
		e.text(d.Doc)
		e.text(d.Result)
		flags := 0
		if d.Exported {
			flags |= flagExported
		}
		if d.Entry {
			flags |= flagEntry
		}
		if d.Test {
			flags |= flagTest
		}
		e.number(flags)
	}
	e.number(len(f.Imports))
	for _, i := range f.Imports {
		e.text(i.Path)
		e.text(i.Name)
		e.text(i.Alias)
		e.number(i.Line)
		e.bit(i.Export)
	}
	e.references(f.References)
	return e.append(dst)
}

func (e *encoder) references(list []Reference) {
	e.number(len(list))
	for _, r := range list {
		e.number(r.From + 1)
		e.number(indexOf(relations, r.Relation))
		e.text(r.Name)
		e.text(r.Qualifier)
		e.text(r.Type)
		e.text(r.Via)
		e.bit(r.Local)
		e.text(r.Args)
		e.number(r.Line)
	}
}

// append appends the table of texts and what refers to it.
func (e *encoder) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(e.table)))
	dst = binary.AppendUvarint(dst, uint64(len(e.texts)))
	dst = append(dst, e.texts...)
	return append(dst, e.body...)
}

func indexOf[T comparable](list []T, x T) int {
	for i, y := range list {
		if y == x {
			return i
		}
	}
	return 0
}

func (e *encoder) number(n int) { e.body = binary.AppendUvarint(e.body, uint64(max(n, 0))) }

func (e *encoder) bit(b bool) {
	n := byte(0)
	if b {
		n = 1
	}
	e.body = append(e.body, n)
}

func (e *encoder) text(s string) {
	n, ok := e.table[s]
	if !ok {
		n = uint64(len(e.table))
		e.table[s] = n
		e.texts = binary.AppendUvarint(e.texts, uint64(len(s)))
		e.texts = append(e.texts, s...)
	}
	e.body = binary.AppendUvarint(e.body, n)
}

type decoder struct {
	rest  string
	texts []string
	bad   bool
}

// decodeFile reads what appendFile wrote.
func decodeFile(data []byte) (*File, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, err
	}
	f := &File{Lang: d.text(), Module: d.text(), Doc: d.text(), Cut: d.number(), Broken: d.bit()}
	if n := d.count(10); n > 0 {
		f.Definitions = make([]Definition, n)
	}
	for i := range f.Definitions {
		x := &f.Definitions[i]
		x.Name = d.text()
		x.Kind = pick(&d, kinds)
		x.Container = d.text()
		x.Parent = d.number() - 1
		x.Line = d.number()
		x.EndLine = x.Line + d.number()
		x.Signature = d.text()
		x.Doc = d.text()
		x.Result = d.text()
		flags := d.number()
		x.Exported, x.Entry, x.Test = flags&flagExported != 0, flags&flagEntry != 0, flags&flagTest != 0
		if x.Parent >= len(f.Definitions) {
			d.bad = true
		}
	}
	if n := d.count(5); n > 0 {
		f.Imports = make([]Import, n)
	}
	for i := range f.Imports {
		f.Imports[i] = Import{Path: d.text(), Name: d.text(), Alias: d.text(), Line: d.number(), Export: d.bit()}
	}
	f.References = d.references(len(f.Definitions))
	if d.bad || d.rest != "" {
		return nil, errEncoding
	}
	return f, nil
}

// newDecoder reads the table of texts.
func newDecoder(data []byte) (d decoder, err error) {
	d = decoder{rest: string(data)}
	count, size := d.number(), d.number()
	if d.bad || size > len(d.rest) || count > size {
		return d, errEncoding
	}
	table := decoder{rest: d.rest[:size]}
	d.rest = d.rest[size:]
	d.texts = make([]string, count)
	for i := range d.texts {
		n := table.number()
		if table.bad || n > len(table.rest) {
			return d, errEncoding
		}
		d.texts[i], table.rest = table.rest[:n], table.rest[n:]
	}
	return d, nil
}

// references reads those of a file with so many definitions.
func (d *decoder) references(definitions int) []Reference {
	n := d.count(9)
	if n == 0 {
		return nil
	}
	list := make([]Reference, n)
	for i := range list {
		x := &list[i]
		x.From = d.number() - 1
		x.Relation = pick(d, relations)
		x.Name, x.Qualifier, x.Type, x.Via = d.text(), d.text(), d.text(), d.text()
		x.Local = d.bit()
		x.Args = d.text()
		x.Line = d.number()
		if x.From >= definitions {
			d.bad = true
		}
	}
	return list
}

func pick[T any](d *decoder, list []T) T {
	n := d.number()
	if n >= len(list) {
		d.bad = true
		n = 0
	}
	return list[n]
}

// count reads how many records follow, each of at least size bytes, so that
// a damaged number cannot ask for more memory than the data is worth.
func (d *decoder) count(size int) int {
	n := d.number()
	if n > len(d.rest)/size {
		d.bad = true
		return 0
	}
	return n
}

func (d *decoder) number() int {
	var x uint64
	for i := 0; i < len(d.rest) && i < 5; i++ {
		b := d.rest[i]
		x |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			d.rest = d.rest[i+1:]
			if x > math.MaxInt32 {
				break
			}
			return int(x)
		}
	}
	d.bad = true
	return 0
}

func (d *decoder) bit() bool {
	if d.rest == "" || d.rest[0] > 1 {
		d.bad = true
		return false
	}
	b := d.rest[0] == 1
	d.rest = d.rest[1:]
	return b
}

func (d *decoder) text() string {
	n := d.number()
	if n >= len(d.texts) {
		d.bad = true
		return ""
	}
	return d.texts[n]
}
