package wire

import (
	"bufio"
	"bytes"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func isWorkflow(name string) bool {
	dir, base := path.Split(name)
	return dir == ".github/workflows/" && isYAML(base)
}

func isYAML(base string) bool {
	return strings.HasSuffix(base, ".yml") || strings.HasSuffix(base, ".yaml")
}

// isAction reports the description of an action.
func isAction(name string) bool {
	base := path.Base(name)
	return base == "action.yml" || base == "action.yaml"
}

// A workflow is a file of .github/workflows, or the description of an action.
type workflow struct {
	file *file
	doc  node
	name string
	on   []trigger
}

// readWorkflow keeps a workflow for [follow], which needs all of them, and
// states what it says by itself.
func readWorkflow(x *extraction, f *file) {
	docs, err := readYAML(f.data)
	if err != nil {
		salvage(x, f, "it is not valid YAML: "+err.Error())
		return
	}
	if len(docs) == 0 || !docs[0].isMap() {
		salvage(x, f, "it is not a mapping")
		return
	}
	w := &workflow{file: f, doc: docs[0], name: docs[0].get("name").text()}
	if line, key := w.doc.twice(); line > 0 {
		x.add(fact{role: unresolved, kind: "file", name: f.path, more: "the key " + key + " stands twice, which the service refuses; the last one is read", place: f.place(line)})
	}
	w.on = triggersOf(w.doc)
	x.workflows = append(x.workflows, w)
}

// readAction keeps the description of an action.
func readAction(x *extraction, f *file) {
	docs, err := readYAML(f.data)
	if err != nil {
		salvage(x, f, "it is not valid YAML: "+err.Error())
		return
	}
	if len(docs) == 0 || !docs[0].get("runs").isMap() {
		return // a file that is called alike
	}
	x.actions = append(x.actions, &workflow{file: f, doc: docs[0], name: docs[0].get("name").text()})
}

// salvage lists a file that cannot be read, and what its lines use all the
// same.
func salvage(x *extraction, f *file, why string) {
	x.add(fact{role: unresolved, kind: "file", name: f.path, more: why, place: f.place(0)})
	in := bufio.NewScanner(bytes.NewReader(f.data))
	in.Buffer(nil, maxYAML)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimLeft(in.Text(), " \t-")
		rest, ok := strings.CutPrefix(line, "uses:")
		if !ok {
			continue
		}
		if words := strings.Fields(rest); len(words) > 0 {
			target, ref, _ := strings.Cut(strings.Trim(words[0], `"'`), "@")
			p := f.pin(n, ref)
			x.add(fact{role: unresolved, kind: "action", name: target, more: "the file that uses it cannot be read", place: p})
		}
	}
}

// inputsOf are the defaults of the inputs of a called workflow or action.
func inputsOf(inputs node) map[string][]string {
	out := map[string][]string{}
	for _, in := range inputs.pairs() {
		if d := in.value.get("default"); d.there() {
			out[in.key] = []string{d.text()}
		} else {
			out[in.key] = []string{unknown(in.key)}
		}
	}
	return out
}

// chosenOf are the inputs of a workflow that a person starts: the options
// where there are some, else the default, unless it is a version and so an
// example.
func chosenOf(inputs node) map[string][]string {
	out := inputsOf(inputs)
	for _, in := range inputs.pairs() {
		var options []string
		for _, o := range in.value.get("options").texts() {
			options = append(options, o.text())
		}
		if len(options) > 0 {
			out[in.key] = union(options)
		} else if d := strings.TrimPrefix(in.value.get("default").text(), "v"); d == "" || d[0] >= '0' && d[0] <= '9' {
			out[in.key] = []string{unknown(in.key)}
		}
	}
	return out
}

// stated says what the workflows and actions of the workspace state by
// themselves: what starts them, what they use, in which images they run.
func stated(x *extraction) {
	for _, w := range x.workflows {
		w.triggers(x)
		for _, job := range w.doc.get("jobs").pairs() {
			x.uses(w, job.value.entry("uses"))
			for _, st := range job.value.get("steps").items() {
				x.uses(w, st.entry("uses"))
			}
		}
	}
	for _, w := range x.actions {
		runs := w.doc.get("runs")
		for _, st := range runs.get("steps").items() {
			x.uses(w, st.entry("uses"))
		}
		if img, ok := strings.CutPrefix(runs.get("image").text(), "docker://"); ok {
			x.readImage(w.file, img, runs.get("image").line())
		}
	}
}

// readImage says that a file uses an image.
func (x *extraction) readImage(f *file, text string, line int) {
	if img, ok := imageRef(text); ok {
		p := f.pin(line, img.version())
		x.add(fact{role: read, kind: wiring.Image, name: img.name, place: p})
	}
}
