package wire

import (
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A chart is one of Helm, as far as the names of its images need it.
type chart struct {
	dir     string // with a slash at its end, but for the root
	doc     node   // Chart.yaml
	file    *file
	values  node
	defines map[string]string // templates by name
	app     bool              // the version of the application took part in what was told last
}

// joinCharts says which images the templates of charts name, put together from
// the chart's values. A name that more than those decides is unresolved.
func joinCharts(x *extraction) {
	for _, f := range x.files {
		if f.base() != "Chart.yaml" || vendored(f.path) {
			continue
		}
		docs, err := readYAML(f.data)
		if err != nil || len(docs) == 0 {
			continue
		}
		c := &chart{file: f, doc: docs[0], defines: map[string]string{}}
		if c.dir = f.dir(); c.dir != "" {
			c.dir += "/"
		}
		if v := x.fileOf(f.repo, c.dir+"values.yaml"); v != nil {
			if docs, _ := readYAML(v.data); len(docs) > 0 {
				c.values = docs[0]
			}
		}
		x.guarded(f, func() { c.templates(x) })
	}
}

// chartImage is a line of a template that gives an image.
var chartImage = regexp.MustCompile(`^\s*(?:-\s+)?["']?image["']?\s*:\s*(.*\{\{.*)$`)

func (c *chart) templates(x *extraction) {
	var list []*file
	for _, f := range x.files {
		if rest, ok := strings.CutPrefix(f.path, c.dir+"templates/"); ok && rest != "" && f.repo == c.file.repo {
			list = append(list, f)
			c.define(string(f.data))
		}
	}
	pinned := map[string]bool{}
	for _, f := range list {
		f.line(1)
		for i, raw := range f.lines {
			if len(raw) > maxLine {
				continue
			}
			if m := chartImage.FindStringSubmatch(strings.TrimRight(string(raw), "\r")); m != nil {
				c.image(x, f, i+1, strings.Trim(strings.TrimSpace(m[1]), `"'`), pinned)
			}
		}
	}
}

// image states what one line of a template names.
func (c *chart) image(x *extraction, f *file, line int, text string, done map[string]bool) {
	c.app = false
	name, told := c.text(text, nil, 0)
	img, ok := imageRef(name)
	if !told || !ok {
		x.add(fact{role: unresolved, kind: "image", name: clipped(text), more: "a template of the chart puts its name together, of more than its values.yaml tells", place: f.place(line)})
		return
	}
	p := f.pin(line, img.version())
	p.Note, p.Certainty = "with the chart's values", 90
	x.add(fact{role: read, kind: wiring.Image, name: img.name, place: p})
	if app := c.doc.get("appVersion"); c.app && app.there() && !done[img.name] {
		done[img.name] = true
		p := c.file.pin(app.line(), app.text())
		p.Note = "appVersion"
		x.add(fact{role: pinned, kind: wiring.Image, name: img.name, place: p})
	}
}

var (
	defineOf   = regexp.MustCompile(`\{\{-?\s*define\s+"([^"]+)"\s*-?\}\}`)
	blockStart = regexp.MustCompile(`^(?:if|with|range|block|define|else)\b`)
	assignsTo  = regexp.MustCompile(`^(\$\w+)\s*:?=\s*(.*)$`)
)

// define keeps the named templates of a file: from one to its own end.
func (c *chart) define(data string) {
	for _, m := range defineOf.FindAllStringSubmatchIndex(data, maxPairs) {
		body, depth := data[m[1]:], 0
		for at := 0; ; {
			i := strings.Index(body[at:], "{{")
			end := -1
			if i >= 0 {
				end = strings.Index(body[at+i:], "}}")
			}
			if end < 0 || at > maxValue {
				break
			}
			action := strings.Trim(body[at+i+2:at+i+end], "- \t\r\n")
			if blockStart.MatchString(action) && !strings.HasPrefix(action, "else") {
				depth++
			} else if action == "end" {
				if depth--; depth < 0 {
					c.defines[data[m[2]:m[3]]] = body[:at+i]
					break
				}
			}
			at += i + end + 2
		}
	}
}

// text puts the values into a text. told is false where more than values
// decides what it is.
func (c *chart) text(text string, vars map[string]string, depth int) (out string, told bool) {
	if depth > maxDepth || len(text) > maxValue {
		return "", false
	}
	var b strings.Builder
	own := map[string]string{}
	for k, v := range vars {
		own[k] = v
	}
	for {
		before, rest, ok := strings.Cut(text, "{{")
		b.WriteString(before)
		if !ok {
			return strings.TrimSpace(b.String()), true
		}
		action, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return "", false
		}
		text = after
		if strings.HasSuffix(action, "-") {
			text = strings.TrimLeft(text, " \t\r\n")
		}
		action = strings.Trim(strings.TrimSpace(action), "-")
		action = strings.TrimSpace(action)
		switch {
		case strings.HasPrefix(action, "/*"):
			continue
		case action == "end" || blockStart.MatchString(action):
			return "", false
		}
		e := chartExpression{chart: c, words: chartWords(action), vars: own, depth: depth}
		if m := assignsTo.FindStringSubmatch(action); m != nil {
			e.words = chartWords(m[2])
			v, ok := e.pipeline()
			if !ok {
				return "", false
			}
			own[m[1]] = v
			continue
		}
		v, ok := e.pipeline()
		if !ok {
			return "", false
		}
		b.WriteString(v)
	}
}

// value is what .Values, .Chart or a variable has under a path.
func (c *chart) value(word string, vars map[string]string) (string, bool) {
	if v, ok := vars[word]; ok {
		return v, true
	}
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(word, "$"), "."), ".")
	switch {
	case len(parts) == 2 && parts[0] == "Chart":
		key := strings.ToLower(parts[1][:min(1, len(parts[1]))]) + parts[1][min(1, len(parts[1])):]
		c.app = c.app || key == "appVersion"
		v := c.doc.get(key)
		return v.text(), v.isText()
	case len(parts) < 2 || parts[0] != "Values":
		return "", false
	}
	n := c.values
	for _, p := range parts[1:] {
		if !n.isMap() {
			return "", false
		}
		if n = n.get(p); !n.there() {
			return "", true // as empty as one that is null
		}
	}
	return n.text(), n.isText()
}
