package jsonplace

// Blank blanks what people write into JSON for the client and JSON does
// not have: comments, and a comma after the last value. Every other byte
// stays where it is. What is not such a text comes back as it is, for a
// parser to refuse.
func Blank(data []byte) []byte {
	out := append([]byte{}, data...)
	comma := -1 // of the last comma that nothing but blanks followed
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case c == '/' && i+1 < len(out) && out[i+1] == '*':
			i = blankComment(out, i) - 1
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
	}
	return out
}

// blankComment blanks the comment that begins at i and returns where it ends.
// One that does not end is left for the parser to find.
func blankComment(out []byte, i int) int {
	for end := i + 2; end+1 < len(out); end++ {
		if out[end] == '*' && out[end+1] == '/' {
			for ; i < end+2; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
			return i
		}
	}
	return i + 1
}
