package index

import "encoding/binary"

// defSize is what a definition takes in memory with its texts, in bytes,
// about.
const defSize = 240

// keep gives a record its definitions, or puts them away where there is no
// room.
func (b *Builder) keep(d *doc, defs []Def) {
	for _, def := range defs {
		b.kinds[def.Kind] = true
	}
	if size := len(defs) * defSize; size <= b.room {
		b.room -= size
		d.Defs = defs
		return
	}
	d.away = b.away.Put(encodeDefs(defs))
}

func encodeDefs(defs []Def) []byte {
	out := binary.AppendUvarint(nil, uint64(len(defs)))
	for _, d := range defs {
		for _, s := range []string{d.Name, d.Container, d.Kind, d.Signature, d.Doc} {
			out = appendText(out, s)
		}
		for _, n := range []int{d.Line, d.End, flags(d)} {
			out = binary.AppendVarint(out, int64(n))
		}
	}
	return out
}

func decodeDefs(data string) []Def {
	number := func() int {
		n, size := binary.Varint([]byte(data[:min(len(data), binary.MaxVarintLen64)]))
		data = data[size:]
		return int(n)
	}
	text := func() string {
		n, size := binary.Uvarint([]byte(data[:min(len(data), binary.MaxVarintLen64)]))
		s := data[size : size+int(n)]
		data = data[size+int(n):]
		return s
	}
	count, size := binary.Uvarint([]byte(data[:min(len(data), binary.MaxVarintLen64)]))
	data = data[size:]
	defs := make([]Def, count)
	for i := range defs {
		d := &defs[i]
		d.Name, d.Container, d.Kind, d.Signature, d.Doc = text(), text(), text(), text(), text()
		d.Line, d.End = number(), number()
		bits := number()
		d.Exported, d.Entry, d.Test = bits&flagExported != 0, bits&flagEntry != 0, bits&flagTest != 0
	}
	return defs
}
