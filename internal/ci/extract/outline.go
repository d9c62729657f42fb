package extract

// Outline is f without the references that only f itself is asked for: those
// that say what a definition inherits, implements or embeds stay, calls and
// mentions go. It shares no memory with f, so that f can be given up.
func Outline(f *File) *File {
	short := *f
	short.References = nil
	for _, r := range f.References {
		if r.Relation != Calls && r.Relation != References {
			short.References = append(short.References, r)
		}
	}
	own, err := decodeFile(appendFile(nil, &short))
	if err != nil { // its numbers are beyond what the binary form takes
		return f
	}
	return own
}

// AppendReferences appends the binary form of all references of a file.
func AppendReferences(dst []byte, list []Reference) []byte {
	e := encoder{table: make(map[string]uint64, 64)}
	e.references(list)
	return e.append(dst)
}

// DecodeReferences reads what [AppendReferences] wrote for a file with so
// many definitions.
func DecodeReferences(data []byte, definitions int) ([]Reference, error) {
	d, err := newDecoder(data)
	if err != nil {
		return nil, err
	}
	list := d.references(definitions)
	if d.bad || d.rest != "" {
		return nil, errEncoding
	}
	return list, nil
}
