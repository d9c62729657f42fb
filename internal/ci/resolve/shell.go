package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A shellFamily resolves shell scripts: functions of the file and of those
// it sources, and scripts that run others.
type shellFamily struct {
	w       *workspace
	named   map[string][]int // file name → scripts
	sources [][]shellSource
	readers [][]int            // unit → the scripts that source it
	defined []map[string][]Ref // unit → its functions, and what else it names
}

type shellSource struct {
	to, line int
	proof
}

func newShellFamily(w *workspace) *shellFamily {
	s := &shellFamily{
		w: w, named: make(map[string][]int), sources: make([][]shellSource, len(w.units)),
		readers: make([][]int, len(w.units)), defined: make([]map[string][]Ref, len(w.units)),
	}
	for u, unit := range w.units {
		if s.speaks(w.file(u).Lang) {
			base := path.Base(unit.Path)
			s.named[base] = append(s.named[base], u)
			s.defined[u] = make(map[string][]Ref)
			for i, d := range w.file(u).Definitions {
				s.defined[u][d.Name] = append(s.defined[u][d.Name], Ref{u, i})
			}
		}
	}
	for u := range w.units {
		if !s.speaks(w.file(u).Lang) {
			continue
		}
		for _, im := range w.file(u).Imports {
			if to, p, ok := s.locate(u, im.Path); ok && to != u {
				s.sources[u] = append(s.sources[u], shellSource{to, im.Line, p})
				s.readers[to] = append(s.readers[to], u)
			}
		}
	}
	return s
}

func (s *shellFamily) speaks(lang string) bool { return lang == "shell" }

func (s *shellFamily) imports(u int) []link {
	var out []link
	for _, src := range s.sources[u] {
		out = append(out, link{Ref{u, -1}, Ref{src.to, -1}, extract.ImportsRel, src.line, src.proof})
	}
	return out
}

// locate finds the script that a path means: beside the script, below its
// repository, or, when it starts with a variable, the only one whose path
// ends in the rest.
func (s *shellFamily) locate(u int, name string) (int, proof, bool) {
	rest, computed := afterExpansion(strings.Trim(name, `"'`))
	if computed {
		for strings.HasPrefix(rest, "/$") { // "$root/$lib/log.sh"
			rest, _ = afterExpansion(rest[1:])
		}
	}
	if rest == "" || strings.ContainsAny(rest, "$`*?[") || path.IsAbs(rest) && !computed {
		return 0, proof{}, false
	}
	rest = strings.TrimPrefix(rest, "/")
	p := certain("shell-source")
	if computed {
		p = likely("shell-source", 0.9)
	}
	for _, dir := range []string{s.w.dir(u), s.w.units[u].Root} {
		if at, ok := join(dir, rest); ok && within(at, s.w.units[u].Root) {
			if to, ok := s.w.at[at]; ok {
				return to, p, true
			}
		}
	}
	tail := strings.TrimLeft(path.Clean(rest), "./")
	match := -1
	for _, v := range s.named[path.Base(tail)] {
		if s.w.units[v].Repo != s.w.units[u].Repo || !strings.HasSuffix("/"+s.w.units[v].Path, "/"+tail) {
			continue
		}
		if match >= 0 {
			return 0, proof{}, false
		}
		match = v
	}
	return match, likely("unique-path", 0.7), match >= 0
}

// afterExpansion drops what the shell computes at the start of a path:
// "$dir/lib.sh", "${BASH_SOURCE%/*}/lib.sh", "$(dirname "$0")/lib.sh".
func afterExpansion(p string) (rest string, computed bool) {
	if !strings.HasPrefix(p, "$") && !strings.HasPrefix(p, "`") {
		return p, false
	}
	switch {
	case strings.HasPrefix(p, "$(") || strings.HasPrefix(p, "${"):
		rest, ok := skipBrackets(p[1:])
		if !ok {
			return "", true
		}
		return strings.TrimLeft(rest, `"`), true
	case p[0] == '`':
		i := strings.IndexByte(p[1:], '`')
		return p[i+2:], true
	}
	i := 1
	for i < len(p) && isNameByte(p[i]) && p[i] != '$' {
		i++
	}
	return strings.TrimLeft(p[i:], `"`), true
}

// resolve finds the function or script that a command means. The shell looks
// names up when it runs, so a sourced file's own sources count too.
func (s *shellFamily) resolve(u int, r *extract.Reference) found {
	f := s.find(u, r)
	f.settled = true
	return f
}

func (s *shellFamily) find(u int, r *extract.Reference) found {
	if command := qualifiedPath(r); strings.Contains(command, "/") {
		if to, p, ok := s.locate(u, command); ok {
			p.resolver = "script-path"
			return one(Ref{to, -1}, p)
		}
		return found{}
	}
	if r.Qualifier != "" {
		return found{}
	}
	if f := s.from(u, r); len(f.refs) > 0 {
		return f
	}
	return s.fromReaders(u, r)
}

// maxReaders bounds how many scripts that source a file are looked through.
const maxReaders = 64

// fromReaders finds a name that a sourced file leaves to the scripts that
// source it, where all of them that have it mean the same.
func (s *shellFamily) fromReaders(u int, r *extract.Reference) found {
	if r.Relation != extract.Calls || len(s.readers[u]) > maxReaders {
		return found{}
	}
	var all found
	for _, reader := range s.readers[u] {
		f := s.from(reader, r)
		switch {
		case len(f.refs) == 0:
		case len(all.refs) == 0:
			all = f
		case !slices.Equal(all.refs, f.refs):
			return found{}
		}
	}
	if len(all.refs) != 1 {
		return found{}
	}
	return one(all.refs[0], likely("sourced-by", 0.8))
}

// from finds what a name means in a script, by its own text and what it
// sources.
func (s *shellFamily) from(u int, r *extract.Reference) found {
	level := []shellSource{{u, 0, certain("same-file")}}
	seen := map[int]bool{u: true}
	for range maxSteps {
		var hits []Ref
		p := proof{}
		var next []shellSource
		for _, l := range level {
			for _, d := range s.defined[l.to][r.Name] {
				if isCallable(s.w.def(d).Kind) || r.Relation != extract.Calls {
					hits = append(hits, d)
					p = l.proof
				}
			}
			for _, src := range s.sources[l.to] {
				if !seen[src.to] {
					seen[src.to] = true
					if l.to != u && l.score < src.score {
						src.proof = l.proof
					}
					next = append(next, src)
				}
			}
		}
		if len(hits) > 0 {
			return among(u, hits, p)
		}
		level = next
	}
	return found{}
}

func qualifiedPath(r *extract.Reference) string {
	if r.Qualifier == "" {
		return r.Name
	}
	return strings.TrimSuffix(r.Qualifier, "/") + "/" + r.Name
}
