package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/index"
)

// Each signal of the ranking alone: two files that differ in it and in
// nothing else that counts.

func TestSignalExactName(t *testing.T) {
	var w world
	w.filler(20)
	w.file("z/defines.go", "package z", def("parseManifest", 7))
	loud := w.file("a/parse_manifest_all.go", strings.Repeat("parseManifest parse manifest ", 50),
		withDoc(def("parseManifestFully", 3), "parseManifest parses the manifest."), def("useParseManifest", 9))
	loud.History = []string{"parseManifest", "parse manifest"}
	wantFirst(t, &w, "parseManifest", "z/defines.go", "a/parse_manifest_all.go")
	wantFirst(t, &w, "PARSEMANIFEST", "z/defines.go", "a/parse_manifest_all.go")
	a := query(t, w.engine(t), "parseManifest")
	if n := a.Nodes[0]; n.Label != "parseManifest" || n.Src() != "z/defines.go:7" {
		t.Errorf("the first node is %+v", n)
	}
	if got := why(a, "exact name"); got != exactName+exactCase {
		t.Errorf("the exact name gives %v", got)
	}
}

func TestSignalExactNameInItsOwnCase(t *testing.T) {
	var w world
	w.filler(5)
	w.file("a.go", "package a", def("ParseManifest", 1))
	w.file("b.go", "package a", def("parseManifest", 1))
	w.file("c.go", "package a", def("parse_manifest", 1))
	wantFirst(t, &w, "parseManifest", "b.go", "c.go")
	wantFirst(t, &w, "ParseManifest", "a.go", "b.go")
	wantFirst(t, &w, "parse_manifest", "c.go", "b.go")
}

func TestSignalExactNameInItsContainer(t *testing.T) {
	var w world
	w.filler(5)
	w.file("a.go", "package a", def("Client", 1), def("Client.Serve", 3))
	w.file("b.go", "package a", def("Server", 1), def("Server.Serve", 3), def("Server.close", 9))
	for _, question := range []string{"Server.Serve", "Server::Serve", "x/Server#Serve"} {
		a := query(t, w.engine(t), question)
		if n := a.Nodes[0]; n.Label != "Server.Serve" || n.Path != "b.go" {
			t.Errorf("%q finds %s first", question, places(a.Nodes))
		}
	}
}

func TestSignalExactNameOfAField(t *testing.T) {
	var w world
	field := def("Holder.parser", 3)
	field.Kind = "field"
	w.file("a.go", "parser parser parser", field)
	w.file("b.go", "package a", def("parser", 3))
	wantFirst(t, &w, "parser", "b.go", "a.go")
}

func TestSignalExactNameOfAFile(t *testing.T) {
	var w world
	w.filler(10)
	w.file("a/other.go", strings.Repeat("manifest go manifest.go ", 30), def("manifestGoReader", 2))
	w.file("z/manifest.go", "package z")
	wantFirst(t, &w, "manifest.go", "z/manifest.go", "a/other.go")
	wantFirst(t, &w, "some/where/manifest.go", "z/manifest.go", "a/other.go")
}

func TestSignalExactNameCountsLessInASentence(t *testing.T) {
	var w world
	w.filler(10)
	w.file("a.go", "package a", def("parseManifest", 1))
	a := query(t, w.engine(t), "what is it that the caller of parseManifest must hold")
	alone := query(t, w.engine(t), "parseManifest")
	if got, most := why(a, "exact name"), why(alone, "exact name")/5; got <= 0 || got > most {
		t.Errorf("the exact name gives %v, want at most %v", got, most)
	}
}

func TestSignalNameIsSplitOnBothSides(t *testing.T) {
	for _, name := range []string{"branchNamesEqual", "branch_names_equal", "BRANCH_NAMES_EQUAL"} {
		for _, question := range []string{"branch names equal", "equal branch name", "branchNamesEqual", "branch-names-equal"} {
			var w world
			w.filler(10)
			w.file("a.go", "package a", def("otherThings", 1))
			w.file("b.go", "package a", def("other", 1), def(name, 9))
			a := query(t, w.engine(t), question)
			if got := a.Nodes; len(got) == 0 || got[0].Label != name {
				t.Errorf("%q does not find %s: %+v", question, name, got)
			}
		}
	}
}

func TestSignalNameCoversTheQuestion(t *testing.T) {
	var w world
	w.filler(10)
	w.file("a.go", "package a", def("branchNames", 1), def("equal", 9))
	w.file("b.go", "package a", def("branchNamesEqual", 1))
	wantFirst(t, &w, "branch names equal", "b.go", "a.go")
}

func TestSignalQuestionCoversTheName(t *testing.T) {
	var w world
	w.filler(10)
	w.file("a.go", "package a body", def("orderGuardOfEveryPublishedBranch", 1))
	w.file("b.go", "package a body", def("orderGuard", 1), def("ofEveryPublishedBranch", 9))
	wantFirst(t, &w, "order guard", "b.go", "a.go")
}

func TestSignalRarity(t *testing.T) {
	var w world
	for i := range 30 {
		w.file(fmt.Sprintf("pad/f%c%c.go", 'a'+i%26, 'a'+i/26), "common words everywhere", def("plain", 1))
	}
	w.file("a.go", "common everywhere", def("plain", 1))
	w.file("z.go", "quagga quagga", def("plain", 1))
	a := query(t, w.engine(t), "common everywhere quagga")
	if a.Files[0].Path != "z.go" {
		t.Errorf("a rare word does not outweigh two common ones: %q", files(a))
	}
}

func TestSignalContents(t *testing.T) {
	var w world
	w.filler(10)
	w.file("a.go", "quagga is here once and more of other text")
	w.file("b.go", "quagga quagga quagga more of other text")
	wantFirst(t, &w, "quagga zebra", "b.go", "a.go")
	if got := why(query(t, w.engine(t), "quagga zebra"), "contents"); got <= 0 {
		t.Errorf("contents give %v", got)
	}
}

func TestSignalContentsOfAShortFile(t *testing.T) {
	var w world
	w.filler(10)
	long := w.file("a.go", "quagga stands here")
	for i := range 20 {
		long.Passages = append(long.Passages, passage(10*i, strings.Repeat(fmt.Sprintf("text%c ", 'a'+i), 20)))
	}
	w.file("b.go", "quagga stands here")
	wantFirst(t, &w, "quagga zebra", "b.go", "a.go")
}

func TestSignalPath(t *testing.T) {
	// The folder is common in contents, so that only the path tells.
	var w world
	w.filler(10)
	w.file("a/x.go", "publish publish publish publish publish publish publish publish")
	w.file("publish/guard.go", "publish")
	w.file("publish/other/deep.go", "publish publish publish publish publish publish publish publish")
	a := query(t, w.engine(t), "fix the publish guard")
	if a.Files[0].Path != "publish/guard.go" || why(a, "path") <= 0 {
		t.Errorf("got %q, %+v", files(a), a.Files[0].Why)
	}
	for _, f := range a.Files[1:] {
		for _, y := range f.Why {
			if y.Signal == "path" {
				t.Errorf("%s gets %v for its path; its folder and base name have no word of the question", f.Path, y.Value)
			}
		}
	}
}

func TestSignalQuestionCoversThePath(t *testing.T) {
	var w world
	w.filler(10)
	w.file("a/guard_of_every_published_old_branch.go", "text")
	w.file("b/guard.go", strings.Repeat("text of other things that makes this file longer ", 6))
	wantFirst(t, &w, "fix the guard when it sleeps", "b/guard.go", "a/guard_of_every_published_old_branch.go")
}

func TestSignalDocSentence(t *testing.T) {
	var w world
	w.filler(10)
	text := "quagga herds move"
	w.file("a.go", text, withDoc(def("first", 1), "Nothing of note."))
	w.file("b.go", text, withDoc(def("first", 1), "Nothing of note."), withDoc(def("second", 30), "Where quagga herds move."))
	wantFirst(t, &w, "where do quagga herds move to?", "b.go", "a.go")
	if n := query(t, w.engine(t), "where do quagga herds move to?").Nodes[0]; n.Label != "second" {
		t.Errorf("the first node is %s, want the definition of the sentence", n.Label)
	}
}

func TestSignalPassage(t *testing.T) {
	var w world
	w.filler(10)
	apart := w.file("a.go", "quagga text")
	apart.Passages = append(apart.Passages, passage(40, "herd text"), passage(80, "rest text"))
	together := w.file("b.go", "none text")
	together.Passages = append(together.Passages, passage(40, "rest text"), passage(80, "quagga herd text"))
	wantFirst(t, &w, "quagga herd", "b.go", "a.go")
	if f := query(t, w.engine(t), "quagga herd").Files[0]; f.Line != 80 {
		t.Errorf("the file is shown at line %d, want that of the passage", f.Line)
	}
}

func TestSignalLikePastChanges(t *testing.T) {
	var w world
	w.filler(20)
	w.file("a.go", "quagga text")
	w.file("b.go", "quagga text")
	w.past = []past{{"teach the quagga to trot", "b.go"}, {"let the zebra sleep", "a.go"}, {"let the okapi sleep", "a.go"}}
	wantFirst(t, &w, "fix: the quagga does not trot", "b.go", "a.go")
	if got := why(query(t, w.engine(t), "fix: the quagga does not trot"), "like past changes"); got <= 0 {
		t.Errorf("like past changes gives %v", got)
	}
	// A bare name is decided by its definition alone.
	if got := why(query(t, w.engine(t), "quagga"), "like past changes"); got != 0 {
		t.Errorf("like past changes gives %v for a name", got)
	}
}

func TestSignalLikePastChangesWantsAllWordsInOne(t *testing.T) {
	var w world
	w.filler(20)
	w.file("a.go", "text")
	w.file("b.go", "text")
	w.past = []past{{"feed the quagga", "a.go"}, {"let it trot", "a.go"}, {"let the quagga trot", "b.go"}}
	wantFirst(t, &w, "fix: the quagga does not trot", "b.go", "a.go")
}

func TestSignalLikePastChangesOfManyFiles(t *testing.T) {
	var w world
	w.filler(20)
	w.file("a.go", "text")
	w.file("b.go", "text")
	w.past = []past{{"let the quagga trot", "a.go", "pad/fillerz.go", "pad/fillerzz.go", "pad/fillerzzz.go"}, {"let the quagga trot", "b.go"}}
	wantFirst(t, &w, "fix: the quagga does not trot", "b.go", "a.go")
}

func TestSignalHistory(t *testing.T) {
	var w world
	w.filler(10)
	w.file("a.go", "quagga text")
	w.file("b.go", "quagga text").History = []string{"mend the quagga once more"}
	for question, counts := range map[string]bool{
		"mend: let the quagga walk":               true,
		"where does it say that the quagga walks": true,
		"quagga": false,
	} {
		a := query(t, w.engine(t), question)
		got := 0.0
		for _, f := range a.Files {
			for _, y := range f.Why {
				if y.Signal == "history" {
					got += y.Value
				}
			}
		}
		if (got > 0) != counts {
			t.Errorf("%q (%s): past subjects give %v, want some: %v", question, a.Shape, got, counts)
		}
		if counts && a.Files[0].Path != "b.go" {
			t.Errorf("%q finds %q", question, files(a))
		}
	}
}

func TestSignalKindOfFile(t *testing.T) {
	for _, tt := range []struct{ path, plain, asked string }{
		{"a/quagga_test.go", "quagga walk", "quagga walk tests"},
		{"docs/a.md", "quagga walk", "quagga walk documentation"},
		{"a/conf.yaml", "quagga walk", "quagga walk config"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			var w world
			w.filler(10)
			w.file(tt.path, "quagga quagga walk walk walk")
			w.file("z/code.go", "quagga walk with more of other words that make it long and so less")
			wantFirst(t, &w, tt.plain, "z/code.go", tt.path)
			wantFirst(t, &w, tt.asked, tt.path, "z/code.go")
			for _, f := range query(t, w.engine(t), tt.plain).Files {
				last := f.Why[len(f.Why)-1]
				if lowered := last.Signal == "kind of file, times" && last.Value == lower; lowered != (f.Path == tt.path) {
					t.Errorf("%s: %+v", f.Path, f.Why)
				}
			}
		})
	}
}

func TestSignalEntryPoint(t *testing.T) {
	t.Run("entry_point_boosted", func(t *testing.T) {
		var w world
		w.filler(10)
		w.file("a.go", "server text", def("begin", 3))
		start := def("run", 9)
		start.Entry = true
		w.file("b.go", "server text", def("begin", 3), start)
		wantFirst(t, &w, "server startup", "b.go", "a.go")
		a := query(t, w.engine(t), "server startup")
		if a.Nodes[0].Label != "run" || why(a, "entry point") != entryPoint {
			t.Errorf("first is %+v, for %+v", a.Nodes[0], a.Files[0].Why)
		}
		if got := why(query(t, w.engine(t), "server text"), "entry point"); got != 0 {
			t.Errorf("nobody asked for the entry point, and it gives %v", got)
		}
	})
}

func TestSignalUsedByOtherFiles(t *testing.T) {
	var w world
	w.file("a.go", "quagga herd", def("walk", 3))
	w.file("b.go", "quagga herd", def("walk", 3))
	for i := range 20 {
		p := fmt.Sprintf("pad/f%c.go", 'a'+i)
		w.file(p, "package pad", def("use", 1))
		w.edges = append(w.edges, edge{from: p + "#use", relation: "calls", to: "b.go#walk", line: 2})
	}
	wantFirst(t, &w, "quagga herd", "b.go", "a.go")
}

func TestSignalRepositoryInThePath(t *testing.T) {
	var w world
	w.filler(10)
	w.file("app/scripts/release.sh", "tag the release")
	w.file("site/scripts/release.sh", "tag the release")
	wantFirst(t, &w, "site release", "site/scripts/release.sh", "app/scripts/release.sh")
}

func TestAFileGivesTwoNodesAtMost(t *testing.T) {
	var w world
	w.filler(10)
	for _, p := range []string{"a.go", "b.go", "c.go"} {
		w.file(p, "quagga herd walk", withDoc(def("quaggaHerd", 3), "Walks."), withDoc(def("herd", 9), "Of quagga herd that walk."), def("quaggaWalk", 20), def("quagga", 30))
	}
	a := query(t, w.engine(t), "quagga herd")
	count := map[string]int{}
	for _, n := range a.Nodes {
		count[n.Path]++
	}
	if len(a.Files) != 3 || count["a.go"] != maxPerFile || count["b.go"] != maxPerFile || count["c.go"] != 1 {
		t.Errorf("nodes per file: %v", count)
	}
	if len(a.Nodes) >= 2 && a.Nodes[0] == a.Nodes[1] {
		t.Errorf("one definition stands twice: %+v", a.Nodes)
	}
}

func TestEqualFilesKeepTheirOrder(t *testing.T) {
	var w world
	for _, p := range []string{"c.go", "a.go", "b.go", "d_test.go"} {
		w.file(p, "quagga herd")
	}
	if got := strings.Join(files(query(t, w.engine(t), "quagga herd")), " "); got != "a.go b.go c.go d_test.go" {
		t.Errorf("the order is %s", got)
	}
}

func TestLimit(t *testing.T) {
	var w world
	for i := range 20 {
		w.file(fmt.Sprintf("f%c.go", 'a'+i), strings.Repeat("quagga ", i+1)+"herd")
	}
	e := w.engine(t)
	whole := files(query(t, e, "quagga"))
	for _, limit := range []int{0, 1, 5, 19, 20, 100} {
		a, err := e.Query("quagga", Narrow{}, limit, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(limit, 20); len(a.Files) != want || a.More != 20-want {
			t.Errorf("limit %d: %d files, %d more", limit, len(a.Files), a.More)
		}
		if got, n := files(a), min(limit, len(whole)); strings.Join(got[:n], " ") != strings.Join(whole[:n], " ") {
			t.Errorf("limit %d changes the order: %q", limit, got)
		}
	}
}

func TestRankingReadsNoNaN(t *testing.T) {
	for _, n := range []int{0, 1, 2_000_000} {
		for _, df := range []int{0, 1, 2_000_000, 1 << 40} {
			if v := idf(n, df); v != v {
				t.Errorf("idf(%d, %d) is %v", n, df, v)
			}
			if v := index.Rarity(n, df); v != v || v < 0 {
				t.Errorf("Rarity(%d, %d) is %v", n, df, v)
			}
		}
	}
}

func TestSignalAbbreviation(t *testing.T) {
	var w world
	w.filler(20)
	w.file("a.go", "package a", def("openDirectoryOfTides", 1))
	w.file("b.go", "package a", def("cfgDirOf", 1))
	w.file("c.go", "package a", def("openNothing", 1))
	// A sentence finds what code abbreviates, behind what it spells out.
	if a := query(t, w.engine(t), "where do we look for the configuration of it"); len(a.Files) == 0 || a.Files[0].Path != "b.go" {
		t.Errorf("the short form is not found: %s", places(a.Nodes))
	}
	wantFirst(t, &w, "where do we look for the directory of it", "a.go", "b.go")
	// A phrase of names is meant as it stands.
	if a := query(t, w.engine(t), "configuration"); len(a.Files) != 0 {
		t.Errorf("one name is found under another: %s", places(a.Nodes))
	}
}
