package resolve

import (
	"bytes"
	"encoding/json"
)

// plainJSON takes comments and trailing commas out of JSON as tsconfig.json
// writes it. Text inside strings stays as it is.
func plainJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := stringEnd(text, i)
			out = append(out, text[i:end]...)
			i = end - 1
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			end := bytes.Index(text[i+2:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += end + 3
		case c == '}' || c == ']':
			for n := len(out); n > 0; n-- {
				if b := out[n-1]; b == ',' {
					out = out[:n-1]
				} else if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
					break
				}
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// stringEnd is the index behind the string that starts at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// An object is a JSON object as far as it was asked for.
type object map[string]json.RawMessage

func readObject(raw []byte) object {
	var o object
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

func (o object) text(key string) string {
	var s string
	if json.Unmarshal(o[key], &s) != nil {
		return ""
	}
	return s
}

func (o object) object(key string) object { return readObject(o[key]) }

func (o object) list(key string) []string {
	var l []string
	if json.Unmarshal(o[key], &l) != nil {
		return nil
	}
	return l
}
