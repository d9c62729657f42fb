package resolve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// BenchmarkResolve joins a module of 750 files with some 45,000 references:
// the size of a large command-line tool. It is to stay below 300 ms.
func BenchmarkResolve(b *testing.B) {
	units, manifests, references := largeModule(b, 75, 10)
	for b.Loop() {
		Resolve(b.Context(), units, manifests)
	}
	b.ReportMetric(float64(references), "references")
}

// largeModule has packages of some files each. Every file holds a type with
// methods that call the package's own and the three packages before it.
func largeModule(t testing.TB, packages, files int) (units []Unit, manifests Manifests, references int) {
	manifests = Manifests{"go.mod": []byte("module example.com/large\n")}
	for p := range packages {
		for f := range files {
			var src strings.Builder
			fmt.Fprintf(&src, "package p%d\n\nimport (\n\t\"fmt\"\n", p)
			for d := 1; d <= 3 && d <= p; d++ {
				fmt.Fprintf(&src, "\t\"example.com/large/p%d\"\n", p-d)
			}
			fmt.Fprintf(&src, ")\n\ntype T%d struct { next *T%d }\n\nfunc New%d() *T%d { return &T%d{} }\n", f, (f+1)%files, f, f, f)
			for m := range 5 {
				fmt.Fprintf(&src, "\nfunc (t *T%d) M%d(name string) {\n\tt.M%d(name)\n\tt.next.M%d(name)\n\tv := New%d()\n\tv.M%d(fmt.Sprint(name))\n", f, m, (m+1)%5, m, (f+2)%files, m)
				for d := 1; d <= 3 && d <= p; d++ {
					fmt.Fprintf(&src, "\tp%d.New%d().M%d(name)\n", p-d, f, m)
				}
				src.WriteString("}\n")
			}
			name := fmt.Sprintf("p%d/f%d.go", p, f)
			file, err := extract.Parse(name, []byte(src.String()))
			if err != nil {
				t.Fatal(err)
			}
			references += len(file.References)
			units = append(units, Unit{Repo: "large", Path: name, File: file})
		}
	}
	return units, manifests, references
}

// Each call of the module above leads somewhere, but those of fmt.
func TestLargeModuleIsResolvedWhole(t *testing.T) {
	units, manifests, _ := largeModule(t, 6, 3)
	_, stats, _ := Resolve(t.Context(), units, manifests)
	if s := stats["go"]; s.Calls-s.Resolved != 6*3*5 {
		t.Errorf("%d of %d calls resolved; only the %d of fmt lead out", s.Resolved, s.Calls, 6*3*5)
	}
}
