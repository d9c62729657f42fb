package wire

import (
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

// A use is the target of a "uses".
type use struct {
	kind  string // see wiring.CallWorkflow
	repo  int    // number of the repository it is in, or -1
	slug  string // owner/repo, or the short name
	path  string // in the repository, "" for its root
	ref   string // "" for one of the same commit
	image string // of docker://
}

// target is how facts name it.
func (u use) target() string {
	if u.kind == wiring.CallDocker {
		return u.image
	}
	return path.Join(u.slug, u.path)
}

// use reads the target of a "uses" in a file.
func (x *extraction) use(f *file, text string) (use, bool) {
	text = strings.TrimSpace(text)
	if img, ok := strings.CutPrefix(text, "docker://"); ok {
		return use{kind: wiring.CallDocker, repo: -1, image: img}, img != ""
	}
	if local, ok := localPath(text); ok {
		u := use{kind: wiring.CallAction, repo: f.repo, slug: f.slug, path: strings.Trim(path.Clean(local), "/"), ref: f.ref}
		if f.repo >= 0 {
			u.slug = x.slug(f.repo)
		}
		if isYAML(u.path) {
			u.kind = wiring.CallWorkflow
		}
		if u.path == "." {
			u.path = ""
		}
		return u, !leadsOut(u.path)
	}
	target, ref, ok := strings.Cut(text, "@")
	parts := strings.SplitN(target, "/", 3)
	if !ok || len(parts) < 2 || parts[0] == "" || parts[1] == "" || strings.Contains(text, "${{") {
		return use{}, false
	}
	u := use{kind: wiring.CallAction, slug: parts[0] + "/" + parts[1], ref: ref}
	if len(parts) == 3 {
		u.path = strings.Trim(path.Clean(parts[2]), "/")
	}
	if leadsOut(u.path) {
		return use{}, false
	}
	if isYAML(u.path) {
		u.kind = wiring.CallWorkflow
	}
	if u.repo = x.repoOf(u.slug); u.repo >= 0 {
		u.slug = x.slug(u.repo)
	}
	return u, true
}

// leadsOut reports a clean path that is not in the folder it starts from.
func leadsOut(p string) bool { return p == ".." || strings.HasPrefix(p, "../") }

// localPath is the path of a "uses" that names the same repository: from the
// job's folder (./), or from the workflow's own repository ($/).
func localPath(text string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, "$/"); ok {
		return rest, true
	}
	return strings.CutPrefix(text, "./")
}

// versionComment is the version that a comment behind a commit names.
var versionComment = regexp.MustCompile(`#\s*(?:tag=|ref:\s*)?(v?\d[\w.+-]*)`)

// uses states the use of a workflow or action, and whether it can be followed.
func (x *extraction) uses(w *workflow, e pair) {
	if !e.value.there() {
		return
	}
	line, text := e.value.line(), e.value.text()
	u, ok := x.use(w.file, text)
	if !ok {
		x.add(fact{role: unresolved, kind: "action", name: clipped(text), more: "it is no owner/repo@ref, ./path in the repository or docker://image", place: w.file.place(line)})
		return
	}
	p := w.file.pin(line, u.ref)
	if u.kind == wiring.CallDocker {
		img, ok := imageRef(u.image)
		if !ok {
			x.add(fact{role: unresolved, kind: "image", name: clipped(u.image), more: "it is no image's name", place: p})
			return
		}
		x.readImage(w.file, u.image, line)
		u.image = img.name
		p.Version = img.version()
	}
	if m := versionComment.FindStringSubmatch(w.file.line(line)); m != nil && len(u.ref) == 40 {
		p.Note = "which is " + m[1]
	}
	x.add(fact{role: called, kind: u.kind, name: u.target(), place: p})
	if u.kind == wiring.CallDocker {
		return
	}
	switch _, found := x.callee(u); {
	case found:
	case u.repo >= 0:
		x.add(fact{role: unresolved, kind: u.kind, name: u.target(), more: "the repository has no such " + u.kind, place: p})
	case u.kind == wiring.CallWorkflow:
		x.add(fact{role: unresolved, kind: u.kind, name: u.target(), more: "it is not in the workspace, so what it does is not known", place: p})
	case !understood(u):
		x.add(fact{role: unresolved, kind: u.kind, name: u.target(), more: "it is not in the workspace, so what it does is not known", place: p})
	}
}

func clipped(s string) string { return clip(s, wiring.MaxName) }

// A callee is a workflow or action that can be followed.
type callee struct {
	*workflow
	repo int    // number of its repository, or -1
	note string // what is not as the ref says
}

// callee finds what a "uses" names: in the workspace at the ref that is
// named, else as it is now, else among the callees given.
func (x *extraction) callee(u use) (callee, bool) {
	id := u.target() + "@" + u.ref
	if c, ok := x.callees[id]; ok {
		return c, c.workflow != nil
	}
	c := x.findCallee(u)
	x.callees[id] = c
	return c, c.workflow != nil
}

func (x *extraction) findCallee(u use) callee {
	names := []string{u.path}
	if u.kind == wiring.CallAction {
		names = []string{path.Join(u.path, "action.yml"), path.Join(u.path, "action.yaml")}
	}
	for _, name := range names {
		switch {
		case u.repo < 0:
			if data := x.given(u.slug, u.ref, name); data != nil {
				return x.parseCallee(u, File{Path: name, Data: data}, "")
			}
		case u.ref == "" || x.repos[u.repo].Head == u.ref:
			if f := x.fileOf(u.repo, name); f != nil {
				return x.parseCallee(u, File{Path: name, Data: f.data}, "")
			}
		default:
			if x.o.At != nil {
				if data, ok := x.o.At(u.repo, u.ref, name); ok {
					return x.parseCallee(u, File{Path: name, Data: data}, "")
				}
			}
			if data := x.given(u.slug, u.ref, name); data != nil {
				return x.parseCallee(u, File{Path: name, Data: data}, "")
			}
			if f := x.fileOf(u.repo, name); f != nil {
				return x.parseCallee(u, File{Path: name, Data: f.data}, "read as it is at "+short(x.repos[u.repo].Head))
			}
		}
	}
	return callee{}
}

// short is the beginning of a commit's name.
func short(commit string) string { return commit[:min(len(commit), 7)] }

// given is a file of the callees that were handed in, or nil. The path is not
// cleaned: a ref with ".." in it names nothing. Only a plain file is opened,
// as another, such as a pipe, might never end.
func (x *extraction) given(slug, ref, name string) []byte {
	if x.o.Callees == nil {
		return nil
	}
	at := slug + "/" + ref + "/" + name
	if st, err := fs.Stat(x.o.Callees, at); err != nil || !st.Mode().IsRegular() {
		return nil
	}
	f, err := x.o.Callees.Open(at)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxYAML+1))
	if err != nil {
		return nil
	}
	return data
}

func (x *extraction) parseCallee(u use, data File, note string) callee {
	f := &file{repo: u.repo, path: data.Path, data: data.Data, slug: u.slug, ref: u.ref}
	if u.repo >= 0 {
		f = x.newFile(u.repo, data)
	}
	docs, err := readYAML(f.data)
	if err != nil || len(docs) == 0 || !docs[0].isMap() {
		return callee{}
	}
	w := &workflow{file: f, doc: docs[0], name: docs[0].get("name").text()}
	w.on = triggersOf(w.doc)
	return callee{workflow: w, repo: u.repo, note: note}
}
