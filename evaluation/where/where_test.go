package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestQuestions(t *testing.T) {
	list, err := readQuestions("questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 100 || len(modules(list)) < 4 {
		t.Errorf("%d questions about %d modules", len(list), len(modules(list)))
	}
	seen := map[string]bool{}
	for _, q := range list {
		if seen[q.Module+q.Text] {
			t.Errorf("asked twice: %s: %s", q.Module, q.Text)
		}
		seen[q.Module+q.Text] = true
		if !strings.Contains(q.Module, "@") {
			t.Errorf("%s has no pinned version", q.Module)
		}
	}
}

func TestQuestionsThatAreNone(t *testing.T) {
	for name, text := range map[string]string{
		"no kind":       `{"module":"a@v1","question":"x","right":["y"]}`,
		"another kind":  `{"module":"a@v1","kind":"guess","question":"x","right":["y"]}`,
		"nothing right": `{"module":"a@v1","kind":"exact","question":"x","right":[]}`,
		"a member more": `{"module":"a@v1","kind":"exact","question":"x","right":["y"],"why":""}`,
		"no JSON":       `x`,
	} {
		file := filepath.Join(t.TempDir(), "q.jsonl")
		if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readQuestions(file); err == nil || !strings.Contains(err.Error(), ":1: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTally(t *testing.T) {
	var all tally
	for _, rank := range []int{0, 0, 3, 9, -1} {
		all.add(rank)
	}
	if all.n != 5 || all.first != 2 || all.five != 3 || math.Abs(all.reciprocal-2.35) > 1e-9 {
		t.Errorf("%+v", all)
	}
}

func TestGeneratedFilesAreTheSameEveryTime(t *testing.T) {
	read := func() (text string) {
		dir := t.TempDir()
		if err := generate(dir, 30); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
		if err != nil || len(files) != 30 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			text += f[len(dir):] + string(data)
		}
		return text
	}
	if first, second := read(), read(); first != second {
		t.Error("two runs differ")
	}
}
