package extract

import (
	"bytes"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// componentParts are what a component of Vue or Svelte is made of: its script
// blocks, read as one script at the places where they stand, and a template
// that uses other components and the script's names.
type componentParts struct {
	script, template []byte // the file with everything else blank
	typed            bool   // the script is TypeScript
	uses             []tag  // elements of the template
	broken           bool
}

// parseComponent reads a file of Vue or Svelte. The file is a component named
// after itself, which the variant tells.
func parseComponent(c *collector) error {
	parts := componentOf(c.src, c.file.Lang)
	name := strings.TrimPrefix(c.variant, c.file.Lang+" ")
	lang := grammar.JavaScript
	if parts.typed {
		lang = grammar.TypeScript
	}
	whole := c.src
	lines := bytes.Count(bytes.TrimRight(whole, "\n"), []byte{'\n'}) + 1
	component := c.define(-1, Definition{
		Name: name, Kind: Component, Line: 1, EndLine: lines, Signature: signature("<" + name + ">"), Exported: true,
	})
	c.bring(Import{Name: name, Alias: defaultName, Line: 1, Export: true})
	c.src = parts.script
	err := readScript(c, lang, component)
	if err == nil {
		err = readTemplate(c, parts, lang, component)
	}
	c.src = whole
	c.file.Broken = c.file.Broken || parts.broken
	if c.file.Doc == "" {
		c.file.Doc = templateHead(whole)
	}
	return err
}

// componentName is what a component's file is called: an index after its
// folder.
func componentName(name string) string {
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	if dir := path.Base(path.Dir(name)); base == "index" && dir != "." && dir != "/" {
		base = dir
	}
	return clip(oneLine(validText(base)), maxName)
}

// componentOf takes a file apart.
func componentOf(src []byte, lang string) componentParts {
	p := componentParts{script: bytes.Clone(src), template: bytes.Clone(src)}
	blank(p.script)
	blank(p.template)
	depth := 0 // of the template around
	for t := range tags(src) {
		low := strings.ToLower(t.name)
		switch {
		case t.closing:
			if low == "template" {
				depth = max(0, depth-1)
			}
		case low == "script" || low == "style":
			if low == "script" && depth == 0 && !t.selfClosed {
				p.block(src, t)
			}
		default:
			if low == "template" && !t.selfClosed {
				depth++
			}
			if depth > 0 && low != "template" || lang == "svelte" {
				p.uses = append(p.uses, t)
			}
			if depth > 0 || lang == "svelte" {
				for _, a := range t.attributes {
					p.expression(src, lang, a)
				}
			}
		}
	}
	p.holes(src, lang)
	return p
}

// block keeps the text of a script.
func (p *componentParts) block(src []byte, t tag) {
	end := t.raw
	if end < t.end {
		p.broken = true
		return
	}
	if kind, _ := t.get("type"); kind != "" && !strings.Contains(kind, "script") && kind != "module" {
		return // data in a page
	}
	if lang, ok := t.get("lang"); ok && (lang == "ts" || lang == "typescript" || lang == "tsx") {
		p.typed = true
	}
	copy(p.script[t.end:end], src[t.end:end])
	if t.end < end && t.end > 0 { // two blocks are two statements
		p.script[t.end-1] = ';'
	}
}

// expression keeps the code in an attribute, as a statement of its own.
func (p *componentParts) expression(src []byte, lang string, a attribute) {
	code := false
	if lang == "vue" {
		for _, mark := range [...]string{":", "@", "#", "v-"} {
			code = code || strings.HasPrefix(a.name, mark)
		}
	} else {
		code = strings.HasPrefix(a.value, "{")
	}
	if !code || a.end-a.start < 3 {
		return
	}
	p.keep(src, a.start, a.end)
}

// keep takes what is between two marks of one byte each.
func (p *componentParts) keep(src []byte, start, end int) {
	copy(p.template[start+1:end-1], src[start+1:end-1])
	p.template[start], p.template[end-1] = ';', ';'
}

// holes keeps the code between braces in the text of a template: {{ … }} of
// Vue, { … } of Svelte.
func (p *componentParts) holes(src []byte, lang string) {
	text := bytes.Clone(src)
	at := 0
	for t := range tags(src) {
		blank(text[t.start:t.end])
		if t.raw > t.end {
			blank(text[t.end:t.raw])
		}
	}
	for at < len(text) {
		i := bytes.IndexByte(text[at:], '{')
		if i < 0 {
			return
		}
		at += i
		var end int
		if lang == "vue" {
			if !bytes.HasPrefix(text[at:], []byte("{{")) {
				at++
				continue
			}
			n := bytes.Index(text[at:], []byte("}}"))
			if n < 0 {
				return
			}
			end = at + n + 2
			p.keep(src, at+1, end-1)
		} else {
			end = braced(text, at, min(len(text), at+maxTag))
			p.svelteHole(src, at, end)
		}
		at = end
	}
}

// svelteHole keeps the expression of {…}, {#if …}, {#each … as x}, {@html …}.
func (p *componentParts) svelteHole(src []byte, start, end int) {
	if end-start < 3 {
		return
	}
	switch src[start+1] {
	case '/':
	case '#', ':', '@':
		word := start + 2
		for word < end && src[word] >= 'a' && src[word] <= 'z' {
			word++
		}
		if kind := string(src[start+2 : word]); word+1 >= end || kind == "snippet" || kind == "then" || kind == "catch" {
			return
		}
		if i := bytes.Index(src[word:end], []byte(" as ")); i >= 0 {
			end = word + i + 1
		}
		if end-word >= 3 {
			p.keep(src, word, end)
		}
	default:
		p.keep(src, start, end)
	}
}

// templateHead is the first sentence of the comment that a component begins
// with.
func templateHead(src []byte) string {
	text := bytes.TrimSpace(src[:min(len(src), 8<<10)])
	if !bytes.HasPrefix(text, []byte("<!--")) {
		return ""
	}
	text = text[4:]
	if i := bytes.Index(text, []byte("-->")); i >= 0 {
		return firstSentence(strings.TrimPrefix(strings.TrimSpace(validText(string(text[:i]))), "@component"))
	}
	return ""
}

// readTemplate tells the components and names that a template uses.
func readTemplate(c *collector, parts componentParts, lang grammar.Language, component int) error {
	for _, t := range parts.uses {
		qualifier, name := cutLast(componentTag(t.name, c.file.Lang))
		if name != "" {
			c.refer(Reference{From: component, Relation: References, Name: name, Qualifier: qualifier, Line: t.line})
		}
	}
	broken := c.file.Broken
	c.src = parts.template
	t, err := newTreeReader(c, lang)
	if err != nil {
		return err
	}
	c.file.Broken = broken // a template's code need not be a script's
	r := newScriptReader(t, component)
	r.within(component, func() {
		r.push()
		for s := range r.root.Children() {
			if !s.Is("import_statement", "export_statement") {
				r.expression(s)
			}
		}
		r.pop()
	})
	return nil
}

// componentTag is the component that an element names: Button, Form.Item,
// and in Vue also my-button; "" for an element of HTML.
func componentTag(name, lang string) string {
	first, _, _ := strings.Cut(name, ".")
	switch {
	case strings.Contains(name, ":"): // svelte:head
		return ""
	case capital(first):
		return oneLine(name)
	case strings.Contains(name, ".") && lang == "svelte":
		return oneLine(name)
	case lang != "vue" || !strings.Contains(name, "-"):
		return ""
	}
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return oneLine(validText(b.String()))
}
