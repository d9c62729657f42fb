package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/cputime"
)

// TestScannersAreLinear reads shapes that cost a scanner which looks ahead
// too far the square of their length.
func TestScannersAreLinear(t *testing.T) {
	shapes := []string{
		"<a {", "<script>", "<!--", "<a x=\"", "{{", "${", "{#if ", "''", "'", "\"", "`", "$a$", "$b", "/*", "/*!", "--\n", "#", "<<A\n", "<<B ",
		"(", "[", "{", "}", "({", ")}", "{(", "let ", "let in ", "with ", "a = ", "a.", "&a{", "@include a{", "message A{", "resource a b {", "create table a(",
		"create function a() begin ", "copy a from stdin;\n", "url(", "a:\n", "- ", "[a]\n", "x=[\n", "define a\n", "a: \\\n", "FROM a AS b\n", "\\\n", "{\"a\":", "import \"",
	}
	for _, name := range []string{"a.sql", "a.tf", "a.proto", "a.scss", "a.less", "a.toml", "package.json", "Dockerfile", "Makefile", "justfile", "a.nix", "a.html"} {
		for _, shape := range shapes {
			const size = 20_000
			var f *File
			var err error
			took := cputime.Of(func() { f, err = Parse(name, []byte(strings.Repeat(shape, size/len(shape)))) })
			if err != nil {
				t.Errorf("%s of %q: %v", name, shape, err)
				continue
			}
			checkFile(t, f)
			if took > 5*time.Second {
				t.Errorf("%s of %q took %v", name, shape, took)
			}
		}
	}
}

// TestSettingsAreCut sees to it that a table of data does not become
// thousands of definitions, and that what is left out is counted.
func TestSettingsAreCut(t *testing.T) {
	const keys = maxSettings + 50
	var yaml, toml, json strings.Builder
	json.WriteString("{")
	for i := range keys {
		fmt.Fprintf(&yaml, "k%d: 1\n", i)
		fmt.Fprintf(&toml, "k%d = 1\n", i)
		fmt.Fprintf(&json, "\"k%d\": 1,\n", i)
	}
	json.WriteString("}")
	for name, source := range map[string]string{"a.yaml": yaml.String(), "a.toml": toml.String(), "app.json": json.String()} {
		f, err := Parse(name, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Definitions) != maxSettings || f.Cut != keys-maxSettings {
			t.Errorf("%s has %d definitions and %d cut", name, len(f.Definitions), f.Cut)
		}
	}
}

// TestDataIsNoDefinition: the keys of data are words.
func TestDataIsNoDefinition(t *testing.T) {
	for _, name := range []string{"orders.json", "fixtures/users.json", "locales/en.json"} {
		f, err := Parse(name, []byte(`{"orders": [{"id": 1}], "users": {}}`))
		if err != nil {
			t.Fatal(err)
		}
		if f.Lang != "json" || len(f.Definitions) > 0 {
			t.Errorf("%s: %s", name, listing(f))
		}
	}
}

func FuzzVue(f *testing.F)        { fuzzLanguage(f, "a.vue") }
func FuzzSvelte(f *testing.F)     { fuzzLanguage(f, "a.svelte") }
func FuzzSQL(f *testing.F)        { fuzzLanguage(f, "a.sql") }
func FuzzHCL(f *testing.F)        { fuzzLanguage(f, "a.tf") }
func FuzzProtobuf(f *testing.F)   { fuzzLanguage(f, "a.proto") }
func FuzzCSS(f *testing.F)        { fuzzLanguage(f, "a.css") }
func FuzzSCSS(f *testing.F)       { fuzzLanguage(f, "a.scss") }
func FuzzLess(f *testing.F)       { fuzzLanguage(f, "a.less") }
func FuzzYAML(f *testing.F)       { fuzzLanguage(f, "a.yaml") }
func FuzzTOML(f *testing.F)       { fuzzLanguage(f, "a.toml") }
func FuzzJSON(f *testing.F)       { fuzzLanguage(f, "tsconfig.json") }
func FuzzDockerfile(f *testing.F) { fuzzLanguage(f, "Dockerfile") }
func FuzzMake(f *testing.F)       { fuzzLanguage(f, "Makefile") }
func FuzzJust(f *testing.F)       { fuzzLanguage(f, "justfile") }
func FuzzNix(f *testing.F)        { fuzzLanguage(f, "a.nix") }
func FuzzHTML(f *testing.F)       { fuzzLanguage(f, "a.html") }
