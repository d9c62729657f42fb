package pin

import (
	"strings"
)

// readTerraform reads modules, providers, and the images and charts that
// resources run.
func readTerraform(f *file) {
	p := &hclParser{src: string(f.data), line: 1}
	root := p.body(0)
	for _, e := range root.keys {
		switch words := strings.Fields(e.key); words[0] {
		case "module":
			f.terraformModule(e.node)
		case "terraform":
			f.terraformBlock(e.node)
		case "packer":
			for _, p := range e.node.get("required_plugins").entries() {
				if host, rest, ok := strings.Cut(p.node.get("source").str(), "/"); ok && strings.Count(rest, "/") == 1 {
					owner, name, _ := strings.Cut(rest, "/")
					f.add(Fact{Role: Pins, Kind: Repository, Name: host + "/" + owner + "/packer-plugin-" + name, Version: p.node.get("version").str(), Line: firstLine(p.node.get("source").at(), p.line), Note: "packer plugin"})
				}
			}
		case "provider": // of .terraform.lock.hcl, where it has a version
			if v := e.node.get("version"); v != nil && len(words) == 2 {
				f.add(Fact{Role: Pins, Kind: Provider, Name: shortProvider(words[1]), Version: v.str(), Line: v.line})
			}
		case "resource":
			if len(words) >= 2 && words[1] == "helm_release" {
				if c := e.node.get("chart"); c.str() != "" && !strings.HasPrefix(c.text, ".") && !strings.ContainsAny(c.text, "${") {
					f.add(Fact{Role: Reads, Kind: Chart, Name: base(c.text), Home: e.node.get("repository").str(), Version: e.node.get("version").str(), Line: c.line})
				}
			}
		}
	}
	root.walk(func(n *node) {
		for _, e := range n.keys {
			if tool, ok := strings.CutSuffix(e.key, "kubernetes_version"); ok && (tool == "" || strings.HasSuffix(tool, "_")) && exactVersion.MatchString(e.node.str()) {
				f.add(Fact{Role: Pins, Kind: Toolchain, Name: "kubernetes", Version: e.node.str(), Line: e.line})
			}
		}
		for _, key := range []string{"image", "image_uri", "docker_image", "container_image"} {
			if i := n.get(key); i.str() != "" && strings.ContainsAny(i.text, "/:") && !strings.HasPrefix(i.text, "/") {
				f.image(Reads, i.text, i.line, "terraform")
			}
		}
	})
}

// shortProvider leaves the registry out that everybody means.
func shortProvider(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "registry.terraform.io/"), "registry.opentofu.org/")
}

func (f *file) terraformModule(n *node) {
	source, version := n.get("source"), n.get("version").str()
	s := source.str()
	switch {
	case s == "" || strings.HasPrefix(s, ".") || strings.HasPrefix(s, "/"):
	case strings.Contains(s, "::") || strings.Contains(s, "://") || strings.HasPrefix(s, "git@") || strings.HasPrefix(s, "github.com/") || strings.HasPrefix(s, "bitbucket.org/"):
		note := "terraform module"
		if _, after, ok := strings.Cut(s, "://"); ok || strings.Contains(s, ".git//") {
			_, sub, _ := strings.Cut(firstOf(after, s), "//")
			if sub, _, _ = strings.Cut(sub, "?"); sub != "" {
				note += " " + sub
			}
		}
		f.repository(Pins, s, version, source.line, note)
	default:
		name, _, _ := strings.Cut(s, "//")
		name = shortProvider(name)
		if strings.Count(name, "/") >= 2 {
			f.add(Fact{Role: Pins, Kind: Module, Name: name, Version: version, Line: source.line})
		}
	}
}

func (f *file) terraformBlock(n *node) {
	if v := n.get("required_version"); v.str() != "" {
		f.add(Fact{Role: Pins, Kind: Toolchain, Name: "terraform", Version: v.text, Line: v.line})
	}
	for _, e := range n.get("required_providers").entries() {
		name := firstOf(e.node.get("source").str(), "hashicorp/"+e.key)
		f.add(Fact{Role: Pins, Kind: Provider, Name: shortProvider(name), Version: firstOf(e.node.get("version").str(), e.node.str()), Line: firstLine(e.node.get("source").at(), e.line)})
	}
}

// An hclParser reads the structure of HCL: blocks, attributes that are text,
// and tables. Every other expression is passed over.
type hclParser struct {
	src  string
	at   int
	line int
}

// space passes space and comments.
func (p *hclParser) space(lines bool) {
	for p.at < len(p.src) {
		rest := p.src[p.at:]
		switch c := rest[0]; {
		case c == '\n':
			if !lines {
				return
			}
			p.line++
			p.at++
		case c == ' ' || c == '\t' || c == '\r':
			p.at++
		case c == '#' || strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				end = len(rest) - 2
			}
			p.line += strings.Count(rest[:end+2], "\n")
			p.at += end + 2
		default:
			return
		}
	}
}

func (p *hclParser) peek() byte {
	if p.at >= len(p.src) {
		return 0
	}
	return p.src[p.at]
}

// body reads attributes and blocks up to a closing brace or the end.
func (p *hclParser) body(depth int) *node {
	n := &node{kind: table, line: p.line}
	for {
		p.space(true)
		c := p.peek()
		if c == 0 || depth > maxDepth {
			p.at = len(p.src)
			return n
		}
		if c == '}' {
			p.at++
			return n
		}
		if c == ',' {
			p.at++
			continue
		}
		line := p.line
		key := p.name()
		if key == "" {
			p.expression() // what is no name is no attribute either
			if p.peek() == c {
				p.at++
			}
			continue
		}
		for p.space(false); p.peek() == '"' || isWord(p.peek()); p.space(false) {
			key += " " + p.name() // labels of a block
		}
		switch p.peek() {
		case '{':
			p.at++
			n.keys = append(n.keys, entry{key, line, p.body(depth + 1)})
		case '=', ':':
			p.at++
			n.keys = append(n.keys, entry{key, line, p.value(depth + 1)})
		}
	}
}

// name reads a word or a text in quotes.
func (p *hclParser) name() string {
	if p.peek() == '"' {
		return p.quoted()
	}
	from := p.at
	for p.at < len(p.src) && (isWord(p.src[p.at]) || p.src[p.at] == '-' || p.src[p.at] == '.') {
		p.at++
	}
	return p.src[from:p.at]
}

// value reads text, a table, or a list of these; of any other expression an
// empty one.
func (p *hclParser) value(depth int) *node {
	p.space(false)
	n := &node{line: p.line}
	switch c := p.peek(); {
	case depth > maxDepth:
		p.expression()
	case c == '"':
		text := p.quoted()
		if p.expression() {
			return n // text is only part of it
		}
		n.text = text
	case c == '{':
		p.at++
		return p.body(depth + 1)
	case c == '[':
		p.at++
		n.kind = list
		for p.space(true); p.peek() != ']' && p.peek() != 0; p.space(true) {
			from := p.at
			n.list = append(n.list, p.value(depth+1))
			if p.space(true); p.peek() == ',' || p.at == from {
				p.at++
			}
		}
		p.at = min(p.at+1, len(p.src))
	default:
		p.expression()
	}
	return n
}

// expression passes the rest of an expression and reports whether there was
// any.
func (p *hclParser) expression() bool {
	from, depth := p.at, 0
	p.space(false)
	start := p.at
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '"':
			p.quoted()
			continue
		case strings.HasPrefix(p.src[p.at:], "<<"):
			p.heredoc()
			continue
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth == 0 {
				return p.at > start
			}
			depth--
		case c == '\n' || c == ',':
			if depth == 0 {
				return p.at > start
			}
			if c == '\n' {
				p.line++
			}
		case c == '#' || strings.HasPrefix(p.src[p.at:], "//"):
			p.space(false)
			continue
		}
		p.at++
	}
	return p.at > from
}

// quoted reads text in quotes; ${…} in it may hold quotes of its own.
func (p *hclParser) quoted() string {
	p.at++
	from, depth := p.at, 0
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '\\':
			p.at++
		case c == '\n':
			return p.src[from:p.at]
		case c == '{' && p.at > from && (p.src[p.at-1] == '$' || p.src[p.at-1] == '%' || depth > 0):
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '"' && depth == 0:
			p.at++
			return p.src[from : p.at-1]
		}
		p.at++
	}
	p.at = len(p.src)
	return p.src[from:]
}

// heredoc passes a text of many lines.
func (p *hclParser) heredoc() {
	rest := p.src[p.at:]
	first, after, ok := strings.Cut(rest, "\n")
	word := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(first, "<<"), "-"))
	if !ok || word == "" {
		p.at += 2
		return
	}
	p.at += len(first) + 1
	p.line++
	for line := range strings.Lines(after) {
		if strings.TrimSpace(line) == word {
			p.at += len(strings.TrimRight(line, "\r\n"))
			return
		}
		p.at += len(line)
		p.line += strings.Count(line, "\n")
	}
}
