package extract

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	dockerFrom    = regexp.MustCompile(`(?i)^\s*from\s+((?:--\S+\s+)*)(\S+)(?:\s+as\s+([\w.-]+))?\s*(?:#.*)?$`)
	dockerSet     = regexp.MustCompile(`(?i)^\s*(arg|env)\s+(.*)$`)
	dockerPair    = regexp.MustCompile(`([A-Za-z_]\w*)=(?:"(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s\\]|\\.)*)`)
	dockerStage   = regexp.MustCompile(`(?i)(?:--from=|,from=|=bind,from=)([\w.-]+)`)
	dockerHeredoc = regexp.MustCompile(`<<-?["']?([A-Za-z_]\w*)["']?`)
	dockerUse     = regexp.MustCompile(`\$\{?([A-Za-z_]\w*)`)
	dockerName    = regexp.MustCompile(`^[A-Za-z_]\w*`)
)

// A dockerReader turns a Dockerfile into a File: its stages, arguments and
// variables, and which stage builds on which.
type dockerReader struct {
	*lineReader
	stages []int
	until  string // the word that ends a text of several lines
}

func parseDocker(c *collector) error {
	r := &dockerReader{lineReader: newLineReader(c)}
	mark := byte('\\')
	if strings.Contains(strings.ToLower(string(c.src[:min(len(c.src), 200)])), "escape=`") {
		mark = '`'
	}
	for l := range r.logical(mark) {
		if r.until != "" {
			if strings.TrimSpace(l.text) == r.until {
				r.until = ""
			}
			continue
		}
		r.line(l)
		r.extend(r.from, l.end)
	}
	return nil
}

func (r *dockerReader) line(l logicalLine) {
	if m := dockerHeredoc.FindStringSubmatch(l.text); m != nil {
		r.until = m[1]
	}
	switch m := dockerSet.FindStringSubmatch(l.text); {
	case r.stage(l):
		return
	case m != nil:
		r.settings(l, strings.ToUpper(m[1]), m[2])
	}
	for _, m := range dockerStage.FindAllStringSubmatch(l.text, -1) {
		r.base(m[1], l.first)
	}
	for _, m := range dockerUse.FindAllStringSubmatch(l.text, -1) {
		r.mention(References, m[1], "", l.first)
	}
}

// stage reads FROM image AS name. A stage without a name is known by its
// number, which nobody asks for: only its base is told.
func (r *dockerReader) stage(l logicalLine) bool {
	m := dockerFrom.FindStringSubmatch(l.text)
	if m == nil {
		return false
	}
	r.from = -1
	if m[3] != "" {
		r.from = r.declare(-1, Stage, m[3], l, l.text)
	}
	r.stages = append(r.stages, r.from)
	r.base(m[2], l.first)
	for _, u := range dockerUse.FindAllStringSubmatch(l.text, -1) {
		r.mention(References, u[1], "", l.first)
	}
	return true
}

// base tells the use of a stage by name or number.
func (r *dockerReader) base(name string, line int) {
	if n, err := strconv.Atoi(name); err == nil {
		if n < 0 || n >= len(r.stages) || r.stages[n] < 0 {
			return
		}
		name = r.file.Definitions[r.stages[n]].Name
	}
	if !strings.ContainsAny(name, "/:$@") && name != "scratch" {
		r.mention(References, name, "", line)
	}
}

// settings reads ARG and ENV. An ENV that repeats an ARG of its stage, to
// keep it, is the same name.
func (r *dockerReader) settings(l logicalLine, word, rest string) {
	define := func(name, sig string) {
		if _, ok := r.find(r.from, name); !ok && name != "" {
			r.declare(r.from, Variable, name, l, sig)
		}
	}
	pairs := dockerPair.FindAllStringSubmatch(rest, -1)
	for _, m := range pairs {
		define(m[1], m[0])
	}
	if word == "ARG" {
		for _, name := range strings.Fields(rest) {
			if dockerName.FindString(name) == name {
				define(name, "ARG "+name)
			}
		}
	} else if len(pairs) == 0 { // ENV name value
		define(dockerName.FindString(rest), strings.Replace(rest, " ", "=", 1))
	}
}
