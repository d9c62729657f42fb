// Package jsonplace finds where things stand in a JSON text, so that a part
// of it can be changed and every other byte stays.
package jsonplace

import (
	"bytes"
	"encoding/json"
	"errors"
)

// A Member is one member of an object: its name, where the key begins, and
// the bytes of its value.
type Member struct {
	Name     string
	Key      int
	From, To int
}

// Members lists the members of the object that begins at from.
func Members(data []byte, from int) (found []Member, err error) {
	d, err := open(data, from, '{')
	if err != nil {
		return nil, err
	}
	for d.More() {
		before := from + int(d.InputOffset())
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		to := from + int(d.InputOffset())
		name, _ := key.(string)
		found = append(found, Member{name, before + bytes.IndexByte(data[before:], '"'), to - len(raw), to})
	}
	return found, nil
}

// Elements lists the values of the array that begins at from; their names
// are empty.
func Elements(data []byte, from int) (found []Member, err error) {
	d, err := open(data, from, '[')
	if err != nil {
		return nil, err
	}
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		to := from + int(d.InputOffset())
		found = append(found, Member{"", to - len(raw), to - len(raw), to})
	}
	return found, nil
}

func open(data []byte, from int, delim json.Delim) (*json.Decoder, error) {
	d := json.NewDecoder(bytes.NewReader(data[from:]))
	if t, err := d.Token(); err != nil || t != delim {
		return nil, errors.New("it is not what begins with " + delim.String())
	}
	return d, nil
}
