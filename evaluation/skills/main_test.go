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
	if len(names) != ownSkills {
		t.Errorf("%d skills, and the program says %d", len(names), ownSkills)
	}
	if len(names) < 100 || len(prompts) < 80 || none["fit"] < 15 || none["report"] < 15 {
		t.Errorf("%d skills, %d prompts, %v of them need none", len(names), len(prompts), none)
	}
}

// TestWordsAlone runs the whole measurement without a model.
func TestWordsAlone(t *testing.T) {
	if err := run(t.Context(), "", ownSkills, true); err != nil {
		t.Fatal(err)
	}
}

// TestPool: of any size up to what there is, without a name twice, and with
// prompts that it has all skills for.
func TestPool(t *testing.T) {
	prompts := []prompt{{skills: []string{"api-pagination"}}, {}, {skills: []string{"api-pagination", "quillbase-rate-limits"}}}
	for size, asked := range map[int]int{50: 2, ownSkills: 2, 500: 3} {
		list, err := pool(size)
		if err != nil || len(list) != size {
			t.Fatalf("%d: %d, %v", size, len(list), err)
		}
		seen := map[string]bool{}
		for _, r := range list {
			if seen[r[0]] || strings.Contains(r[1], "%s") {
				t.Errorf("%q", r)
			}
			seen[r[0]] = true
		}
		if got := len(within(prompts, list)); got != asked {
			t.Errorf("%d: %d prompts", size, got)
		}
	}
	if _, err := pool(5000); err == nil {
		t.Error("there are 5000")
	}
}
