package wire

import (
	"path"
	"regexp"
	"strings"
	"text/template"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A chart is one of Helm, as far as the names of its images need it.
type chart struct {
	dir     string // with a slash at its end, but for the root
	doc     node   // Chart.yaml
	file    *file
	root    map[string]any    // what templates see
	defines map[string]string // templates by name
	parsed  map[string]*template.Template
	left    int // templates that may still be run
	depth   int // of those that run one in another
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
		c := &chart{file: f, doc: docs[0], defines: map[string]string{}, parsed: map[string]*template.Template{}, left: maxTemplates}
		if c.dir = f.dir(); c.dir != "" {
			c.dir += "/"
		}
		values := map[string]any{}
		if v := x.fileOf(f.repo, c.dir+"values.yaml"); v != nil {
			if docs, _ := readYAML(v.data); len(docs) > 0 && docs[0].isMap() && docs[0].y.Decode(&values) != nil {
				values = map[string]any{}
			}
		}
		c.root = map[string]any{
			"Values":  values,
			"Chart":   map[string]any{"Name": c.doc.get("name").text(), "Version": c.doc.get("version").text(), "AppVersion": appMark + c.doc.get("appVersion").text() + appMark},
			"Release": map[string]any{"Name": unknown("release"), "Namespace": unknown("namespace"), "Service": "Helm"},
		}
		x.guarded(f, func() { c.templates(x) })
	}
}

// inTemplates reports a template of a chart.
func (x *extraction) inTemplates(f *file) bool {
	for dir := f.dir(); dir != ""; dir = strings.Trim(path.Dir(dir), "./") {
		if path.Base(dir) == "templates" && x.fileOf(f.repo, path.Join(path.Dir(dir), "Chart.yaml")) != nil {
			return true
		}
	}
	return false
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
		var given []string // the variables that the file has so far
		for i, raw := range f.lines {
			text := strings.TrimRight(string(raw[:min(len(raw), maxLine)]), "\r")
			if assigns.MatchString(text) && len(given) < maxGiven {
				given = append(given, strings.TrimSpace(text))
			}
			if m := chartImage.FindStringSubmatch(text); m != nil {
				c.image(x, f, i+1, strings.Trim(strings.TrimSpace(m[1]), `"'`), given, pinned)
			}
		}
	}
}

// image states what one line of a template names.
func (c *chart) image(x *extraction, f *file, line int, text string, given []string, done map[string]bool) {
	elsewhere := inner.MatchString(text) && !outer.MatchString(text) // in a template that is handed something else
	name, told := "", false
	if !elsewhere {
		name, told = c.run(strings.Join(given, "")+text, c.root)
	}
	if !told && !elsewhere { // one of the variables may be what is not followed
		name, told = c.run(text, c.root)
	}
	app := strings.Contains(name, appMark)
	name = strings.Trim(strings.TrimSpace(strings.ReplaceAll(name, appMark, "")), `"'`)
	img, ok := imageRef(strings.TrimSuffix(name, ":"))
	if !told || !ok || !known(name) {
		x.add(fact{role: unresolved, kind: "image", name: clipped(text), more: "a template of the chart puts its name together, and could not be followed", place: f.place(line)})
		return
	}
	p := f.pin(line, img.version())
	p.Note, p.Certainty = "with the chart's values", 90
	x.add(fact{role: read, kind: wiring.Image, name: img.name, place: p})
	if v := c.doc.get("appVersion"); app && v.there() && !done[img.name] {
		done[img.name] = true
		p := c.file.pin(v.line(), v.text())
		p.Note = "appVersion"
		x.add(fact{role: pinned, kind: wiring.Image, name: img.name, place: p})
	}
}

var (
	defineOf   = regexp.MustCompile(`\{\{-?\s*define\s+"([^"]+)"\s*-?\}\}`)
	blockStart = regexp.MustCompile(`^(?:if|with|range|block|define)\b`)
	assigns    = regexp.MustCompile(`^\s*\{\{-?\s*\$\w+\s*:?=[^{}]*\}\}\s*$`)
)

// inner is a name that templates have from where they are called, outer one
// that every one has.
var (
	inner = regexp.MustCompile(`(?:^|[\s({|])\$?\.(?:[a-z]\w*|$)`)
	outer = regexp.MustCompile(`(?:^|[\s({|])\$?\.(?:Values|Chart|Release)\b`)
)

// maxGiven is how many variables of one template are kept.
const maxGiven = 50

// define keeps the named templates of a file: from one to its own end.
func (c *chart) define(data string) {
	for _, m := range defineOf.FindAllStringSubmatchIndex(data, maxPairs) {
		body, depth := data[m[1]:], 0
		for at := 0; at < maxValue; {
			i := strings.Index(body[at:], "{{")
			if i < 0 {
				break
			}
			end := strings.Index(body[at+i:], "}}")
			if end < 0 {
				break
			}
			action := strings.Trim(body[at+i+2:at+i+end], "- \t\r\n")
			if blockStart.MatchString(action) {
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
