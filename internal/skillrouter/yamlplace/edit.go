package yamlplace

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

func decodeRune(b []byte) (rune, int) { return utf8.DecodeRune(b) }

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func flow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

func (d *document) splice(from, to int, what string) []byte {
	return slices.Concat(d.text[:from], []byte(what), d.text[to:])
}

// append finds the place of a new row: in the list, in the mapping that has no
// such list, or at the end of the text.
func (d *document) append(path []string, row Row) ([]byte, error) {
	key, value := member(d.top, path[0])
	const step = "  "
	if key == nil {
		return d.atEnd(path[0] + ":" + d.nl + step + path[1] + ":" + d.nl + row.block(step+step, d.nl)), nil
	}
	in := strings.Repeat(" ", key.Column-1)
	list := in + step + path[1] + ":" + d.nl + row.block(in+step+step, d.nl)
	switch {
	case null(value) || value.Kind == yaml.MappingNode && flow(value) && len(value.Content) == 0:
		return d.instead(key, value, list)
	case value.Kind != yaml.MappingNode:
		return nil, fmt.Errorf("its %s are no mapping", path[0])
	}
	under, rows := member(value, path[1])
	switch {
	case under == nil && flow(value):
		return d.intoFlow(value, path[1]+": ["+row.flow()+"]")
	case under == nil:
		in := strings.Repeat(" ", value.Content[0].Column-1)
		return d.behind(value, in+path[1]+":"+d.nl+row.block(in+step, d.nl)), nil
	case flow(value) && null(rows):
		return nil, fmt.Errorf("its %s.%s has no value, in a line", path[0], path[1])
	case null(rows) || rows.Kind == yaml.SequenceNode && flow(rows) && len(rows.Content) == 0 && !flow(value):
		return d.instead(under, rows, row.block(strings.Repeat(" ", under.Column-1)+step, d.nl))
	case rows.Kind != yaml.SequenceNode:
		return nil, fmt.Errorf("its %s.%s is no list", path[0], path[1])
	case flow(rows):
		return d.intoFlow(rows, row.flow())
	}
	return d.behind(rows, row.block(strings.Repeat(" ", rows.Column-1), d.nl)), nil
}

// atEnd is the text with more at its end.
func (d *document) atEnd(what string) []byte {
	gap := ""
	if len(d.text) > 0 && !bytes.HasSuffix(d.text, []byte("\n")) {
		gap = d.nl
	}
	return d.splice(len(d.text), len(d.text), gap+what)
}

// instead replaces an empty value by lines below its key; a comment on the
// line stays.
func (d *document) instead(key, value *yaml.Node, what string) ([]byte, error) {
	if value.Anchor != "" || value.Kind == yaml.AliasNode {
		return nil, errors.New("it has an anchor there")
	}
	end := d.lineEnd(key.Line)
	line := d.text[d.offset(key):end]
	rest := string(line)
	if !null(value) || value.Value != "" {
		if value.Line != key.Line {
			return nil, errors.New("it has an empty value on a line of its own there")
		}
		from := d.offset(value)
		to := from + len(value.Value)
		if !null(value) {
			close := bytes.IndexAny(d.text[from:end], "}]")
			if close < 0 {
				return nil, errors.New("it has an empty value of several lines there")
			}
			to = from + close + 1
		}
		head := string(bytes.TrimRight(d.text[d.offset(key):from], " "))
		rest = head + string(d.text[to:end])
	}
	if !strings.HasSuffix(rest, "\n") {
		rest += d.nl
	}
	return d.splice(d.offset(key), end, rest+what), nil
}

// lineEnd is the start of the line after the one of that number.
func (d *document) lineEnd(line int) int {
	if line < len(d.lines) {
		return d.lines[line]
	}
	return len(d.text)
}

// behind puts lines behind a node in block form, before blanks and comments
// that follow it.
func (d *document) behind(n *yaml.Node, what string) []byte {
	at := d.lineEnd(d.lastLine(n))
	if at > 0 && d.text[at-1] != '\n' {
		what = d.nl + what
	}
	return d.splice(at, at, what)
}

// lastLine is the last line that a node has something on: the last one before
// the next line that is indented less, blanks and comments left out.
func (d *document) lastLine(n *yaml.Node) int {
	column := n.Column - 1
	if n.Kind == yaml.MappingNode {
		column = n.Content[0].Column - 1
	}
	last := n.Line
	for line := n.Line + 1; line <= len(d.lines); line++ {
		text := string(d.text[d.lines[line-1]:d.lineEnd(line)])
		bare := strings.TrimLeft(text, " ")
		if strings.TrimSpace(bare) == "" || bare[0] == '#' {
			continue
		}
		indent := len(text) - len(bare)
		if indent < column || n.Kind == yaml.SequenceNode && indent == column && bare[0] != '-' {
			break
		}
		last = line
	}
	return last
}

// intoFlow puts text at the end of a collection in flow form.
func (d *document) intoFlow(n *yaml.Node, what string) ([]byte, error) {
	from := d.offset(n)
	close, err := d.flowEnd(from)
	if err != nil {
		return nil, err
	}
	at := from + len(bytes.TrimRight(d.text[from:close], " \t\r\n"))
	if len(n.Content) > 0 {
		if d.text[at-1] == ',' {
			what = " " + what
		} else {
			what = ", " + what
		}
	}
	return d.splice(at, at, what), nil
}

// flowEnd is the bracket that closes the collection that begins at a place.
func (d *document) flowEnd(from int) (int, error) {
	depth := 0
	for i := from; i < len(d.text); i++ {
		switch c := d.text[i]; c {
		case '"', '\'':
			if before := d.text[max(0, i-1)]; !strings.ContainsRune(" \t\r\n[{,:", rune(before)) {
				continue // within a plain scalar
			}
			for i++; i < len(d.text) && d.text[i] != c; i++ {
				if c == '"' && d.text[i] == '\\' {
					i++
				}
			}
		case '#':
			if d.text[i-1] == ' ' || d.text[i-1] == '\n' {
				return 0, errors.New("it has a comment between brackets there")
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i, nil
			}
		}
	}
	return 0, errors.New("a bracket is not closed")
}

// delete takes a row out, and what is empty because of that.
func (d *document) delete(path []string, i int) ([]byte, error) {
	key, value := member(d.top, path[0])
	under, rows := member(value, path[1])
	if under == nil || rows.Kind != yaml.SequenceNode || i < 0 || i >= len(rows.Content) {
		return nil, errors.New("there is no such row")
	}
	switch {
	case len(rows.Content) > 1 && !flow(rows):
		return d.cutRow(rows, i), nil
	case len(rows.Content) > 1:
		return d.cutFlow(rows, i)
	case len(value.Content) > 2 && !flow(value):
		return d.cutLines(under.Line, d.endOf(under, rows)), nil
	case len(value.Content) > 2:
		return nil, errors.New("it has its lists in a line; take the row out by hand")
	}
	if len(d.top.Content) == 2 {
		return d.splice(d.lines[key.Line-1], d.lineEnd(d.endOf(key, value)), ""), nil
	}
	return d.cutLines(key.Line, d.endOf(key, value)), nil
}

// endOf is the last line of a key's value.
func (d *document) endOf(key, value *yaml.Node) int {
	if flow(value) {
		end, err := d.flowEnd(d.offset(value))
		if err != nil {
			return value.Line
		}
		return bytes.Count(d.text[:end], []byte("\n")) + 1
	}
	return d.lastLine(value)
}

func (d *document) cutLines(from, to int) []byte {
	return d.splice(d.lines[from-1], d.lineEnd(to), "")
}

// cutRow takes a row out of a list in block form.
func (d *document) cutRow(rows *yaml.Node, i int) []byte {
	end := d.lastLine(rows)
	if i+1 < len(rows.Content) {
		end = d.lineOf(rows.Content[i+1]) - 1
	}
	return d.cutLines(d.lineOf(rows.Content[i]), end)
}

// lineOf is the line of the dash of a row.
func (d *document) lineOf(row *yaml.Node) int {
	if row.Kind == yaml.MappingNode && len(row.Content) > 0 {
		return row.Content[0].Line
	}
	return row.Line
}

func (d *document) cutFlow(rows *yaml.Node, i int) ([]byte, error) {
	from := d.offset(rows.Content[i])
	if i+1 < len(rows.Content) {
		return d.splice(from, d.offset(rows.Content[i+1]), ""), nil
	}
	close, err := d.flowEnd(d.offset(rows))
	if err != nil {
		return nil, err
	}
	comma := bytes.LastIndexByte(d.text[:from], ',')
	end := d.offset(rows) + len(bytes.TrimRight(d.text[d.offset(rows):close], " \t\r\n"))
	return d.splice(comma, end, ""), nil
}
