package answer

import (
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// frames credits the files that a stack trace, or a compiler, names. Such a
// line is no hint but a place, so nothing stands before the first one that
// the workspace has; those after it called it.
func (e *Engine) frames(f *field, q lexicon.Question) error {
	if len(q.Frames) == 0 {
		return nil
	}
	keys := make([]string, len(q.Frames))
	for i, fr := range q.Frames {
		keys[i] = index.ExactKey(lexicon.Fold(path.Base(fr.Path)))
	}
	postings, err := e.index.Terms(keys)
	if err != nil {
		return err
	}
	value := exactFrame
	for i, fr := range q.Frames {
		places, err := e.places(fr, postings[i].Exact)
		if err != nil {
			return err
		}
		for _, p := range places {
			if c := f.at(p.file); float32(value) > c.exact {
				c.exact, c.exactAt, c.frameLine = float32(value), int32(p.def), int32(p.line)
			}
		}
		if len(places) > 0 {
			value -= nextFrame
		}
	}
	return nil
}

// A place is a definition, or a file (−1), and the line of a frame when it is
// in the definition, else 0.
type place struct{ file, def, line int }

// places returns where a frame is: in the files of its base name whose path
// agrees with most of the frame's, from the end. A trace tells a path as it
// was on another machine, or only the base name; then the function decides.
func (e *Engine) places(fr lexicon.Frame, exact string) ([]place, error) {
	var files []int
	e.index.Exact(exact, func(file, def int) {
		if def < 0 && len(files) < maxNamesakes {
			files = append(files, file)
		}
	})
	e.index.Prefetch(files)
	var best []place
	most := 0
	for _, file := range files {
		rec, err := e.index.File(file)
		if err != nil {
			return nil, err
		}
		agree := 4 * sharedEnd(rec.Path, fr.Path)
		if agree == 0 {
			continue
		}
		defs, err := rec.Defs()
		if err != nil {
			return nil, err
		}
		p := place{file: file, def: -1}
		if d, how := frameDef(defs, fr); d >= 0 {
			p.def = d
			agree += how
			if fr.Line >= defs[d].Line && fr.Line <= defs[d].End {
				p.line = fr.Line
			}
		}
		if agree > most {
			best, most = best[:0], agree
		}
		if agree == most {
			best = append(best, p)
		}
	}
	return best, nil
}

// sharedEnd counts the folders and base names that two paths have alike at
// their ends.
func sharedEnd(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// frameDef returns the definition that a frame is in, or −1, and how well it
// agrees: 3 for the line and the name, 2 for the name in its container, 1 for
// either. A name without its line is a file that has changed since.
func frameDef(defs []index.Def, fr lexicon.Frame) (def, how int) {
	def = -1
	container, name := "", fr.Name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		container, name = name[:i], name[i+1:]
	}
	for i, d := range defs {
		in := fr.Line >= d.Line && fr.Line <= d.End
		named := name != "" && d.Name == name
		agrees := 0
		switch {
		case named && in:
			agrees = 3
		case named && container != "" && strings.HasSuffix(d.Container, container):
			agrees = 2
		case named || in:
			agrees = 1
		}
		// Of nested ones the innermost stands last.
		if agrees > 0 && agrees >= how {
			def, how = i, agrees
		}
	}
	return def, how
}
