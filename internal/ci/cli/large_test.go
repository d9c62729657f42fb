package cli_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	routecli "github.com/marola-dev/marola-routing/internal/route/cli"
)

// enlarge is the script command `enlarge DIR`: it marks the graph of a built
// bundle large, as a build does with a workspace of millions of lines.
func enlarge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: enlarge DIR")
	}
	ts.Check(markLarge(ts.MkAbs(args[0])))
}

// markLarge writes a manifest that calls the graph of a bundle large.
func markLarge(dir string) error {
	b, err := bundle.Open(bundle.Dir(dir))
	if err != nil {
		return err
	}
	m := b.Manifest()
	for i, f := range m.Files {
		m.Files[i].Large = bundle.MayBeLarge(f.Name)
	}
	if len(m.Large()) == 0 {
		return errors.New("it has no graph")
	}
	return os.WriteFile(filepath.Join(dir, bundle.ManifestName), m.Encode(), 0o644)
}

// TestLargeFilesOverHTTP goes the whole way over git's own smart HTTP server.
func TestLargeFilesOverHTTP(t *testing.T) {
	p := newPublisher(t)
	p.bare("umbrella.git")
	dir := p.bundle("one", 1, "")
	if err := markLarge(filepath.Join(p.dir, dir)); err != nil {
		t.Fatal(err)
	}
	url := p.serve(nil) + "/umbrella.git"
	if code, out, stderr := p.run("publish", "--bundle", dir, "--remote", url); code != 0 || !strings.Contains(out, "on refs/marola/routing-bundle-large") {
		t.Fatalf("publish: %d\n%s%s", code, out, stderr)
	}
	p.git("init", "-q", "clone")
	fetch := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		code := routecli.Main(command.Process{Args: append([]string{"fetch", "--umbrella", url, "--repo", "clone"}, args...),
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Env: p.env, Dir: p.dir})
		if code != 0 {
			t.Fatalf("route fetch: %d\n%s%s", code, out.String(), errs.String())
		}
		return p.git("-C", "clone", "for-each-ref", "--format=%(refname)")
	}
	if got := fetch(); got != "refs/marola/routing-bundle" {
		t.Errorf("route fetch made %q", got)
	}
	if got := fetch("--large"); got != "refs/marola/routing-bundle\nrefs/marola/routing-bundle-large" {
		t.Errorf("route fetch --large made %q", got)
	}
}
