package resolve

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/cputime"
	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A cache can hold anything. What does not fit together is left out.
func TestFilesThatDoNotFitTogether(t *testing.T) {
	f := &extract.File{
		Lang: "python",
		Definitions: []extract.Definition{
			{Name: "A", Kind: extract.Class, Parent: 1, Line: 1},
			{Name: "B", Kind: extract.Class, Parent: 0, Line: 2},
			{Name: "C", Kind: extract.Class, Parent: 99, Line: 3},
			{Name: "D", Kind: extract.Class, Parent: 3, Line: -4},
			{Name: "E", Kind: extract.Class, Parent: -7, Line: 5},
		},
		References: []extract.Reference{
			{From: 77, Relation: extract.Calls, Name: "A", Line: 1},
			{From: -9, Relation: extract.Calls, Name: "A", Line: 1},
			{From: 2, Relation: extract.Calls, Name: "", Line: 1},
			{From: 2, Relation: extract.Calls, Name: "E", Line: -3},
		},
	}
	units := []Unit{{Repo: "r", Path: "a.py", File: f}, {Repo: "r", Path: "a.py", File: f}, {Repo: "r", Path: "b.py"}}
	edges, stats, _ := Resolve(t.Context(), units, Manifests{"go.mod": nil, "x/package.json": []byte("{")})
	for _, e := range edges {
		if e.From.Def >= len(f.Definitions) || e.To.Def >= len(f.Definitions) || e.Line < 1 {
			t.Errorf("impossible edge %+v", e)
		}
	}
	if want := (Stats{Calls: 2, Resolved: 2}); stats["python"] != want { // C calls E, in both copies
		t.Errorf("stats %+v, want %+v", stats["python"], want)
	}
}

// Heritage, aliases, re-exports and stars that lead in circles, and many of
// them, end, and end soon.
func TestCirclesEnd(t *testing.T) {
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(line, "#", "%[1]d")+"\n", i, (i+1)%n)
		}
		return b.String()
	}
	sources := map[string]string{
		"go.mod":        "module m\n",
		"a/a.go":        "package a\n\ntype T struct{ U }\ntype U struct{ *T }\ntype A = B\ntype B = A\nvar x = y.z\nvar y = x.z\nfunc F(t T, a A) { t.gone(); a.gone(); x.gone(); y.z.gone() }\n",
		"p/__init__.py": "from .q import *\nfrom .q import b as a\n",
		"p/q.py":        "from . import *\nfrom . import a as b\n\nclass A(A.B, A.C):\n    pass\n\nclass B(C): pass\nclass C(B): pass\n\ndef f(x: B):\n    x.gone()\n    A.gone()\n    a()\n    gone()\n",
		"s/a.ts":        "export * from './b';\nexport { x as y } from './b';\nexport default z;\n",
		"s/b.ts":        "export * from './a';\nexport { y as x } from './a';\nimport z from './a';\nimport { y, gone } from './a';\nclass A extends A.B {}\ntype P = Q;\ntype Q = P;\nfunction f(p: P) { y(); gone(); z(); A.gone(); p.gone(); }\n",
		"k/A.scala":     "package k\nimport A._\nimport B.A\nimport A.B\n" + many(40, "import a.a#") + "trait A extends B { def f(x: P) = { gone(); x.gone(); B.gone() } }\ntrait B extends A\nobject T { type P = Q; type Q = P }\n",
		"j/A.java":      "package j;\nimport j.B.*;\nimport static j.B.*;\nimport static j.A.gone;\nclass A extends B.C { static class C extends A {} B b; A self() { return b.c.self(); } void f() { gone(); b.gone(); self().self().gone(); super.gone(); new C() { void g() { gone(); } }; } }\n",
		"j/B.java":      "package j;\nimport static j.A.*;\nclass B extends A.C { static class C extends B {} B c = c; void f() { gone(); } }\n",
		"r/lib.rs":      "mod a;\nmod b;\npub use a::*;\npub use b::*;\npub use self::y as x;\npub use self::x as y;\npub use crate::r as r;\n#[path = \"lib.rs\"]\nmod again;\ntype P = Q;\ntype Q = P;\ntrait T: U {}\ntrait U: T {}\nimpl T for P {}\nfn f(p: P, t: &dyn T) { gone(); x(); r::gone(); p.gone(); t.gone(); P::gone(); self::a::b::a::gone(); super::super::gone(); }\n",
		"r/a.rs":        "pub use super::*;\npub use super::b as c;\npub use crate::b::*;\nstruct A(A);\nimpl A { fn a(&self) -> A { self.a().a().gone() } }\nimpl super::Q { fn q(&self) { gone!(); crate::gone!(); } }\n",
		"r/b.rs":        "pub use super::a::*;\npub use self::*;\nimpl B for B {}\n",
		"h/a.sh":        ". h/b.sh\ngone\n",
		"h/b.sh":        ". h/a.sh\ngone\n",
	}
	var stars strings.Builder
	for i := range 60 {
		fmt.Fprintf(&stars, "mod m%d;\n", i)
	}
	sources["globs/lib.rs"] = stars.String()
	for i := range 60 {
		sources[fmt.Sprintf("globs/m%d.rs", i)] = many(60, "pub use crate::m#::*;") + "fn f(x: Gone) { gone(); x.gone(); gone!(); a::gone(); }\n"
		var b strings.Builder
		for j := range 60 {
			fmt.Fprintf(&b, "from stars.m%d import *\n", j)
		}
		fmt.Fprintf(&b, "def f(): gone(); nowhere.gone()\n")
		sources[fmt.Sprintf("stars/m%d.py", i)] = b.String()
		sources[fmt.Sprintf("stars/m%d.ts", i)] = many(60, "export * from './m#';") + fmt.Sprintf("import { gone } from './m%d';\ngone();\n", (i+1)%60)
	}
	var units []Unit
	manifests := make(Manifests)
	for name, text := range sources {
		if name == "go.mod" {
			manifests[name] = []byte(text)
			continue
		}
		f, err := extract.Parse(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, Unit{Repo: "r", Path: name, File: f})
	}
	var edges []Edge
	if d := cputime.Of(func() { edges, _, _ = Resolve(t.Context(), units, manifests) }); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	for _, e := range edges {
		if strings.Contains(label(units, e.To), "gone") {
			t.Errorf("edge to nowhere: %v", e)
		}
	}
}

func TestConfigurationsThatExtendEachOther(t *testing.T) {
	m := Manifests{
		"tsconfig.json":     []byte(`{"extends": "./tsconfig.b.json"}`),
		"tsconfig.b.json":   []byte(`{"extends": ["./tsconfig.json", "../../../outside.json", "@tsconfig/node20"], "compilerOptions": {"baseUrl": "src"}}`),
		"huge/package.json": []byte(`{"name": "huge", "x": "` + strings.Repeat("x", maxManifest) + `"}`),
	}
	c := readJSConfig(m, "tsconfig.json", 0)
	if !c.based || c.baseURL != "src" {
		t.Errorf("got %+v, want the base folder src", c)
	}
	w, _ := newWorkspace(nil, m)
	if got := newJSModules(w).packages; len(got) != 0 {
		t.Errorf("a manifest over the limit was read: %v", got)
	}
}

func TestResolveRunsSeveralTimesAtOnce(t *testing.T) {
	fx := readFixture(t, "testdata/go.txtar")
	want, _, _ := Resolve(t.Context(), fx.units, fx.manifests)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, _, _ := Resolve(t.Context(), fx.units, fx.manifests); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Error("edges differ between runs")
			}
		})
	}
	wg.Wait()
}

func TestStatsCountCalls(t *testing.T) {
	fx := readFixture(t, "testdata/go-traps.txtar")
	_, stats, _ := Resolve(t.Context(), fx.units, fx.manifests)
	s := stats["go"]
	if s.Resolved != 1 || s.Calls < 10 {
		t.Errorf("stats %+v: of at least 10 calls, sort alone is the workspace's", s)
	}
}

func FuzzResolve(f *testing.F) {
	for _, lang := range []string{"go", "python", "typescript", "scala", "java", "rust", "shell"} {
		f.Add(lang, "a.b().c", `func (r T) F(x T) T`, "./a", "T", 0, 1, []byte("module m\nreplace a => ./b\n"))
	}
	for _, l := range tier2Languages {
		f.Add(l.name, "T.a(", "T T.T();", "T", "*", 1, 2, []byte("{"))
		f.Add(l.name, "T::b", "fun T.F(x: T): T", "./a", "T", 0, 1, []byte("{"))
	}
	f.Add("rust", "Option<T>", "fn F(x: T) -> T", "self::a", "T", 0, 1, []byte("[package]\nname = \"a\"\n[dependencies]\nb = { path = \"../b\" }\n"))
	f.Add("rust", "T::default()?.a", "macro_rules! F", "super::super", "T!", 1, 0, []byte("[workspace.dependencies.a]\npath = 'x'\n[lib]\npath = \"a\""))
	f.Add("java", "T.a(", "T T(int a, T<A, B>... b", "static d", "T", 1, 2, []byte("{"))
	f.Add("go", "x[0].(T)", `var x = y`, "m/a", "*T", 1, 0, []byte(`{"name": "m", "exports": {"./*": ["./a*.ts"]}, "compilerOptions": {"paths": {"*": ["*"]}}}`))
	f.Fuzz(func(t *testing.T, lang, qualifier, signature, path, name string, from, parent int, manifest []byte) {
		kinds := []extract.Kind{extract.Class, extract.Function, extract.Method, extract.Type, extract.Object, extract.Variable, extract.Field}
		file := &extract.File{Lang: lang, Module: name}
		for i, k := range kinds {
			file.Definitions = append(file.Definitions, extract.Definition{Name: name, Kind: k, Parent: parent - i, Container: qualifier, Line: i, Signature: signature, Result: qualifier})
		}
		file.Definitions = append(file.Definitions, extract.Definition{Name: "T", Kind: extract.Class, Parent: parent, Signature: signature})
		for _, rel := range []string{extract.Calls, extract.Inherits, extract.Embeds, extract.References} {
			file.References = append(file.References,
				extract.Reference{From: from, Relation: rel, Name: name, Qualifier: qualifier, Line: 1},
				extract.Reference{From: from, Relation: rel, Name: name, Type: qualifier, Args: "(" + signature + ")"},
				extract.Reference{From: from, Relation: rel, Name: name, Qualifier: path, Via: qualifier},
				extract.Reference{From: from, Relation: rel, Name: name})
		}
		file.Imports = []extract.Import{{Path: path, Line: 1}, {Path: path, Name: name}, {Path: path, Name: "*"}, {Path: path, Name: name, Alias: "T", Export: true}, {Name: name, Alias: qualifier, Export: true}}
		units := []Unit{{Repo: "r", Path: "d/a", File: file}, {Repo: "s", Root: "e", Path: "e/b.ts", File: file}, {Repo: "r", Path: path, File: file}}
		m := Manifests{"go.mod": manifest, "d/package.json": manifest, "tsconfig.json": manifest, "d/Cargo.toml": manifest, "d/setup.cfg": manifest}
		edges, _, _ := Resolve(t.Context(), units, m)
		if _, err := json.Marshal(edges); err != nil {
			t.Error(err)
		}
		for _, e := range edges {
			if e.To.Unit < 0 || e.To.Unit >= len(units) || e.To.Def < -1 || e.To.Def >= len(file.Definitions) || e.Score <= 0 || e.Score > 1 {
				t.Fatalf("impossible edge %+v", e)
			}
		}
	})
}
