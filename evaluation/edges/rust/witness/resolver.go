package main

import (
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/evaluation/edges/fact"
)

// A resolver finds where the targets of one dump's calls stand.
type resolver struct {
	*sources
	own       *dump
	libraries map[string]*dump
}

var (
	lastName = regexp.MustCompile(`([A-Za-z_]\w*)$`)
	pathName = regexp.MustCompile(`^(?:[A-Za-z_]\w*(?:::<[^()]*?>)?(?:<[^()]*?>)?::)*([A-Za-z_]\w*)`)
)

// facts are what a call says. A call of a trait's method on a known type
// tells the method of the impl, and with it that of the trait.
func (r *resolver) facts(c call) []fact.Call {
	f := fact.Call{File: c.at.file, Line: c.at.line}
	names := c.target.names
	if f.Name = r.written(c); f.Name == "" || len(names) == 0 {
		return nil
	}
	if c.builds {
		if at, ok := r.built(c); ok {
			return []fact.Call{target(f, at, true)}
		}
		return []fact.Call{f}
	}
	name := names[len(names)-1]
	if f.Name != name && !r.renamed(c.at.file, name, f.Name) {
		return nil
	}
	if len(names) < 2 || !capital(names[len(names)-2]) {
		if at, ok := r.defined(c.target); ok {
			return []fact.Call{target(f, at, false)}
		}
		return []fact.Call{f}
	}
	trait := names[len(names)-2]
	var out []fact.Call
	own := r.implemented(trait, bare(strings.ReplaceAll(c.self, "{erased}", "erased")), name)
	for _, at := range own {
		out = append(out, target(f, at, len(own) > 1))
	}
	if at, ok := r.ofTrait(c.target); ok {
		out = append(out, target(f, at, len(own) > 0))
	} else if len(out) == 0 {
		out = append(out, f)
	}
	return out
}

func target(f fact.Call, at position, dynamic bool) fact.Call {
	f.TargetFile, f.TargetLine, f.Dynamic = at.file, at.line, dynamic
	return f
}

func capital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// written is the name that the source has where the call is. It is "" for
// what a macro made.
func (r *resolver) written(c call) string {
	lines := r.lines[c.at.file]
	if c.at.line > len(lines) || c.at.line < 1 {
		return ""
	}
	line := []rune(lines[c.at.line-1])
	if c.at.col-1 > len(line) {
		return ""
	}
	if c.builds {
		if m := pathName.FindStringSubmatch(string(line[c.at.col-1:])); m != nil {
			return m[1]
		}
		return ""
	}
	text := string(line[:c.at.col-1])
	if strings.HasSuffix(text, ">") {
		text = beforeArguments(text)
	}
	if m := lastName.FindString(text); m != "" {
		return m
	}
	return ""
}

// beforeArguments leaves out the ::<…> that text ends with.
func beforeArguments(text string) string {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return strings.TrimSuffix(text[:i], "::")
			}
		}
	}
	return ""
}

// renamed reports whether a file imports a name under another.
func (r *resolver) renamed(file, name, alias string) bool {
	as := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\s+as\s+` + regexp.QuoteMeta(alias) + `\b`)
	_, ok := r.find(file, 1, len(r.lines[file]), as)
	return ok
}

// home is the dump that holds the bodies of a definition's crate, with the
// crate's folder; ok is false for a crate from outside the workspace.
func (r *resolver) home(crate string, local bool) (d *dump, dir string, ok bool) {
	d = r.libraries[crate]
	if local {
		d = r.own
	}
	if d == nil {
		return nil, "", false
	}
	return d, d.folder(), true
}

// defined is the place of a function that has a body.
func (r *resolver) defined(p defPath) (position, bool) {
	d, _, ok := r.home(p.crate, p.local)
	if !ok {
		return position{}, false
	}
	body, ok := d.bodies[p.key()]
	if !ok {
		return position{}, false
	}
	return r.above(body, p.names[len(p.names)-1])
}

// ofTrait is the place of a method in its trait.
func (r *resolver) ofTrait(p defPath) (position, bool) {
	_, dir, ok := r.home(p.crate, p.local)
	if !ok {
		return position{}, false
	}
	n := len(p.names)
	trait, ok := r.item(dir, p.names[n-2], p.names[:n-2])
	if !ok {
		return position{}, false
	}
	return r.find(trait.file, trait.line, len(r.lines[trait.file]), function(p.names[n-1]))
}

// built is the place of a struct or a variant.
func (r *resolver) built(c call) (position, bool) {
	_, dir, ok := r.home(c.target.crate, c.target.local)
	if !ok {
		return position{}, false
	}
	n := len(c.target.names)
	at, ok := r.item(dir, c.target.names[n-1], c.target.names[:n-1])
	if !ok || c.variant == "" {
		return at, ok
	}
	return r.find(at.file, at.line+1, at.line+1000, regexp.MustCompile(`^\s*`+c.variant+`\b`))
}
