package source_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

const largeThere = "refs/marola/routing-bundle-large"

// split publishes a bundle whose graph.json, of this text, is large.
func (p *pair) split(graph string) (branch, large string) {
	p.T.Helper()
	b := bundle.Build{Repo: "marola", Branch: "main", Head: p.Git(p.bare, "rev-parse", "refs/heads/main")}
	files := p.Files(b, bundle.GraphName, graph, "words/00.json", "{}")
	m, err := bundle.NewManifest(files)
	if err != nil {
		p.T.Fatal(err)
	}
	for i := range m.Files {
		m.Files[i].Large = bundle.MayBeLarge(m.Files[i].Name)
	}
	files[bundle.ManifestName] = m.Encode()
	delete(files, bundle.GraphName)
	branch = p.Commit(p.bare, "refs/heads/routing-bundle", files)
	return branch, p.Commit(p.bare, largeThere, map[string][]byte{bundle.GraphName: []byte(graph)})
}

// graph is a graph.json of its own; it does not compress away.
func graph(mark string) string { return `{"nodes":["` + strings.Repeat(mark, 50) + `"],"links":[]}` }

// here are the refs below refs/marola of the clone, with their commits.
func (p *pair) here() string {
	return p.Git(p.clone, "for-each-ref", "--format=%(refname) %(objectname)", "refs/marola")
}

func refs(branch, large string) string {
	text := source.PrivateRef + " " + branch
	if large != "" {
		text += "\n" + source.PrivateLargeRef + " " + large
	}
	return text
}

func TestLargeFilesStayAway(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	branch, large := p.split(graph("a"))
	blob := p.Git(p.bare, "rev-parse", large+":graph.json")
	fresh := filepath.Join(p.Home, "fresh")
	p.Git(p.Home, "clone", "-q", "file://"+filepath.ToSlash(p.bare), fresh)
	p.Git(p.Home, "-C", fresh, "fetch", "-q", "--all", "--tags")
	p.Git(fresh, "cat-file", "-e", branch) // the branch came, as to every clone
	for _, object := range []string{large, blob} {
		if out, err := gittest.Run(p.Env, fresh, "", "cat-file", "-e", object); err == nil {
			t.Errorf("a plain clone has %s of the large ref %s", object, out)
		}
	}
	o := options(p.World, p.clone)
	f := p.fetched(t, o, branch)
	if f.Large == nil || f.Large.Here || f.Large.Files != 1 || f.Large.Bytes != int64(len(graph("a"))) || f.Large.Line(false) != "" {
		t.Errorf("got %+v", f.Large)
	}
	if p.here() != refs(branch, "") {
		t.Errorf("refs are\n%s", p.here())
	}
	if _, err := gittest.Run(p.Env, p.clone, "", "cat-file", "-e", blob); err == nil {
		t.Error("route fetch got the large file unasked")
	}
	s, err := open(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Bundle.Read("words/00.json"); err != nil {
		t.Errorf("what a question reads: %v", err)
	}
	if _, err := s.Bundle.Read(bundle.GraphName); !errors.Is(err, bundle.ErrNotHere) {
		t.Errorf("the large file: %v", err)
	}
	if report, err := bundle.Verify(s.Files); err != nil || report.Absent != 1 {
		t.Errorf("verify: %+v, %v", report, err)
	}
}

func TestFetchLarge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		from func(t *testing.T, p *pair) string
	}{
		{"a path", func(*testing.T, *pair) string { return "" }},
		{"smart HTTP", func(t *testing.T, p *pair) string { return serve(t, p, true) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPair(t)
			o := options(p.World, p.clone)
			o.Umbrella = c.from(t, p)
			o.Large = true
			p.Git(p.clone, "config", "fetch.prune", "true") // G01
			branch, large := p.split(graph("a"))
			f := p.fetched(t, o, branch)
			if !f.Large.Here || !strings.Contains(f.Large.Line(true), "large files are here") || p.here() != refs(branch, large) {
				t.Errorf("%+v; refs are\n%s", f.Large, p.here())
			}
			s, err := open(t, o)
			if err != nil {
				t.Fatal(err)
			}
			if data, err := s.Bundle.Read(bundle.GraphName); err != nil || string(data) != graph("a") {
				t.Errorf("read %.20q, %v", data, err)
			}
			if report, err := bundle.Verify(s.Files); err != nil || report.Absent != 0 {
				t.Errorf("verify: %+v, %v", report, err)
			}

			p.Git(p.bare, "update-ref", "-d", largeThere) // so that a transfer would fail
			if f := p.fetched(t, o, branch); !f.Current || !f.Large.Here {
				t.Errorf("a second time: %+v", f.Large)
			}

			branch, large = p.split(graph("b"))
			o.Large = false
			if f := p.fetched(t, o, branch); f.Large.Here || !strings.Contains(f.Large.Line(false), "route fetch --large") || p.here() != refs(branch, "") {
				t.Errorf("large files of an earlier bundle: %+v; refs are\n%s", f.Large, p.here())
			}
			o.Large = true
			p.fetched(t, o, branch)
			if p.here() != refs(branch, large) {
				t.Errorf("refs are\n%s", p.here())
			}

			branch = p.publish() // a small bundle; the large ref there is an older one's
			if f := p.fetched(t, o, branch); f.Large != nil || f.Large.Line(true) != "; it has no large files" || p.here() != refs(branch, "") {
				t.Errorf("a small bundle: %+v; refs are\n%s", f.Large, p.here())
			}
		})
	}
}

func TestFetchLargeUnreachable(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	o := options(p.World, p.clone)
	o.Large = true
	branch, _ := p.split(graph("a"))
	p.Git(p.bare, "update-ref", "-d", largeThere)
	f := p.fetched(t, o, branch)
	if got := f.Large.Line(true); got != "; its large files are unreachable (the umbrella has no "+largeThere+")" {
		t.Errorf("got %q", got)
	}
	if p.here() != refs(branch, "") {
		t.Errorf("refs are\n%s", p.here())
	}
}

func TestFetchLargeRefuses(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	o := options(p.World, p.clone)
	o.Large = true
	branch, good := p.split(graph("a"))
	tree := func(files map[string][]byte) string { return p.Tree(p.bare, p.Entries(p.bare, files)...) }
	text := []byte(graph("a"))
	for _, c := range []struct {
		name, tree, want string
		parents          []string
	}{
		{"parents", tree(map[string][]byte{"graph.json": text}), "has history", []string{good}},
		{"another hash", tree(map[string][]byte{"graph.json": []byte(graph("b"))}), "graph.json: its SHA-256", nil},
		{"another size", tree(map[string][]byte{"graph.json": []byte("{}")}), "graph.json: it has 2 bytes", nil},
		{"an unlisted file", tree(map[string][]byte{"graph.json": text, "graph/00-a.json": []byte("{}")}), "does not mark it large", nil},
		{"a file of the branch", tree(map[string][]byte{"graph.json": text, "words/00.json": []byte("{}")}), "does not mark it large", nil},
		{"a file of another name", tree(map[string][]byte{"graph.json": text, "run.sh": []byte("x")}), "does not mark it large", nil},
		{"nothing", p.Tree(p.bare), "does not hold it", nil},
		{"G20 a link", p.Tree(p.bare, gittest.Entry{Mode: "120000", Type: "blob", Hash: p.Blob(p.bare, text), Name: "graph.json"}), "symbolic link", nil},
		{"G28 a huge file", p.Tree(p.bare, gittest.Entry{Mode: "100644", Type: "blob", Hash: p.Blob(p.bare, []byte(strings.Repeat(" ", bundle.MaxFile+1))), Name: "graph.json"}), "at most", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.CommitTree(p.bare, largeThere, c.tree, c.parents...)
			_, err := source.Fetch(t.Context(), o)
			if r := (*bundle.Refused)(nil); !errors.As(err, &r) || !strings.Contains(err.Error(), c.want) || !strings.Contains(r.Hint(), "kept without its large files") {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if p.here() != refs(branch, "") {
				t.Errorf("refs are\n%s", p.here())
			}
		})
	}
	t.Run("what is no commit", func(t *testing.T) {
		p.Git(p.bare, "update-ref", largeThere, p.Blob(p.bare, text))
		if _, err := source.Fetch(t.Context(), o); err == nil || !strings.Contains(err.Error(), "not a commit") {
			t.Errorf("got %v", err)
		}
		if p.here() != refs(branch, "") {
			t.Errorf("refs are\n%s", p.here())
		}
	})
}

// TestReadsOnlyTheLargeFilesOfTheManifest puts what a fetch would refuse
// where fetched large files lie.
func TestReadsOnlyTheLargeFilesOfTheManifest(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	o := options(p.World, p.clone)
	branch, _ := p.split(graph("a"))
	p.fetched(t, o, branch)
	read := func() ([]byte, *source.Source, error) {
		s, err := open(t, o)
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Bundle.Read(bundle.GraphName)
		return data, s, err
	}
	p.Commit(p.clone, source.PrivateLargeRef, map[string][]byte{"graph.json": []byte(graph("b"))})
	_, s, err := read()
	if r := (*bundle.Refused)(nil); !errors.As(err, &r) || errors.Is(err, bundle.ErrNotHere) || !strings.Contains(r.Hint(), "route fetch --large") {
		t.Errorf("other bytes: %v", err)
	}
	if _, err := bundle.Verify(s.Files); err == nil || !strings.Contains(err.Error(), "graph.json: its SHA-256") {
		t.Errorf("verify of other bytes: %v", err)
	}
	if l := s.Large(); l.Here || l.Reason == "" {
		t.Errorf("state %+v", l)
	}
	p.Commit(p.clone, source.PrivateLargeRef, map[string][]byte{"graph.json": []byte(graph("a")), "words/77.json": []byte("{}")})
	data, s, err := read()
	if err != nil || string(data) != graph("a") {
		t.Errorf("the right bytes: %v", err)
	}
	if _, err := bundle.Verify(s.Files); err == nil || !strings.Contains(err.Error(), "words/77.json: the manifest does not list it") {
		t.Errorf("verify of an unlisted file: %v", err)
	}
	p.Commit(p.clone, source.PrivateLargeRef, map[string][]byte{"words/00.json": []byte("[]")})
	if data, err := s.Bundle.Read("words/00.json"); err != nil || string(data) != "{}" {
		t.Errorf("a file of the branch is %q, %v", data, err)
	}
}

func TestTheLargeRefBesideABranch(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.split(graph("a"))
	o := options(p.World, p.bare)
	o.Bundle = "routing-bundle"
	s, err := open(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if l := s.Large(); l == nil || !l.Here || l.Ref != largeThere {
		t.Errorf("got %+v", l)
	}
	p.Git(p.bare, "branch", "other", "routing-bundle")
	o.Bundle = "other"
	if s, err = open(t, o); err != nil {
		t.Fatal(err)
	}
	if l := s.Large(); l == nil || l.Here || l.Ref != "refs/marola/other-large" {
		t.Errorf("got %+v", l)
	}
}

func TestStatusAndForgetOfLargeFiles(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	o := options(p.World, p.clone)
	branch, _ := p.split(graph("a"))
	p.fetched(t, o, branch)
	want := func(here bool, line string) {
		t.Helper()
		st, err := source.Inspect(t.Context(), o)
		if err != nil || st.Large == nil || st.Large.Here != here || !strings.Contains(strings.Join(st.Lines(), "\n"), line) {
			t.Errorf("got %+v, %v\n%s", st.Large, err, strings.Join(st.Lines(), "\n"))
		}
		if data, err := json.Marshal(st); err != nil || !strings.Contains(string(data), `"large":{"files":1,`) {
			t.Errorf("JSON %s, %v", data, err)
		}
	}
	want(false, "large files: 1 of 0.0 MB, not here; route fetch --large gets them")
	o.Large = true
	p.fetched(t, o, branch)
	want(true, "large files: 1 of 0.0 MB, here")
	p.Git(p.clone, "fetch", "-q", "origin") // the branch's objects stay, the large ones go
	f, err := source.Forget(t.Context(), o)
	if err != nil || strings.Join(f.Refs, " ") != source.PrivateRef+" "+source.PrivateLargeRef || f.Bytes <= 0 || p.here() != "" {
		t.Errorf("forgot %+v, %v; left %q", f, err, p.here())
	}
}

// A partial clone may have the commit of the large ref without
// its files, so that git sees nothing to fetch.
func TestG17LargeFilesInAPartialClone(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	branch, large := p.split(graph("a"))
	dir := filepath.Join(p.Home, "partial")
	p.Git(p.Home, "clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+filepath.ToSlash(p.bare), dir)
	p.Git(dir, "fetch", "-q", "origin", largeThere+":refs/heads/mine")
	o := options(p.World, dir)
	o.Large = true
	f := p.fetched(t, o, branch)
	if !f.Large.Here || p.Git(dir, "rev-parse", source.PrivateLargeRef) != large {
		t.Errorf("got %+v", f.Large)
	}
	o.Env = p.With("GIT_NO_LAZY_FETCH=1")
	s, err := open(t, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Bundle.Read(bundle.GraphName); err != nil {
		t.Error(err)
	}
}
