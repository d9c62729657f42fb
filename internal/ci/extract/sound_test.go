package extract

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// unsound says what is wrong with the File of data, or "".
func unsound(f *File, data []byte) string {
	lines := bytes.Count(data, []byte("\n")) + 1
	for i, d := range f.Definitions {
		if d.Line < 1 || d.EndLine < d.Line || d.EndLine > lines {
			return fmt.Sprintf("%.40q is on lines %d to %d of %d", d.Name, d.Line, d.EndLine, lines)
		}
		if d.Parent < -1 || d.Parent >= len(f.Definitions) || d.Parent == i {
			return fmt.Sprintf("the parent of %.40q is %d, it is %d of %d", d.Name, d.Parent, i, len(f.Definitions))
		}
		if circle(f, i) {
			return fmt.Sprintf("%.40q holds itself", d.Name)
		}
		if d.Name == "" || d.Kind == "" {
			return fmt.Sprintf("definition %d has no name or kind: %+v", i, d)
		}
		if fault := texts(limit{d.Name, maxName}, limit{d.Container, maxName}, limit{d.Signature, maxSignature}, limit{d.Doc, maxDoc}, limit{d.Result, maxSignature}); fault != "" {
			return fmt.Sprintf("%s %.40q: %s", d.Kind, d.Name, fault)
		}
	}
	for _, r := range f.References {
		if r.From < -1 || r.From >= len(f.Definitions) || r.Line < 1 || r.Line > lines {
			return fmt.Sprintf("%s of %.40q from %d of %d on line %d of %d", r.Relation, r.Name, r.From, len(f.Definitions), r.Line, lines)
		}
		if r.Name == "" || r.Relation == "" {
			return fmt.Sprintf("a reference without a name or relation: %+v", r)
		}
		if fault := texts(limit{r.Name, maxName}, limit{r.Qualifier, maxQualifier}, limit{r.Type, maxQualifier}, limit{r.Via, maxQualifier}, limit{r.Args, 1_000}); fault != "" {
			return fmt.Sprintf("%s of %.40q: %s", r.Relation, r.Name, fault)
		}
	}
	for _, i := range f.Imports {
		if i.Line < 1 || i.Line > lines || i.Path == "" && !i.Export {
			return fmt.Sprintf("import of %.40q on line %d of %d", i.Path, i.Line, lines)
		}
		if fault := texts(limit{i.Path, maxPath}, limit{i.Name, maxName}, limit{i.Alias, maxName}); fault != "" {
			return fmt.Sprintf("import of %.40q: %s", i.Path, fault)
		}
	}
	if fault := texts(limit{f.Module, maxPath}, limit{f.Doc, maxDoc}); fault != "" {
		return "the file: " + fault
	}
	return ""
}

// circle reports whether definition i is inside itself.
func circle(f *File, i int) bool {
	steps := 0
	for p := f.Definitions[i].Parent; p >= 0 && p < len(f.Definitions); p = f.Definitions[p].Parent {
		if steps++; p == i || steps > len(f.Definitions) {
			return true
		}
	}
	return false
}

// A limit is a text and how many bytes it may have.
type limit struct {
	text string
	most int
}

func texts(all ...limit) string {
	for _, l := range all {
		switch {
		case len(l.text) > l.most:
			return fmt.Sprintf("%d bytes of text, %d are allowed: %.40q", len(l.text), l.most, l.text)
		case !utf8.ValidString(l.text):
			return fmt.Sprintf("no UTF-8: %.80q", l.text)
		case strings.ContainsAny(l.text, "\n\r\x00\x1b\u202e\u2066"):
			return fmt.Sprintf("not one plain line: %.80q", l.text)
		}
	}
	return ""
}
