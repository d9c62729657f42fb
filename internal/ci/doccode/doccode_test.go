package doccode

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

// world is a workspace of two repositories in which some names are of one
// thing and some of several.
var repos = []Repo{{Name: "hub", URL: "https://git.example/acme/hub.git"}, {Name: "app", Path: "app", URL: "git@git.example:acme/app.git"}}

func def(kind extract.Kind, container, name string, line int) extract.Definition {
	return extract.Definition{Kind: kind, Container: container, Name: name, Line: line, EndLine: line + 3, Parent: -1, Exported: true}
}

var sources = []Source{
	{0, "README.md", "", "", nil},
	{0, "docs/guide.md", "", "", nil},
	{1, "app/README.md", "", "", nil},
	{0, "store/store.go", "go", "store", []extract.Definition{def(extract.Class, "", "Store", 5), def(extract.Method, "Store", "Open", 9), {Kind: extract.Function, Name: "openAll", Line: 20, Parent: -1}, def(extract.Function, "", "NewStore", 30)}},
	{0, "cache/cache.go", "go", "cache", []extract.Definition{def(extract.Class, "", "Cache", 4), def(extract.Method, "Cache", "Open", 8), def(extract.Function, "", "flush", 40), def(extract.Constant, "", "maxAge", 50), def(extract.Field, "Cache", "RetryPolicy", 60)}},
	{0, "store/policy.go", "go", "store", []extract.Definition{def(extract.Class, "", "RetryPolicy", 3)}},
	{0, "cache/cache_test.go", "go", "cache", []extract.Definition{def(extract.Function, "", "TestCacheAll", 4)}},
	{0, "examples/demo.go", "go", "main", []extract.Definition{def(extract.Function, "", "NewStore", 3)}},
	{0, "scripts/release.sh", "shell", "", []extract.Definition{def(extract.Function, "", "tag_commit", 7)}},
	{0, "lib/parse.py", "python", "", []extract.Definition{def(extract.Function, "", "parse_line", 2), {Kind: extract.Function, Name: "hidden_part", Line: 8, Parent: -1}, def(extract.Class, "", "LineReader", 12), def(extract.Method, "LineReader", "read", 14)}},
	{1, "app/lib/parse.py", "python", "", []extract.Definition{def(extract.Function, "", "parse_line", 3)}},
	{1, "app/web/index.ts", "typescript", "", []extract.Definition{def(extract.Function, "", "renderPage", 6)}},
}

// links are the links of a document, one a line: `text` how → nodes.
func links(t *testing.T, repo int, file, text string) []string {
	t.Helper()
	f := New(repos)
	f.Add(repo, file, []byte(text))
	d := f.Find(slices.Values(sources))
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, doc := range d.Docs {
		for _, p := range doc.Passages {
			for _, l := range p.Links {
				var to []string
				for _, n := range l.To {
					to = append(to, fmt.Sprintf("%s:%d", d.Nodes[n], d.Nodes[n].Line))
				}
				out = append(out, fmt.Sprintf("%d %s %s → %s", l.Line, l.Text, l.How, strings.Join(to, " | ")))
			}
		}
	}
	return out
}

func TestLinks(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"doc_code_backticked_name", "Use `NewStore` and `Store.Open()`.", []string{"1 NewStore name → store/store.go#NewStore:30", "1 Store.Open() name → store/store.go#Store.Open:9"}},
		{"doc_code_path_and_base_name", "See `store/store.go`, `cache.go` and the folder `store/`.", []string{"1 store/store.go path → store/store.go:0", "1 cache.go name → cache/cache.go:0", "1 store/ path → store/:0"}},
		{"doc_code_ambiguous_keeps_all", "Call `Open()` first.", []string{"1 Open() name → cache/cache.go#Cache.Open:8 | store/store.go#Store.Open:9"}},
		{"doc_code_paragraph_disambiguates", "Of `Cache`, call `Open()` first.", []string{"1 Cache name → cache/cache.go#Cache:4", "1 Open() name → cache/cache.go#Cache.Open:8"}},
		{"doc_code_short_token_ignored", "The `run` and `All` of `it`.", nil},
		{"doc_code_block_and_prose", "The function parse_line does it.\n\n```go\ns := store.NewStore(x)\n```\n", []string{"1 parse_line prose → lib/parse.py#parse_line:2", "4 store.NewStore block → store/store.go#NewStore:30"}},

		{"a path between words", "It is in lib/parse.py, not in lib/none.py.", []string{"1 lib/parse.py prose → lib/parse.py:0"}},
		{"a link with a title", "[the store](store/store.go#L5 \"title\")", []string{"1 store/store.go#L5 link → store/store.go:0"}},
		{"a link to the repository's page", "<https://git.example/acme/hub/blob/main/cache/cache.go#L4>", []string{"1 https://git.example/acme/hub/blob/main/cache/cache.go#L4 link → cache/cache.go:0"}},
		{"a link to another repository", "[store/store.go](https://git.example/other/hub/blob/main/store/store.go)", nil},
		{"a path with a line", "At `store/store.go:12`.", []string{"1 store/store.go:12 path → store/store.go:0"}},
		{"a word that is a function", "Then `flush` it.", nil},
		{"a word with its file", "The function `flush` of `cache.go`.", []string{"1 flush name → cache/cache.go#flush:40", "1 cache.go name → cache/cache.go:0"}},
		{"a capital word by itself", "Every `Cache` is full.", nil},
		{"a capital word that is called a type", "The struct `Cache` is full.", []string{"1 Cache name → cache/cache.go#Cache:4"}},
		{"a capital word where its file is named", "Every `Cache` is full.\n\nSee `cache.Cache`.", []string{"1 Cache name → cache/cache.go#Cache:4"}},
		{"a value that may be a parameter", "With `maxAge` of 3.", nil},
		{"a package that is not ours", "As `fmt.Open()` and `http.NewStore` do.", nil},
		{"an unexported name of a package", "`store.openAll` is not seen from outside.", nil},
		{"a package's name where it is not seen", "`lib.hidden_part()`", nil},
		{"a property that is called as a type is", "The `RetryPolicy` of it.\n\nSee `store.Store` and `RetryPolicy`.", []string{"1 RetryPolicy name → cache/cache.go#Cache.RetryPolicy:60 | store/policy.go#RetryPolicy:3", "3 store.Store name → store/store.go#Store:5", "3 RetryPolicy name → store/policy.go#RetryPolicy:3"}},
		{"a type that is called so", "The class `RetryPolicy`.", []string{"1 RetryPolicy name → store/policy.go#RetryPolicy:3"}},
		{"a scope is no package", "```ts\nimport { renderPage } from '@app/other'\n```", nil},
		{"a folder of the package", "```ts\nimport { renderPage } from '../app/web'\n```", []string{"2 renderPage block → app/web/index.ts#renderPage:6"}},
		{"commands and options", "`go run NewStore`, `--new-store`, `$NewStore`, `NewStore=1`", nil},
		{"a test is no answer", "`TestCacheAll` tries it.", nil},
		{"what a block defines itself", "```python\ndef parse_line(x):\n    pass\nparse_line(1)\n```", nil},
		{"an import names where it is from", "```python\nfrom lib.parse import LineReader\n```", []string{"2 LineReader block → lib/parse.py#LineReader:12"}},
		{"an import from elsewhere", "```python\nfrom other import LineReader\n```", nil},
		{"a block of another language", "```python\nNewStore(1)\nstore.NewStore(1)\n```", nil},
		{"a command in a shell block", "```sh\n./scripts/release.sh v1 # scripts/none.sh\n```", []string{"2 ./scripts/release.sh block → scripts/release.sh:0"}},
		{"once in a passage", "`NewStore`, again `NewStore`.\n\n# More\n\n`NewStore`", []string{"1 NewStore name → store/store.go#NewStore:30", "5 NewStore name → store/store.go#NewStore:30"}},
		{"what the reader is to make", "Write `.github/workflows/release.yml` and `vite.config.ts`.", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := links(t, 0, "README.md", tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestWhereADocumentIs(t *testing.T) {
	for _, tt := range []struct {
		name       string
		repo       int
		file, text string
		want       []string
	}{
		{"a name of its own repository", 1, "app/README.md", "`parse_line()`", []string{"1 parse_line() name → app/lib/parse.py#parse_line:3"}},
		{"a path from its own repository's top", 1, "app/README.md", "`lib/parse.py`", []string{"1 lib/parse.py path → app/lib/parse.py:0"}},
		{"a name of the other repository", 1, "app/README.md", "`NewStore`", []string{"1 NewStore name → store/store.go#NewStore:30"}},
		{"a path from its own folder", 0, "docs/guide.md", "[x](../lib/parse.py)", []string{"1 ../lib/parse.py link → lib/parse.py:0"}},
		{"a file that is not indexed", 0, "vendor/README.md", "`NewStore`", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := links(t, tt.repo, tt.file, tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestWanted(t *testing.T) {
	for name, want := range map[string]bool{"README.md": true, "docs/a.mdx": true, "a.go": false, "pkg/testdata/x.md": false, "tests/README.md": true, "tests/format/case.md": false, "acceptance/README.md": true} {
		if Wanted(name) != want {
			t.Errorf("Wanted(%q) = %v", name, !want)
		}
	}
}

func TestParseName(t *testing.T) {
	for text, want := range map[string]string{
		"Store": "Store", "store.NewStore()": "store . NewStore ()", "Foo::bar": "Foo . bar", "Class#method": "Class . method", ".get()": "* . get ()",
		"func run(ctx context.Context) error": "run ()", "List<String>": "List", "map[string]int": "", "println!": "println", "Plug.assign/3": "Plug . assign",
		"self.x": "* . x", "a b": "", "--flag": "", "foo(bar": "", "1st": "", "*cmdutil.Factory": "cmdutil . Factory", "": "", "class Reader": "Reader !", "x(y) + 1": "",
	} {
		n := parseName(text)
		got := n.last
		if len(n.quals) > 0 {
			got = strings.Join(n.quals, ".") + " . " + got
		}
		if n.dot {
			got = "* . " + got
		}
		if n.call {
			got += " ()"
		}
		if n.key && !n.call {
			got += " !"
		}
		if got != want {
			t.Errorf("parseName(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTheOrderOfFilesDoesNotMatter(t *testing.T) {
	text := "`NewStore`, `Open()`, `parse_line`, `store.go`"
	find := func(list []Source) *doccode.DocCode {
		f := New(repos)
		f.Add(0, "README.md", []byte(text))
		f.Add(0, "docs/guide.md", []byte(text))
		return f.Find(slices.Values(list))
	}
	turned := slices.Clone(sources)
	slices.Reverse(turned)
	if a, b := fmt.Sprint(find(sources)), fmt.Sprint(find(turned)); a != b {
		t.Errorf("got\n%s\nand\n%s", a, b)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	got := links(t, 0, "README.md", "## ghp_0123456789abcdefghijABCDEFGHIJ012345\n\n`NewStore(\"ghp_0123456789abcdefghijABCDEFGHIJ012345\")`")
	if len(got) != 1 || strings.Contains(got[0], "0123456789abcdefghij") {
		t.Errorf("got %q", got)
	}
}

// TestManyNamesakes gives what a careless finder takes quadratic time for.
func TestManyNamesakes(t *testing.T) {
	var list []Source
	for i := range 20_000 {
		list = append(list, Source{Path: fmt.Sprintf("d%d/index.go", i), Lang: "go", Module: "d", Defs: []extract.Definition{def(extract.Function, "", "NewThing", 1), def(extract.Function, "", "NewOther"+fmt.Sprint(i%15), 9)}})
	}
	list = append(list, Source{Path: "README.md"})
	f := New(repos)
	f.Add(0, "README.md", []byte(strings.Repeat("`NewThing` `x/index.go` `d7/index.go` `index.go` `d.NewOther3`\n\n", 1500)))
	start := time.Now()
	d := f.Find(slices.Values(list))
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it takes %v", took)
	}
	if err := d.Check(); err != nil || len(d.Nodes) != 1 || d.Nodes[0].File != "d7/index.go" {
		t.Errorf("%d nodes, %v", len(d.Nodes), err)
	}
}

// TestBounds: a workspace of very many links keeps to what readers take, and
// gives up what is least sure first.
func TestBounds(t *testing.T) {
	list := []Source{}
	f := New(repos)
	for i := range 60 {
		name := fmt.Sprintf("docs/%02d.md", i)
		list = append(list, Source{Path: name})
		var text strings.Builder
		for n := range 350 {
			fmt.Fprintf(&text, "# Part %d\n\n`makeThing%d()` and `twoThings%d()` do it.\n\n", n, n, n)
		}
		f.Add(0, name, []byte(text.String()))
	}
	for n := range 350 {
		two := fmt.Sprintf("twoThings%d", n)
		list = append(list, Source{Path: fmt.Sprintf("a%d.go", n), Lang: "go", Defs: []extract.Definition{def(extract.Function, "", fmt.Sprintf("makeThing%d", n), 1), def(extract.Function, "", two, 5)}},
			Source{Path: fmt.Sprintf("b%d.go", n), Lang: "go", Defs: []extract.Definition{def(extract.Function, "", two, 5)}})
	}
	d := f.Find(slices.Values(list))
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, doc := range d.Docs {
		for _, p := range doc.Passages {
			links += len(p.Links)
			for _, l := range p.Links {
				if l.Ambiguous() {
					t.Fatalf("%s keeps %+v", doc.File, l)
				}
			}
		}
	}
	data, err := bundle.Encode(d)
	if err != nil || links != 60*350 || d.LeftOut != 60*350 || len(data) > 4<<20 {
		t.Errorf("%d links, %d left out, %d bytes, %v", links, d.LeftOut, len(data), err)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("# A\n`Store.Open()` [x](store/store.go) store_x()\n```go\nimport \"x\"\nNewStore(1)\n```")
	f.Add("`func (s *S) X() error` `[a](b)` <https://git.example/acme/hub/blob/main/x>")
	f.Add("``` \n'\"`\n$$$ ::a::b .. [ [ [ ](")
	f.Fuzz(func(t *testing.T, text string) {
		d := New(repos)
		d.Add(0, "README.md", []byte(text))
		if err := d.Find(slices.Values(sources)).Check(); err != nil {
			t.Fatal(err)
		}
	})
}
