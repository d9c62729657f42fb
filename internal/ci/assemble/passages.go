package assemble

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/secret"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// Bounds of a passage, in bytes. Below the least, a passage is too thin to
// be ranked by itself; above the most, it is cut at the next blank line.
const (
	leastPassage = 600
	mostPassage  = 2400
)

// maxWords is how much of one file goes into the word index, in bytes. Past
// it come generated tables, not words that somebody would ask for.
const maxWords = 256 << 10

// passages cuts a file where definitions start, comments included, and
// counts the words of each piece, without those of what looks like a secret
// or is called one.
func passages(name string, data []byte, defs []extract.Definition) []index.Passage {
	if len(data) > maxWords {
		data = data[:maxWords]
	}
	lines := strings.SplitAfter(string(data), "\n")
	starts := boundaries(lines, defs)
	mask := maskOf(name)
	var out []index.Passage
	first, size := 0, 0
	flush := func(end int) {
		if end > first {
			if p := count(lines[first:end], first+1, mask); len(p.Terms) > 0 {
				out = append(out, p)
			}
		}
		first, size = end, 0
	}
	for i, line := range lines {
		blank := strings.TrimSpace(line) == ""
		if size >= leastPassage && starts[i] || size >= mostPassage && blank || size >= 2*mostPassage {
			flush(i)
		}
		size += len(line)
	}
	flush(len(lines))
	return out
}

// boundaries marks the lines where a definition begins with its comment.
// Without definitions every paragraph may begin a passage.
func boundaries(lines []string, defs []extract.Definition) []bool {
	starts := make([]bool, len(lines))
	if len(defs) == 0 {
		for i := 1; i < len(lines); i++ {
			starts[i] = strings.TrimSpace(lines[i-1]) == ""
		}
		return starts
	}
	for _, d := range defs {
		switch d.Kind {
		case extract.Field, extract.EnumCase, extract.Key:
			continue
		}
		i := d.Line - 1
		if i < 0 || i >= len(lines) {
			continue
		}
		for i > 0 && strings.TrimSpace(lines[i-1]) != "" && indent(lines[i-1]) >= indent(lines[d.Line-1]) && isLead(lines[i-1]) {
			i--
		}
		starts[i] = true
	}
	return starts
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// isLead reports whether a line belongs to the definition below it: a
// comment, a decorator or an annotation.
func isLead(line string) bool {
	t := strings.TrimSpace(line)
	for _, p := range []string{"//", "#", "*", "/*", "@", "--"} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return strings.HasSuffix(t, "*/")
}

// maskOf is what hides the values of names that say they are secret: in files
// of settings for an environment, and in shell scripts, they need no quotes.
func maskOf(name string) func(string) string {
	if isEnvironment(name) || strings.EqualFold(path.Ext(name), ".sh") {
		return secret.MaskLine
	}
	return secret.MaskNamed
}

// isEnvironment reports a file such as .env, .env.local or test.env.
func isEnvironment(name string) bool {
	base := strings.ToLower(path.Base(name))
	return base == ".env" || strings.HasPrefix(base, ".env.") || strings.HasSuffix(base, ".env")
}

func count(lines []string, first int, mask func(string) string) index.Passage {
	n := map[string]int{}
	for _, l := range lines {
		lexicon.Words(secret.Mask(mask(l)), func(t string) { n[t]++ })
	}
	p := index.Passage{Line: first, Terms: make([]index.TermCount, 0, len(n))}
	for t, c := range n {
		p.Terms = append(p.Terms, index.TermCount{Term: t, Count: min(c, 1<<15)})
	}
	slices.SortFunc(p.Terms, func(a, b index.TermCount) int { return strings.Compare(a.Term, b.Term) })
	// A passage may begin with blank lines; point at its first word.
	for _, l := range lines {
		if len(bytes.TrimSpace([]byte(l))) > 0 {
			break
		}
		p.Line++
	}
	return p
}
