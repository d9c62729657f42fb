package pin

import (
	"strings"
)

// An instruction is one of a Dockerfile, its continuation lines joined.
type instruction struct {
	line  int
	word  string // FROM, COPY …
	rest  string
	parts []string // rest by lines
}

// readDockerfile reads the images that a Dockerfile builds on and copies
// from.
func readDockerfile(f *file) {
	stages := map[string]bool{}
	args := map[string]string{} // what stands before the first FROM has a say in it
	early := true
	f.syntaxLine()
	for _, in := range f.instructions() {
		words := strings.Fields(in.rest)
		switch in.word {
		case "ENV":
			for _, w := range words {
				name, value, _ := strings.Cut(w, "=")
				f.variable(name, unquote(value), in.line)
			}
			if len(words) == 2 {
				f.variable(words[0], unquote(words[1]), in.line)
			}
		case "ARG":
			if name, value, ok := strings.Cut(in.rest, "="); ok {
				f.variable(strings.TrimSpace(name), unquote(strings.TrimSpace(value)), in.line)
			}
			if name, value, ok := strings.Cut(in.rest, "="); ok && early {
				args[strings.TrimSpace(name)] = withDefaults(unquote(strings.TrimSpace(value)), args)
			}
		case "FROM":
			early = false
			var flags string
			for len(words) > 0 && strings.HasPrefix(words[0], "--") {
				flags, words = words[0], words[1:]
			}
			if len(words) == 0 {
				continue
			}
			from := withDefaults(unquote(words[0]), args)
			stage := ""
			if len(words) >= 3 && strings.EqualFold(words[1], "AS") {
				stage = words[2]
			}
			if !stages[strings.ToLower(from)] && from != "scratch" {
				note := flags
				if stage != "" {
					note = "stage " + stage
				}
				f.image(Reads, from, in.line, note)
			}
			if stage != "" {
				stages[strings.ToLower(stage)] = true
			}
		case "COPY", "ADD", "RUN":
			f.flagImages(in, words, stages, args)
			if in.word != "COPY" {
				for i, part := range in.parts {
					f.codeLine(in.line+i, part)
				}
			}
		}
	}
}

// flagImages reads COPY --from=image and RUN --mount=…,from=image.
func (f *file) flagImages(in instruction, words []string, stages map[string]bool, args map[string]string) {
	for _, w := range words {
		flag, ok := strings.CutPrefix(w, "--")
		if !ok {
			return
		}
		name, value, _ := strings.Cut(flag, "=")
		switch {
		case name == "from" && in.word == "COPY":
			f.copyFrom(value, in.line, stages, args)
		case name == "mount" && in.word == "RUN":
			for option := range strings.SplitSeq(value, ",") {
				if from, ok := strings.CutPrefix(option, "from="); ok {
					f.copyFrom(from, in.line, stages, args)
				}
			}
		}
	}
}

func (f *file) copyFrom(from string, line int, stages map[string]bool, args map[string]string) {
	from = withDefaults(unquote(from), args)
	if stages[strings.ToLower(from)] || strings.Trim(from, "0123456789") == "" {
		return
	}
	// A plain word is the name of a stage or of a build context far more
	// often than an image of the hub without a tag.
	if strings.ContainsAny(from, "/:@") {
		f.image(Reads, from, line, "copied from")
	}
}

// syntaxLine reads the first line's "# syntax=image", which says what parses
// the file.
func (f *file) syntaxLine() {
	for n := 1; strings.HasPrefix(f.line(n), "#"); n++ {
		text := strings.TrimSpace(strings.TrimPrefix(f.line(n), "#"))
		if name, value, ok := strings.Cut(text, "="); ok && strings.EqualFold(strings.TrimSpace(name), "syntax") {
			f.image(Reads, strings.TrimSpace(value), n, "syntax")
		}
	}
}

// instructions takes a Dockerfile apart, without comments. The body of a
// here-document is among the parts of its instruction, and not in its rest.
func (f *file) instructions() []instruction {
	var out []instruction
	var open *instruction
	escape := byte('\\')
	var ends []string // of here-documents that go on
	f.each(func(n int, text string) {
		trimmed := strings.TrimSpace(text)
		if len(ends) > 0 {
			last := &out[len(out)-1]
			for last.line+len(last.parts) < n {
				last.parts = append(last.parts, "")
			}
			last.parts = append(last.parts, trimmed)
			if strings.TrimLeft(text, "\t") == ends[0] || text == ends[0] {
				ends = ends[1:]
			}
			return
		}
		if strings.HasPrefix(trimmed, "#") {
			if name, value, ok := strings.Cut(trimmed[1:], "="); ok && len(out) == 0 && open == nil &&
				strings.EqualFold(strings.TrimSpace(name), "escape") && strings.TrimSpace(value) == "`" {
				escape = '`'
			}
			return
		}
		if trimmed == "" {
			return
		}
		more := trimmed[len(trimmed)-1] == escape
		code := trimmed
		if more {
			code = strings.TrimSpace(trimmed[:len(trimmed)-1])
		}
		if open == nil {
			open = &instruction{line: n}
			i := strings.IndexAny(code, " \t")
			if i < 0 {
				i = len(code)
			}
			open.word, code = strings.ToUpper(code[:i]), strings.TrimSpace(code[i:])
		}
		for open.line+len(open.parts) < n {
			open.parts = append(open.parts, "") // comments and empty lines
		}
		open.parts = append(open.parts, code)
		if more {
			return
		}
		open.join()
		ends = hereDocuments(*open)
		out = append(out, *open)
		open = nil
	})
	if open != nil {
		open.join()
		out = append(out, *open)
	}
	return out
}

// join makes one text of an instruction's lines.
func (in *instruction) join() {
	in.rest = strings.TrimSpace(strings.Join(in.parts[:min(len(in.parts), maxParts)], " "))
}

// maxParts is how many lines of one instruction are looked at.
const maxParts = 2000

// hereDocuments are the words that end the here-documents of an instruction.
func hereDocuments(in instruction) []string {
	if in.word != "RUN" && in.word != "COPY" && in.word != "ADD" {
		return nil
	}
	var ends []string
	for w := range strings.FieldsSeq(in.rest) {
		_, end, ok := strings.Cut(w, "<<")
		end = strings.Trim(strings.TrimPrefix(end, "-"), `"'`)
		if ok && end != "" && strings.IndexFunc(end, func(r rune) bool { return r > 127 || !isWord(byte(r)) }) < 0 && (end[0] < '0' || end[0] > '9') {
			ends = append(ends, end)
		}
	}
	return ends
}

// unquote takes the quotes off a value.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}
