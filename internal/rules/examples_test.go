package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"mvdan.cc/sh/v3/syntax"
)

// shells are the languages of a fenced block that holds commands. A console
// block also holds what they print; its commands stand after "$ ".
var shells = []string{"sh", "bash", "shell", "console"}

// TestExamplesNameWhatExists: a command in a document, in a workflow of a
// document, in a script or in a help text names a command and flags that the
// program has. Somebody will copy it.
func TestExamplesNameWhatExists(t *testing.T) {
	known := map[string][]verb{}
	for program := range programs {
		known[program] = verbs(t, program)
	}
	checked := 0
	check := func(where, script string) {
		lines, err := commands(script)
		if err != nil {
			t.Errorf("%s: %v", where, err)
		}
		for _, words := range lines {
			if _, ours := known[words[0]]; ours {
				checked++
				for _, problem := range unknown(known[words[0]], words) {
					t.Errorf("%s: %s", where, problem)
				}
			}
		}
	}
	checkWorkflow := func(where, text string) {
		var w workflow
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				check(where, step.Run)
			}
		}
	}
	for _, doc := range documents(t) {
		for _, b := range blocks(read(t, doc)) {
			where := fmt.Sprintf("%s, line %d", doc, b.line)
			switch {
			case b.lang == "console":
				check(where, typed(b.text))
			case slices.Contains(shells, b.lang):
				check(where, b.text)
			case isWorkflow(b):
				checkWorkflow(where, b.text)
			}
		}
	}
	for _, file := range tree(t, func(p string) bool { return isExample(p) || strings.HasPrefix(p, ".github/workflows/") }) {
		checkWorkflow(file, read(t, file))
	}
	for _, script := range tree(t, func(p string) bool { return strings.HasPrefix(p, "scripts/") || p == "Makefile" }) {
		text := read(t, script)
		if script == "Makefile" {
			text = recipes(text)
		}
		check(script, text)
	}
	for program, verbs := range known {
		for _, v := range verbs {
			if len(v.examples) == 0 {
				t.Errorf("%s %s --help shows no example", program, v.name)
			}
			check(program+" "+v.name+" --help", strings.Join(v.examples, "\n"))
		}
	}
	if checked < 20 {
		t.Errorf("only %d examples were found: the test does not see them", checked)
	}
}

// typed are the lines of a console block that a person types.
func typed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
			b.WriteString(command + "\n")
		}
	}
	return b.String()
}

// recipes are a Makefile's commands, with make's own marks taken off.
func recipes(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "\t"); ok {
			b.WriteString(strings.ReplaceAll(strings.TrimLeft(command, "@-"), "$$", "$"))
		} else if strings.TrimSpace(line) == "" {
			b.WriteString("\n")
		}
	}
	return strings.ReplaceAll(b.String(), "$(", "$(: ")
}

// commands are the simple commands of a shell script, each as its words.
// The first word is the program's base name; an expansion is "$".
func commands(script string) (found [][]string, err error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, fmt.Errorf("not a shell script: %w", err)
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		var words []string
		for _, w := range call.Args {
			words = append(words, literal(w.Parts))
		}
		words[0] = path.Base(words[0])
		// A wrapper that names its step before the command.
		for len(words) > 2 && (words[0] == "step" || words[0] == "run") {
			words = words[2:]
			words[0] = path.Base(words[0])
		}
		found = append(found, words)
		return true
	})
	return found, nil
}

func literal(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(literal(p.Parts))
		default:
			b.WriteString("$")
		}
	}
	return b.String()
}

// unknown says what a command line names that the program does not have.
func unknown(known []verb, words []string) (problems []string) {
	if len(words) < 2 || strings.HasPrefix(words[1], "$") || words[1] == "--help" || words[1] == "--version" {
		return nil
	}
	i := slices.IndexFunc(known, func(v verb) bool { return v.name == words[1] })
	if i < 0 && len(words) > 2 {
		two := words[1] + " " + words[2]
		if i = slices.IndexFunc(known, func(v verb) bool { return v.name == two }); i >= 0 {
			words = append([]string{words[0], two}, words[3:]...)
		}
	}
	if i < 0 {
		return []string{fmt.Sprintf("%s has no command %q", words[0], words[1])}
	}
	for n := 2; n < len(words); n++ {
		name, ok := strings.CutPrefix(words[n], "-")
		if !ok || name == "" {
			continue
		}
		if words[n] == "--" {
			break
		}
		if !strings.HasPrefix(name, "-") {
			problems = append(problems, fmt.Sprintf("%s %s: write %s with two dashes", words[0], words[1], words[n]))
		}
		name, _, joined := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		takesValue, has := known[i].flags[name]
		switch {
		case name == "help":
		case !has:
			problems = append(problems, fmt.Sprintf("%s %s has no flag --%s", words[0], words[1], name))
		case takesValue && !joined && n == len(words)-1:
			problems = append(problems, fmt.Sprintf("%s %s: --%s needs a value", words[0], words[1], name))
		case takesValue && !joined:
			n++
		}
	}
	return problems
}

func TestUnknown(t *testing.T) {
	known := []verb{{name: "query", flags: map[string]bool{"budget": true, "json": false}}, {name: "word list", flags: map[string]bool{"all": false}}}
	for script, want := range map[string]int{
		`route query "where is it" --budget 400 --json`:  0,
		`bin/route query a --budget=4`:                   0,
		`ROUTE=1 ./bin/route query --json -- --not-flag`: 0,
		`route --help | head`:                            0,
		`route query a --budgte 400`:                     1,
		`route query a -json`:                            1,
		`route query a --budget`:                         1,
		`route word list --all`:                          0,
		`route word list --al`:                           1,
		`route word lost`:                                1,
		`x=$(route qeury a)`:                             1,
		`step "asking" "$bin/route" qeury "$words"`:      1,
		"if true; then\n  route query --no\nfi":          1,
	} {
		found, err := commands(script)
		if err != nil {
			t.Errorf("%s: %v", script, err)
		}
		got := 0
		for _, words := range found {
			if words[0] == "route" {
				got += len(unknown(known, words))
			}
		}
		if got != want {
			t.Errorf("%s: %d problems, want %d", script, got, want)
		}
	}
	if _, err := commands(`route query "`); err == nil {
		t.Error("an open quote is accepted")
	}
}
