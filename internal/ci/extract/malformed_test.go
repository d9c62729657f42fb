package extract

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// broken sources, each with a definition that must be saved.
var malformed = []struct{ name, source, saved string }{
	{"a.go", "package a\n\nfunc Good() {}\n\nfunc bad( {\n\ntype T struct {\n", "Good"},
	{"a.go", "package a\n\nfunc Good() { if x {\n", "Good"},
	{"a.go", "func Good() {}\n", ""},
	{"a.go", "<<<<<<< HEAD\npackage a\n", ""},
	{"a.py", "def good():\n    pass\n\ndef bad(:\n  x = = 2\n", "good"},
	{"a.py", "class Good:\n    def inner(self):\n        return (\n", "Good"},
	{"a.js", "function good() {}\nfunction bad( {{{\n", "good"},
	{"a.ts", "export class Good { a: string }\nexport class { ] \n", "Good"},
	{"a.tsx", "export function Good() { return <A><B></A>; }\n", "Good"},
	{"a.scala", "object Good { def a = 1 }\nclass Bad(x: { def = \n", "Good"},
	{"A.java", "class Good { void a() {} }\nclass Bad { void b( { \n", "Good"},
	{"A.java", "package a; class Outer { class Good { int x = ; }\n", "Good"},
	{"a.rs", "fn good() {}\nstruct Bad { x: \nimpl {\n", "good"},
	{"a.rs", "mod m { struct Good;\nimpl Good { fn a(&self) { let x = }}\n", "Good"},
	{"a.rb", "def good; end\nclass Bad\n  def x(\n", "good"},
	{"a.rb", "module Good\n  class << \n end end end ) }\n", "Good"},
	{"a.ex", "defmodule Good do\n  def a(, do: 1\nend\n", "Good"},
	{"a.ex", "defmodule A do\n  def good, do: 1\n  def b( do\n", "good"},
	{"a.swift", "func good() {}\nstruct Bad { var x: \n", "good"},
	{"a.swift", "class Good { func a( { }\nextension } {\n", "Good"},
	{"a.ml", "let good x = x\nlet bad = ( in\n", "good"},
	{"a.ml", "module Good = struct let a = end\ntype = {\n", "Good"},
	{"a.mli", "val good : int\nend end type = (\nval x\n", "good"},
	{"a.lua", "function good() end\nlocal function bad( = \n", "good"},
	{"a.lua", "local x = { end end\nfunction good() end\n", "good"},
	{"a.groovy", "class Good { def a() { } }\nclass Bad { def b( {\n", "Good"},
	{"a.groovy", "def good() { } } }\nvoid bad(\n", "good"},
	{"a.sh", "good() { echo; }\nif then fi )\nlater() {\n  echo\n}\n", "later"},
	{"a.sh", unfinished, "good"},
	{"A.kt", "class Good { fun a() {} }\nclass Bad( { fun = \n", "Good"},
	{"A.kt", "fun good() {}\nval x: = by {\nobject } {\n", "good"},
	{"A.cs", "class Good { void A() {} }\nclass Bad { void B( { \n", "Good"},
	{"A.cs", "namespace A\n{\n  public class Good\n  { int X { get; \n", "Good"},
	{"a.php", "<?php\nfunction good() {}\nclass Bad { function ( { \n", "good"},
	{"a.php", "<?php\nenum Suit {\n  const A = ;\n  public function good() {}\n}\n", "good"},
	{"Good.vue", "<template><p>{{ x </p></template>\n<script>\nfunction good() {}\nfunction bad( {{{\n</script>\n", "good"},
	{"Good.vue", "<script setup>\nfunction lost() {}\n", "Good"},
	{"Good.svelte", "<script>\nfunction good() {}\nlet x = ;;= \n</script>\n{#if <p>", "good"},
	{"a.sql", "CREATE TABLE bad (x int, 'text;\nCREATE TABLE good (y int);\n", "good"},
	{"a.sql", "CREATE FUNCTION f() AS $a$ never\nCREATE VIEW good AS SELECT 1;\n", "good"},
	{"a.tf", "resource \"a\" \"bad\" {\n  x = [1\n}\nresource \"a\" \"good\" {}\n", "good"},
	{"a.tf", "variable \"bad\" { default = \"\n}\nvariable \"good\" {}\n", "good"},
	{"a.proto", "message Bad { string a = ; ( }\nmessage Good {}\n", "Good"},
	{"a.proto", "message Good { enum E { A = 0;\n", "Good"},
	{"a.css", ".bad { color: red\n.good { color: blue }\n", "good"},
	{"a.scss", "@mixin good { a: b }\n.x { @include (\n", "good"},
	{"a.less", ".good { a: \"b\n}\n", "good"},
	{"a.yaml", "good: 1\nbad: {{ template }}\n\tx\n", "good"},
	{"a.toml", "[good]\nx = [1,\n", "good"},
	{"a.toml", "[bad\n[good]\n", "good"},
	{"package.json", "{\"scripts\": {\"good\": \"x\", ]", "good"},
	{"a.nix", "{ good = 1; bad = (2; }\n", "good"},
	{"a.c", "int good(void) { return 1; }\nint bad(int x { {{{\n", "good"},
	{"a.h", "struct good { int a;\n#ifdef X\n}\n#endif\nint = ;\n", "good"},
	{"a.cpp", "class Good { int a(); };\nclass Bad : { ] template <<< \n", "Good"},
	{"a.cpp", "namespace good { int f(\n", ""},
}

// unfinished is something that a shell reads all the same.
const unfinished = "good() { echo; }\ncat <<EOF\nnever ends\n"

func TestMalformed(t *testing.T) {
	for i, c := range malformed {
		t.Run(fmt.Sprintf("%d %s", i, c.name), func(t *testing.T) {
			f, err := Parse(c.name, []byte(c.source))
			if err != nil {
				t.Fatal(err)
			}
			checkFile(t, f)
			if !f.Broken && c.source != unfinished {
				t.Errorf("%q is not called broken", c.source)
			}
			if c.saved == "" {
				return
			}
			for _, d := range f.Definitions {
				if d.Name == c.saved {
					return
				}
			}
			t.Errorf("%s was not saved:\n%s", c.saved, listing(f))
		})
	}
}

// TestHostileShapes reads sources that are made to cost stack, time or
// memory.
func TestHostileShapes(t *testing.T) {
	p := NewPool(t.Context(), 2, time.Second)
	defer p.Close()
	deep := 3_000
	shapes := map[string]string{
		"parens":   strings.Repeat("(", deep),
		"closed":   "x = " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep) + "\n",
		"braces":   strings.Repeat("{", deep),
		"lists":    strings.Repeat("[", deep) + strings.Repeat("]", deep),
		"quotes":   strings.Repeat("\"'`", deep),
		"newlines": strings.Repeat("\n", MaxSize),
		"one line": strings.Repeat("a.b(c);", MaxSize/64),
		"nul":      "x\x00y = 1\n",
		"not text": "\xff\xfe\xfd\n",
		"bom":      "\xef\xbb\xbfx = 1\n",
		"empty":    "",
		"controls": "# \x1b]0;x\x07 \u202e evil\nx = 1\n",
		"names":    strings.Repeat("x", 100_000) + " = 1\n",
		"subst":    strings.Repeat("$(", deep),
		"chain":    "x = a" + strings.Repeat(".b()", deep) + "\n",
	}
	shapes["long chain"] = "x = a" + strings.Repeat(".b()", MaxSize/16) + "\n"
	for _, lang := range languages {
		name := "A" + strings.Fields(lang.endings)[0]
		for shape, source := range shapes {
			if lang.name == "go" {
				source = "package a\n\nvar v = " + source
			}
			f, err := p.Parse(t.Context(), name, []byte(source))
			if err != nil {
				// A parser may give up, but must say so in the agreed words.
				if text := err.Error(); !strings.HasPrefix(text, "parser ") {
					t.Errorf("%s, %s: %v", name, shape, err)
				}
				continue
			}
			checkFile(t, f)
		}
	}
}

// TestLines sees to it that line counts hold with every line ending.
func TestLines(t *testing.T) {
	for name, source := range map[string]string{
		"a.go":     "package a\n\n//line evil.go:900\nfunc Here() {}\n",
		"a.py":     "x = 1\n\n\ndef Here():\n    pass\n",
		"a.js":     "let x = 1\n\n\nfunction Here() {}\n",
		"A.java":   "package a;\n\n\nclass Here {}\n",
		"a.rs":     "use a;\n\n\nfn Here() {}\n",
		"a.rb":     "x = 1\n\n\ndef Here; end\n",
		"a.ex":     "1\n\n\ndefmodule Here do\nend\n",
		"a.swift":  "let x = 1\n\n\nfunc Here() {}\n",
		"a.c":      "int x;\n\n\nint Here(void) { return 1; }\n",
		"a.cpp":    "int x;\n\n\nstruct Here { int a; };\n",
		"a.ml":     "let x = 1\n\n\nmodule Here = A\n",
		"a.lua":    "x = 1\n\n\nfunction Here() end\n",
		"a.groovy": "x = 1\n\n\nclass Here {}\n",
		"a.sh":     "x=1\n\n\nHere() { echo; }\n",
		"A.kt":     "val x = 1\n\n\nclass Here\n",
		"A.cs":     "using A;\n\n\nclass Here {}\n",
		"a.php":    "<?php\n\n\nfunction Here() {}\n",
		"a.sql":    "-- x\n\n\nCREATE TABLE Here (x int);\n", "a.tf": "locals {\n a = <<X\nX\nHere = 1\n}\n", "a.proto": "/*\n\n*/\nmessage Here {}\n",
		"a.scss": "$a: \"b\"\n;\n\n.Here { a: b }\n", "a.yaml": "a: |\n  x\n\nHere: 1\n", "a.toml": "a = \"\"\"\n\n\"\"\"\nHere = 1\n",
		"package.json": "{\"scripts\": {\n\n\n\"Here\": \"x\"}}", "Dockerfile": "RUN a \\\n\n b\nFROM x AS Here\n", "Makefile": "a = b \\\n\n\nHere:\n",
		"justfile": "a := \"\"\n\n\nHere:\n", "a.nix": "{ a = ''\n\n'';\nHere = 1; }\n", "a.html": "<!--\n\n-->\n<p id=Here>\n",
		"a.vue": "<template>\n</template>\n<script>\nfunction Here() {}\n</script>\n", "a.svelte": "<p>\n<script>\n\nfunction Here() {}\n</script>\n",
	} {
		for _, end := range []string{"\n", "\r\n"} {
			f, err := Parse(name, []byte(strings.ReplaceAll(source, "\n", end)))
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, d := range f.Definitions {
				if d.Name == "Here" {
					found = true
					if d.Line != 4 {
						t.Errorf("%s with %q: Here is on line %d", name, end, d.Line)
					}
				}
			}
			if !found {
				t.Errorf("%s with %q: Here was not found", name, end)
			}
		}
	}
}

// TestHostileNames: what a grammar that recovers takes for a name is told on
// one plain line, and no line is past the end.
func TestHostileNames(t *testing.T) {
	long := strings.Repeat("x", 1_000)
	for name, source := range map[string]string{
		"a.rb": "class Outsid\u202ee\nend\ne\u2066nd\n", "a.h": "inline" + long + " f(void) { return 1; }\n", "a.mli": "val good : int\nend end type = (\nval x\nmodule S : sig\n",
		"compose.yaml": "services:\n  api:\r    image: a\n  worker:\n    command: a\u2028b\u0085c\n", "old.yaml": "services:\r  api:\r    image: a\r", "a.php": "<?php\nclass A { public int $cu#if 0\nrrent; }\n$a->\n    return escape();\n",
		"a.sh": "VAR\u2066=1 b\ncm\u2066d_stop\n", "a.groovy": "class A { C" + long + " cart }\n", "a.go": "package a\n\nimport \"\x00\x00e.com/a\"\n", "A.cs": "namespace " + strings.Repeat("op.", 500) + "A;\nclass B { " + long + " c; }\n",
		"a.lua": "local lo" + long + " = require('shop.log')\nc\u202eart.total()\n", "a.rs": "fn run() -> anyhow::" + long + " { }\n", "a.ts": "enum A { '\\\n' = 1, B }\n", "a.cjs": "const { a } = require('{\nmodule.exports')\n",
		"a.scala": "import org.example.{exal Limit = 3\n  val (left}\nobject A\n", "a.tf": "resource\u202e.aws \"web\" {}\n", "a.css": ".sma\u202ell { --\x00: 1 }\n", "A.java": "import org.a\u202epi.B;\nclass A {}\n",
	} {
		f, err := Parse(name, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if fault := unsound(f, []byte(source)); fault != "" {
			t.Errorf("%s: %s", name, fault)
		}
	}
	f, err := Parse("compose.yaml", []byte("services:\n  api:\n    command: a\u2028b\u0085c\rd\n  worker:\n    image: a\n"))
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(f.Definitions, func(d Definition) bool { return d.Name == "worker" }); i < 0 || f.Definitions[i].Line != 4 {
		t.Errorf("worker is not on line 4:\n%s", listing(f))
	}
}

// TestTextThatIsNotUTF8: names are text whatever the bytes are.
func TestTextThatIsNotUTF8(t *testing.T) {
	for name, source := range map[string]string{
		"a.less":       "@\xc0\x80accent: red;\n@b: 1;\n",
		"a.lua":        "\xa8('a')\nfunction caf\xe9() end\n",
		"a.css":        "@import \"base.cs\xf3\";\n.b\xf3 { a: b }\n",
		"build.gradle": "\xf3ks.register('a') { }\ndef caf\xe9() { }\n",
		"a.go":         "package a\n\nfunc Good() { caf\xe9() }\n",
		"a.py":         "# caf\xe9\ndef good(): pass\n",
	} {
		f, err := Parse(name, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if fault := unsound(f, []byte(source)); fault != "" {
			t.Errorf("%s: %s", name, fault)
		}
		if len(f.Definitions) == 0 {
			t.Errorf("%s has no definition", name)
		}
	}
}

func fuzzLanguage(f *testing.F, name string) {
	lang := Language(name, nil)
	files, err := filepath.Glob("testdata/" + lang + "/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, c := range malformed {
		if Language(c.name, nil) == lang {
			f.Add([]byte(c.source))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			return
		}
		file, err := Parse(name, data)
		if errors.Is(err, grammar.ErrTooLong) {
			return // the limit held: the file is counted as given up
		}
		if err != nil {
			t.Fatal(err)
		}
		checkFile(t, file)
		if fault := unsound(file, data); fault != "" {
			t.Error(fault)
		}
		again, err := decodeFile(appendFile(nil, file))
		if err != nil {
			t.Fatal(err)
		}
		if listing(again) != listing(file) {
			t.Error("the file is another one after encoding")
		}
	})
}

func FuzzElixir(f *testing.F)         { fuzzLanguage(f, "a.ex") }
func FuzzGo(f *testing.F)             { fuzzLanguage(f, "a.go") }
func FuzzOCaml(f *testing.F)          { fuzzLanguage(f, "a.ml") }
func FuzzOCamlInterface(f *testing.F) { fuzzLanguage(f, "a.mli") }
func FuzzLua(f *testing.F)            { fuzzLanguage(f, "a.lua") }
func FuzzGroovy(f *testing.F)         { fuzzLanguage(f, "a.groovy") }
func FuzzJenkinsfile(f *testing.F)    { fuzzLanguage(f, "Jenkinsfile") }
func FuzzPython(f *testing.F)         { fuzzLanguage(f, "a.py") }
func FuzzJavaScript(f *testing.F)     { fuzzLanguage(f, "a.js") }
func FuzzSwift(f *testing.F)          { fuzzLanguage(f, "a.swift") }
func FuzzTypeScript(f *testing.F)     { fuzzLanguage(f, "a.ts") }
func FuzzScala(f *testing.F)          { fuzzLanguage(f, "a.scala") }
func FuzzJava(f *testing.F)           { fuzzLanguage(f, "A.java") }
func FuzzRust(f *testing.F)           { fuzzLanguage(f, "a.rs") }
func FuzzRuby(f *testing.F)           { fuzzLanguage(f, "a.rb") }
func FuzzKotlin(f *testing.F)         { fuzzLanguage(f, "A.kt") }
func FuzzCSharp(f *testing.F)         { fuzzLanguage(f, "A.cs") }
func FuzzPHP(f *testing.F)            { fuzzLanguage(f, "a.php") }
func FuzzC(f *testing.F)              { fuzzLanguage(f, "a.c") }
func FuzzCPP(f *testing.F)            { fuzzLanguage(f, "a.cpp") }
func FuzzShell(f *testing.F)          { fuzzLanguage(f, "a.sh") }

func BenchmarkParse(b *testing.B) {
	for _, lang := range languages {
		files, err := filepath.Glob("testdata/" + lang.name + "/*")
		if err != nil || len(files) == 0 {
			b.Fatalf("%s has no fixture: %v", lang.name, err)
		}
		b.Run(lang.name, func(b *testing.B) {
			data, err := os.ReadFile(files[0])
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Parse(files[0], data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
