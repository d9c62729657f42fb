package wire

import (
	"path"
	"strconv"
	"strings"
)

// runStep follows the script of a step.
func (j *job) runStep(st node) {
	run := st.get("run")
	lines := j.lines(run)
	lang := j.language(st)
	if lang != "" {
		if names := toolWords(run.text()); names != "" {
			j.emit(fact{role: unresolved, kind: "script", name: j.w.file.base() + ":" + strconv.Itoa(run.line()), more: "a step in " + lang + ", which is not followed, names " + names}, run.line(), 100)
		}
		return
	}
	id := st.get("id").text()
	dir := st.get("working-directory")
	if !dir.there() {
		dir = j.body.get("defaults").get("run").get("working-directory")
	}
	if !dir.there() {
		dir = j.w.doc.get("defaults").get("run").get("working-directory")
	}
	sh := j.newShell(lines, id)
	if dir.text() != "" {
		sh.dir = sh.join(j.expand(dir)[0])
	}
	text := run.text()
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "${{") && strings.Count(text, "${{") == 1 && strings.HasSuffix(text, "}}") {
		for _, v := range j.expand(run) { // the whole script is a value
			if known(v) {
				sh.line = func(int) int { return run.line() }
				sh.run(v)
			}
		}
		return
	}
	script, values := j.marked(run.text())
	sh.values = values
	if !sh.run(script) {
		j.emit(fact{role: unresolved, kind: "script", name: j.w.file.base() + ":" + strconv.Itoa(run.line()), more: "the step's shell text has an error of syntax; it was followed as far as it goes"}, run.line(), 100)
	}
}

// marked puts a mark in place of each expression of a script, and gives the
// values by number.
func (j *job) marked(text string) (string, [][]string) {
	if !strings.Contains(text, "${{") {
		return text, nil
	}
	var b strings.Builder
	var values [][]string
	for {
		i := strings.Index(text, "${{")
		if i < 0 {
			break
		}
		expr, rest, ok := cutExpression(text[i+3:])
		if !ok {
			break
		}
		b.WriteString(text[:i] + exprMark + strconv.Itoa(len(values)) + exprEnd)
		b.WriteString(strings.Repeat("\\\n", strings.Count(expr, "\n"))) // keeps the lines
		values = append(values, j.runner.scope(j).evaluate(expr))
		text = rest
	}
	b.WriteString(text)
	return b.String(), values
}

// lines tells which line of the file a line of a step's script is.
func (j *job) lines(run node) func(int) int {
	first := run.line()
	if run.isBlock() {
		first++
	}
	return func(n int) int { return first + n - 1 }
}

// language is the language of a step that is not shell, "" for one that is.
func (j *job) language(st node) string {
	shell := st.get("shell").text()
	for _, d := range []node{j.body, j.w.doc} {
		if shell == "" {
			shell = d.get("defaults").get("run").get("shell").text()
		}
	}
	if strings.Contains(shell, "${{") {
		shell = j.runner.scope(j).expand(shell)[0]
	}
	word, _, _ := strings.Cut(shell, " ")
	if word == "" {
		if j.system() == "Windows" {
			return "PowerShell"
		}
		return ""
	}
	switch path.Base(word) {
	case "bash", "sh", "dash", "zsh", "ksh":
		return ""
	case "pwsh", "powershell":
		return "PowerShell"
	}
	if !known(word) {
		return ""
	}
	return clip(path.Base(word), 30)
}

// system is what the job runs on as expressions call it, "" where that is
// not told.
func (j *job) system() string {
	for _, n := range j.body.get("runs-on").texts() {
		for _, v := range j.expand(n) {
			v = strings.ToLower(v)
			for _, s := range []struct{ prefix, name string }{{"windows", "Windows"}, {"ubuntu", "Linux"}, {"macos", "macOS"}} {
				if strings.HasPrefix(v, s.prefix) {
					return s.name
				}
			}
		}
	}
	return ""
}

// skipped reports a condition that never holds, as far as files tell: one on
// the matrix, on an input, on where the job runs.
func (j *job) skipped(cond node) bool {
	text := condition(cond)
	return text != "" && j.runner.scope(j).never(text)
}

// tools are the programs whose use in a script that cannot be followed is
// worth a word.
var tools = []string{"gh ", "git push", "docker ", "npm publish", "twine ", "cargo publish", "curl ", "wget ", "Invoke-WebRequest", "Invoke-RestMethod", "nuget push", "kubectl ", "helm ", "terraform ", "az ", "aws ", "gcloud ", "requests.", "urllib", "subprocess"}

// toolWords names those a script mentions, "" where it mentions none.
func toolWords(text string) string {
	var found []string
	for _, t := range tools {
		if strings.Contains(text, t) {
			found = append(found, strings.TrimSpace(t))
		}
	}
	return strings.Join(found, ", ")
}
