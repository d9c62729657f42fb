package wire

import "bytes"

// asideNote says of a workflow that the service does not run it.
const asideNote = "a workflow that does not run from this folder"

// asideWorkflows states what workflows use that lie where the service does not
// run them: those of examples, and templates that a program writes out.
func asideWorkflows(x *extraction) {
	for _, f := range x.files {
		if !isYAML(f.path) || isWorkflow(f.path) || isAction(f.path) || !bytes.Contains(f.data, []byte("uses:")) || !bytes.Contains(f.data, []byte("jobs:")) {
			continue
		}
		docs, err := readYAML(f.data)
		if err != nil || len(docs) == 0 || !docs[0].get("jobs").isMap() {
			continue
		}
		w := &workflow{file: f, doc: docs[0]}
		for _, job := range w.doc.get("jobs").pairs() {
			x.usesAside(w, job.value.entry("uses"))
			if c := job.value.get("container"); c.text() != "" { // other images stand under a key that says so
				x.readImage(f, c.text(), c.line())
			}
			for _, st := range job.value.get("steps").items() {
				x.usesAside(w, st.entry("uses"))
			}
		}
	}
}

func (x *extraction) usesAside(w *workflow, e pair) {
	if _, local := localPath(e.value.text()); local { // in a repository that is not told
		return
	}
	u, ok := x.use(w.file, e.value.text())
	if !ok {
		return
	}
	p := w.file.pin(e.value.line(), u.ref)
	p.Note = asideNote
	if img, ok := imageRef(u.image); ok {
		u.image, p.Version = img.name, img.version()
	}
	x.add(fact{role: called, kind: u.kind, name: u.target(), place: p})
}
