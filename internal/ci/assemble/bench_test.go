package assemble

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// BenchmarkBuild builds the bundle of 300 files of four languages, from
// nothing and with every earlier result in the cache.
func BenchmarkBuild(b *testing.B) {
	w := gittest.New(b)
	dir := w.Repo("synthetic")
	files := map[string]string{"go.mod": "module example.org/x\n\ngo 1.26\n"}
	for i := range 300 {
		name, text := syntheticFile(i)
		files[name] = text
	}
	commit(w, dir, "Add everything", files)
	ws, err := workspace.Open(b.Context(), workspace.Options{Dir: dir, Env: w.Env})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, cache string }{{"cold", ""}, {"warm", filepath.Join(w.Home, "cache")}} {
		b.Run(c.name, func(b *testing.B) {
			o := Options{CacheDir: c.cache}
			if c.cache != "" {
				if _, err := Build(b.Context(), ws, o); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if _, err := Build(b.Context(), ws, o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(300*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

func syntheticFile(i int) (name, text string) {
	var b strings.Builder
	next := (i + 4) % 300
	switch i % 4 {
	case 0:
		fmt.Fprintf(&b, "// Package p%d is part %d.\npackage p%d\n\nimport \"example.org/x/p%d\"\n\n", i, i, i, next)
		for k := range 20 {
			fmt.Fprintf(&b, "// Work%d does step %d of the order.\nfunc Work%d(n int) int {\n\tif n > %d {\n\t\treturn p%d.Work%d(n - 1)\n\t}\n\treturn n\n}\n\n", k, k, k, k, next, k)
		}
		return fmt.Sprintf("p%d/work.go", i), b.String()
	case 1:
		fmt.Fprintf(&b, "\"\"\"Part %d.\"\"\"\nfrom m%d import Worker\n\n\nclass Task%d(Worker):\n", i, next, i)
		for k := range 20 {
			fmt.Fprintf(&b, "    def step_%d(self, amount):\n        \"\"\"Does step %d of the task.\"\"\"\n        return self.step_%d(amount)\n\n", k, k, (k+1)%20)
		}
		return fmt.Sprintf("m%d.py", i), b.String()
	case 2:
		fmt.Fprintf(&b, "import { view0 } from './view%d';\n", next)
		for k := range 20 {
			fmt.Fprintf(&b, "/** Shows row %d. */\nexport function view%d(rows: string[]): string { return view0(rows) + rows[%d]; }\n", k, k, k)
		}
		return fmt.Sprintf("web/view%d.ts", i), b.String()
	}
	fmt.Fprintf(&b, "#!/bin/sh\n")
	for k := range 20 {
		fmt.Fprintf(&b, "# Runs stage %d.\nstage_%d() {\n  stage_%d \"$1\"\n}\n", k, k, (k+1)%20)
	}
	return fmt.Sprintf("bin/run%d.sh", i), b.String()
}
