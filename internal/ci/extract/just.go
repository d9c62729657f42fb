package extract

import (
	"regexp"
	"strings"
)

var (
	justSetting = regexp.MustCompile(`^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)$`)
	justAlias   = regexp.MustCompile(`^alias\s+([A-Za-z_][\w-]*)\s*:=\s*([\w:-]+)`)
	justImport  = regexp.MustCompile(`^import\??\s+['"]([^'"]+)['"]`)
	justModule  = regexp.MustCompile(`^mod\??\s+([A-Za-z_][\w-]*)(?:\s+['"]([^'"]+)['"])?`)
	justRecipe  = regexp.MustCompile(`^@?([A-Za-z_][\w-]*)((?:\s+[^:]*)?)\s*:(?:([^=].*)|\s*)$`)
	justWord    = regexp.MustCompile(`[A-Za-z_][\w-]*`)
	justHole    = regexp.MustCompile(`\{\{([^{}]*)\}\}`)
)

// A justReader turns a justfile into a File.
type justReader struct{ *lineReader }

func parseJust(c *collector) error {
	r := &justReader{newLineReader(c)}
	for l := range r.logical('\\') {
		r.line(l)
	}
	return nil
}

func (r *justReader) line(l logicalLine) {
	if strings.HasPrefix(l.text, " ") || strings.HasPrefix(l.text, "\t") { // of a recipe
		r.extend(r.from, l.end)
		for _, m := range justHole.FindAllStringSubmatch(l.text, -1) {
			r.words(m[1], l.first)
		}
		return
	}
	if strings.HasPrefix(l.text, "[") { // an attribute; the comment above it is the recipe's
		r.comment = append(r.comment, l.doc)
		return
	}
	r.from = -1
	switch {
	case justAlias.MatchString(l.text):
		m := justAlias.FindStringSubmatch(l.text)
		r.from = r.declare(-1, Recipe, m[1], l, l.text)
		r.mention(References, m[2][strings.LastIndexByte(m[2], ':')+1:], "", l.first)
		r.from = -1
	case justImport.MatchString(l.text):
		r.bring(Import{Path: oneLine(validText(justImport.FindStringSubmatch(l.text)[1])), Line: l.first})
	case justModule.MatchString(l.text):
		m := justModule.FindStringSubmatch(l.text)
		path := m[2]
		if path == "" {
			path = m[1] + ".just"
		}
		r.bring(Import{Path: oneLine(validText(path)), Alias: m[1], Line: l.first})
	case justSetting.MatchString(l.text):
		m := justSetting.FindStringSubmatch(l.text)
		r.from = r.declare(-1, Variable, m[1], l, l.text)
		r.words(m[2], l.first)
		r.from = -1
	case strings.HasPrefix(l.text, "set "):
	default:
		if m := justRecipe.FindStringSubmatch(l.text); m != nil {
			r.from = r.declare(-1, Recipe, m[1], l, m[1]+m[2])
			r.words(m[3], l.first)
		}
	}
}

// words tells the names in an expression, texts in quotes aside.
func (r *justReader) words(text string, line int) {
	for text != "" {
		end := strings.IndexAny(text, "\"'`")
		plain, quote := text, ""
		if end >= 0 {
			plain, quote = text[:end], text[end:end+1]
		}
		for _, w := range justWord.FindAllString(plain, -1) {
			r.mention(References, w, "", line)
		}
		if quote == "" {
			return
		}
		_, text, _ = strings.Cut(text[end+1:], quote)
	}
}
