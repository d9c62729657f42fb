package main

import (
	"bufio"
	"io"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// A dump is what rustc printed of one target.
type dump struct {
	crate  string
	bodies map[string]position // path of a function → start of its body
	calls  []call
	dir    string // of all bodies, once known
}

// folder is the one that holds all files of the target.
func (d *dump) folder() string {
	if d.dir != "" {
		return d.dir
	}
	for _, at := range d.bodies {
		if path.IsAbs(at.file) { // of a macro from outside
			continue
		}
		if d.dir == "" {
			d.dir = path.Dir(at.file)
		}
		for d.dir != "." && !strings.HasPrefix(at.file, d.dir+"/") {
			d.dir = path.Dir(d.dir)
		}
	}
	if d.dir == "." {
		d.dir = ""
	}
	return d.dir
}

// A position is a place in a file. Line and column count from 1.
type position struct {
	file      string
	line, col int
}

// A call is a function that is called, or a tuple or variant that is built.
type call struct {
	at      position // end of the callee's path; of what is built: its start
	target  defPath
	self    string // of a trait's method: the type that it is called on
	variant string // of an enum that is built
	builds  bool
}

// A defPath is a definition as rustc names it: "json::{impl#3}::build".
type defPath struct {
	local bool
	crate string
	names []string
}

var (
	defID    = regexp.MustCompile(`DefId\((\d+):\d+ ~ ([\w$]+)\[[0-9a-f]*\]((?:::(?:[^,:()\[\]]|\{[^}]*\})+)*)\)`)
	spanLine = regexp.MustCompile(`^\s*span: (\S+?):(\d+):(\d+): (\d+):(\d+) \(#(\d+)\)`)
	variants = regexp.MustCompile(`VariantDef \{ def_id: [^,]*, ctor: .*?, name: "(\w+)"`)
)

func readPath(text string) (defPath, int, bool) {
	m := defID.FindStringSubmatchIndex(text)
	if m == nil {
		return defPath{}, 0, false
	}
	p := defPath{local: text[m[2]:m[3]] == "0", crate: text[m[4]:m[5]]}
	if rest := text[m[6]:m[7]]; rest != "" {
		p.names = strings.Split(rest[2:], "::")
	}
	return p, m[1], true
}

func (p defPath) key() string { return strings.Join(p.names, "::") }

func openDump(name string) (*dump, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readDump(f)
}

// readDump reads a tree line by line; a line says by its indentation only
// what it belongs to.
func readDump(in io.Reader) (*dump, error) {
	d := &dump{bodies: make(map[string]position)}
	r := bufio.NewReaderSize(in, 1<<20)
	var body defPath
	waiting := false // for the first span of a body
	var last []string
	var pending *call
	var built []string // variants of what is built
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "DefId("):
			body, _, _ = readPath(line)
			waiting, pending = false, nil
		case line == "body:\n":
			waiting = true
		case strings.HasPrefix(text, "span: "):
			m := spanLine.FindStringSubmatch(text)
			if last = m; m == nil {
				continue
			}
			if waiting {
				d.bodies[body.key()] = from(m)
				waiting = false
			}
			if pending != nil && !pending.builds {
				if m[6] == "0" { // not made by a macro
					pending.at = to(m)
					d.calls = append(d.calls, *pending)
				}
				pending = nil
			}
		case text == "Call {":
			pending = &call{}
		case pending != nil && strings.HasPrefix(text, "ty: ") && pending.target.crate == "" && !pending.builds:
			if rest, ok := strings.CutPrefix(text, "ty: FnDef("); ok {
				p, end, found := readPath(rest)
				if !found {
					pending = nil
					continue
				}
				pending.target, pending.self = p, firstArgument(rest[end:])
			} else {
				pending = nil
			}
		case text == "from_hir_call: false": // an operator
			pending = nil
		case text == "Adt {":
			if last != nil && last[6] == "0" {
				pending = &call{builds: true, at: from(last)}
			}
		case pending != nil && pending.builds && strings.HasPrefix(text, "did: "):
			pending.target, _, _ = readPath(text)
		case pending != nil && pending.builds && strings.HasPrefix(text, "variants: "):
			built = nil
			for _, m := range variants.FindAllStringSubmatch(text, -1) {
				built = append(built, m[1])
			}
		case pending != nil && pending.builds && strings.HasPrefix(text, "flags: ") && !strings.Contains(text, "IS_ENUM"):
			built = nil
		case pending != nil && pending.builds && strings.HasPrefix(text, "variant_index: "):
			if i, err := strconv.Atoi(text[len("variant_index: "):]); err == nil && i < len(built) {
				pending.variant = built[i]
			}
			d.calls = append(d.calls, *pending)
			pending = nil
		}
	}
}

func from(m []string) position { return at(m[1], m[2], m[3]) }
func to(m []string) position   { return at(m[1], m[4], m[5]) }

func at(file, line, col string) position {
	l, _ := strconv.Atoi(line)
	c, _ := strconv.Atoi(col)
	return position{file, l, c}
}

// firstArgument is the first type of ", [A, B])".
func firstArgument(s string) string {
	s, ok := strings.CutPrefix(s, ", [")
	if !ok {
		return ""
	}
	depth := 0
	for i, c := range s {
		switch c {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', '}':
			depth--
		case ']':
			if depth == 0 {
				return s[:i]
			}
			depth--
		case ',':
			if depth == 0 {
				return s[:i]
			}
		}
	}
	return ""
}
