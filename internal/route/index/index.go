// Package index is the word index and the definition pieces of a bundle:
// their format, a builder and a reader.
//
// Files are numbered 0…N−1 in the order of (class, path), so that the class
// of a file is known from its number. The files of the bundle are
//
//	words/index.json  the [Header]
//	words/NN.json     {term: [Postings]}, a run of terms in their order, one a line
//	nodes/NN.json     [FileRecord]s of a run of consecutive files, as items: the
//	                  file, each of its definitions, its edges out and in; one a line
//	changes/NN.json   the files of a run of past changes, as items, one a line
//
// One item a line is part of the format: no JSON string holds a line break,
// so a reader finds an item without reading those before it.
//
// A question reads the pieces of its own words and of the files it names, so
// its cost follows the question and not the workspace.
package index

import (
	"path"
	"strings"
)

// A Class tells what kind of file a path is. Answers prefer the first.
type Class int

// The classes, in the order in which files are numbered.
const (
	Source Class = iota
	Test
	Doc
	Data
	Classes int = iota
)

// Header is words/index.json.
type Header struct {
	Lexicon int      `json:"lexicon"` // lexicon.Version of the builder
	Files   int      `json:"files"`   // number of files
	Names   int      `json:"names"`   // number of definitions
	Changes int      `json:"changes"` // number of past changes
	Classes []int    `json:"classes"` // number of the first file of each class
	Words   []string `json:"words"`   // first term of each words/NN.json
	Nodes   []int    `json:"nodes"`   // number of the first file of each nodes/NN.json
	Repos   []string `json:"repos"`   // short names; the umbrella first
	Used    string   `json:"used"`    // a digit per file: how much other files use it, see [Header.UsedOf]
	Kinds   []string `json:"kinds"`   // what a definition's kind number means
	Rules   []Rule   `json:"rules"`   // what an edge's rule number means
}

// A Rule is what an edge says and how that was found out.
type Rule struct {
	Relation  string `json:"relation"`
	Resolver  string `json:"resolver"`
	Certainty int    `json:"certainty"` // 1 to 100
}

// ClassOf returns the class of file n.
func (h *Header) ClassOf(n int) Class {
	c := Source
	for i := 1; i < len(h.Classes); i++ {
		if n >= h.Classes[i] {
			c = Class(i)
		}
	}
	return c
}

// UsedOf is how much other files use file number f, 0 to 9: ln(1+n) of the n
// edges from other files, less the mean of that in its repository, plus 2.
func (h *Header) UsedOf(f int) int {
	if f < 0 || f >= len(h.Used) || h.Used[f] < '0' || h.Used[f] > '9' {
		return 0
	}
	return int(h.Used[f] - '0')
}

// ExactKey is the term under which definitions of this folded name stand.
func ExactKey(folded string) string { return "=" + folded }

// EntryKey is the term under which the definitions stand where a program
// starts. No word and no name can be it.
const EntryKey = "@entry"

// Steps is how finely the impact of a term in a file is told, Coarse how
// finely the others are: one digit, for they are most of the index and need
// only tell near from far.
// Whole is a name's weight: as many parts of it as there are letters.
const (
	Steps  = 25
	Coarse = 10
	Whole  = 26
)

// A FileRecord is what a nodes piece knows of one file.
type FileRecord struct {
	Path string
	Repo int
	Lang string
	Doc  string // first sentence of the file's own comment
	Cuts []int  // first line of each passage
	Defs []Def
	Out  []Edge // edges from this file and its definitions
	In   []Edge // edges to them
}

// A Def is one definition.
type Def struct {
	Name, Container string
	Kind            string
	Line, End       int
	Exported        bool
	Entry           bool
	Test            bool
	Signature, Doc  string
}

// Qualified is the name with its container.
func (d Def) Qualified() string {
	if d.Container == "" {
		return d.Name
	}
	return d.Container + "." + d.Name
}

// An Edge joins a definition of the record's file with another one. −1
// stands for the file itself.
type Edge struct {
	Rule
	Def   int // in this file
	File  int // number of the other file
	Other int // definition in it
	Line  int // where the relation is written, in the file it starts from; 0 among In
}

// ClassOfPath tells the class of a file from its path alone.
func ClassOfPath(p string) Class {
	lower := strings.ToLower(p)
	dir, base := path.Split(lower)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	if docEnding[ext] || docName[base] || docName[stem] && ext == "" {
		return Doc
	}
	for seg := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if testDir[seg] {
			return Test
		}
	}
	switch {
	case strings.HasSuffix(stem, "_test"), strings.HasPrefix(stem, "test_") && ext == ".py", base == "conftest.py",
		strings.HasSuffix(stem, ".test"), strings.HasSuffix(stem, ".spec"), strings.HasSuffix(stem, "_spec"):
		return Test
	}
	original := strings.TrimSuffix(path.Base(p), path.Ext(p))
	for _, end := range []string{"Test", "Tests", "Spec", "Suite", "IT"} {
		if strings.HasSuffix(original, end) && len(original) > len(end) && codeOfJVM[ext] {
			return Test
		}
	}
	if dataEnding[ext] || strings.HasPrefix(base, ".") {
		return Data
	}
	return Source
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	docEnding  = set(".md .markdown .rst .adoc .asciidoc .txt .org .mdx .1 .5 .7")
	docName    = set("license licence changelog changes authors contributors readme notice copying news todo")
	dataEnding = set(".json .json5 .jsonc .jsonl .yaml .yml .toml .lock .csv .tsv .xml .svg .ini .cfg .conf .golden .snap .sum .mod .properties .html .htm .css .scss .less .plist .env .patch .diff .po .pem .crt")
	testDir    = set("test tests testing testdata __tests__ spec specs fixtures __fixtures__ e2e mocks __mocks__ testutil testutils testlib testkit it benches benchmarks jsfmt.spec.js")
	codeOfJVM  = set(".java .scala .kt .groovy .cs .php .swift")
)
