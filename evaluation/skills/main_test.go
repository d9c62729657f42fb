package main

import (
	"slices"
	"strings"
	"testing"
)

// TestData: enough of it, in both halves, and every skill that a prompt names
// is there.
func TestData(t *testing.T) {
	skills, err := rows("skills.txt", 3)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range skills {
		if slices.Contains(names, r[0]) {
			t.Errorf("%s is there twice", r[0])
		}
		names = append(names, r[0])
	}
	prompts, err := rows("prompts.txt", 3)
	if err != nil {
		t.Fatal(err)
	}
	none := map[string]int{}
	for _, r := range prompts {
		if r[0] != "fit" && r[0] != "report" {
			t.Errorf("%q is of no half", r[2])
		}
		if r[1] == "none" {
			none[r[0]]++
			continue
		}
		for name := range strings.SplitSeq(r[1], ", ") {
			if !slices.Contains(names, name) {
				t.Errorf("%q names %s, which is not there", r[2], name)
			}
		}
	}
	if len(names) < 100 || len(prompts) < 80 || none["fit"] < 15 || none["report"] < 15 {
		t.Errorf("%d skills, %d prompts, %v of them need none", len(names), len(prompts), none)
	}
}

// TestWordsAlone runs the whole measurement without a model.
func TestWordsAlone(t *testing.T) {
	if err := run(t.Context(), "", true); err != nil {
		t.Fatal(err)
	}
}
