package cli_test

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// enlarge is the script command `enlarge DIR`: it marks the graph of a built
// bundle large, as a build does with a workspace of millions of lines.
func enlarge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: enlarge DIR")
	}
	dir := ts.MkAbs(args[0])
	b, err := bundle.Open(bundle.Dir(dir))
	ts.Check(err)
	m := b.Manifest()
	for i, f := range m.Files {
		m.Files[i].Large = bundle.MayBeLarge(f.Name)
	}
	if len(m.Large()) == 0 {
		ts.Fatalf("%s has no graph", args[0])
	}
	ts.Check(os.WriteFile(filepath.Join(dir, bundle.ManifestName), m.Encode(), 0o644))
	if text := string(m.Encode()); strings.Count(text, `"large":true`) != len(m.Large()) {
		ts.Fatalf("manifest:\n%s", text)
	}
}
