package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestVerdicts holds the files of verdicts to their form.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob("*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := counts(files, &out); err != nil {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	no := false
	full := verdict{Repo: "o/r", Commit: strings.Repeat("a", 40), Seed: 1, Fact: "image app: read by", File: "a.yml", Line: 1, Verdict: "right"}
	for name, tt := range map[string]struct {
		change func(*verdict)
		says   string
	}{
		"right":                 {func(*verdict) {}, ""},
		"wrong with a reason":   {func(v *verdict) { v.Verdict, v.Reason = "wrong", "a comment" }, ""},
		"wrong without one":     {func(v *verdict) { v.Verdict = "wrong" }, "no reason"},
		"neither":               {func(v *verdict) { v.Verdict = "perhaps" }, "neither"},
		"missing, no reason":    {func(v *verdict) { v.Verdict, v.Found = "", &no }, "no reason"},
		"both":                  {func(v *verdict) { v.Found = &no }, "or found"},
		"a short commit":        {func(v *verdict) { v.Commit = "aaaaaaa" }, "full commit"},
		"drawn by nothing":      {func(v *verdict) { v.Seed = 0 }, "the seed"},
		"a verdict on no fact":  {func(v *verdict) { v.Fact = "" }, "about a fact"},
		"no wiring, no reason":  {func(v *verdict) { v.Verdict, v.Wiring = "", &no }, "no reason"},
		"no wiring, for reason": {func(v *verdict) { v.Verdict, v.Wiring, v.Reason = "", &no, "prose" }, ""},
	} {
		v := full
		tt.change(&v)
		err := v.check()
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: got %v, want %q", name, err, tt.says)
		}
	}
}

func TestDraw(t *testing.T) {
	list := make([]int, 50)
	for i := range list {
		list[i] = i
	}
	a, b := draw(list, 3, 10), draw(list, 3, 10)
	if !slices.Equal(a, b) || len(a) != 10 || !slices.IsSorted(a) {
		t.Errorf("the same seed draws %v and %v", a, b)
	}
	if slices.Equal(a, draw(list, 4, 10)) {
		t.Error("another seed draws the same")
	}
	if got := draw(list, 1, 60); len(got) != 50 {
		t.Errorf("more than there are: got %d", len(got))
	}
}

func TestThrough(t *testing.T) {
	for _, tt := range []struct {
		via  string
		line int
		want bool
	}{
		{"script/release:12", 12, true},
		{"script/release:12", 13, false},
		{"release:12", 12, true},
		{"owner/repo@v1", 1, false},
		{":12", 12, false},
	} {
		if got := through(tt.via, "script/release", tt.line); got != tt.want {
			t.Errorf("%q, line %d: got %v", tt.via, tt.line, got)
		}
	}
}
