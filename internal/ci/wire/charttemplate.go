package wire

import (
	"errors"
	"regexp"
	"strings"
	"text/template"
	"text/template/parse"
)

const (
	// appMark stands around the version of the application, so that a name
	// tells whether it has part in it.
	appMark = "\x05"

	maxTemplates = 5_000    // templates that are run for one chart
	maxTemplate  = 16 << 10 // bytes of one
	maxNodes     = 200_000  // values that a template puts into one
)

var (
	errTemplate = errors.New("the template is not followed")

	// callsTemplate is {{ template "x" . }}, which counts as include does.
	callsTemplate = regexp.MustCompile(`(\{\{-?\s*)template(\s+")`)
)

// run gives what a text with templates in it comes to. Nothing of it loops,
// and how many templates run in one another is bounded, for the text is
// anybody's. ok is false where more than the chart decides, or too much.
func (c *chart) run(text string, data any) (out string, ok bool) {
	if c.left--; c.left < 0 || c.depth > maxDepth || len(text) > maxTemplate {
		return "", false
	}
	c.depth++
	defer func() { c.depth-- }()
	defer func() { // of functions, for values that they were not made for
		if recover() != nil {
			out, ok = "", false
		}
	}()
	t, seen := c.parsed[text]
	if !seen {
		t = c.parse(text)
		c.parsed[text] = t
	}
	w := &limitedText{}
	if t == nil || t.Execute(w, data) != nil {
		return "", false
	}
	return strings.TrimSpace(strings.ReplaceAll(w.String(), "<no value>", "")), true // as Helm does
}

// parse reads a text with templates in it, nil for one that is not followed.
func (c *chart) parse(text string) *template.Template {
	t, err := template.New("").Funcs(c.functions()).Parse(callsTemplate.ReplaceAllString(text, "${1}include${2}"))
	if err != nil || t.Tree == nil || !plainTemplate(t.Root) {
		return nil
	}
	return t
}

// plainTemplate reports a tree without loops, and without templates of its own.
func plainTemplate(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return true
		}
		for _, in := range n.Nodes {
			if !plainTemplate(in) {
				return false
			}
		}
	case *parse.IfNode:
		return plainTemplate(n.List) && plainTemplate(n.ElseList)
	case *parse.WithNode:
		return plainTemplate(n.List) && plainTemplate(n.ElseList)
	case *parse.RangeNode, *parse.TemplateNode:
		return false
	}
	return true
}

// A limitedText takes a text up to the largest that is followed.
type limitedText struct{ strings.Builder }

func (w *limitedText) Write(p []byte) (int, error) {
	if w.Len()+len(p) > maxValue {
		return 0, errTemplate
	}
	return w.Builder.Write(p)
}
