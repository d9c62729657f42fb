package answer

import "github.com/marola-dev/marola-routing/internal/route/index"

// A frequency says in how many files, histories, changes, paths and names a term is.
type frequency struct{ files, history, changes, paths, names int }

func frequencyOf(p index.Postings) frequency {
	f := frequency{changes: len(p.Changes)}
	f.files, _ = index.Count(p.Files)
	f.history, _ = index.Count(p.History)
	f.paths, _ = index.Count(p.Paths)
	_, f.names = index.Count(p.Names)
	return f
}

// most is the larger of both in everything.
func (f frequency) most(g frequency) frequency {
	return frequency{max(f.files, g.files), max(f.history, g.history), max(f.changes, g.changes), max(f.paths, g.paths), max(f.names, g.names)}
}

// sums are the signals that are summed over the parts of files before the
// best part is taken.
type sums struct {
	passages, docs, names parts
	changes               []float32 // by change: what it shares with the question
}

// add credits the files that hold one term, which is as rare as of says;
// share is how much of its value it gives.
func (s *sums) add(e *Engine, f *field, p index.Postings, of frequency, share float32) {
	h := &e.index.Header
	rarity, past := idf(h.Files, of.files), idf(h.Files, of.history)
	e.index.Both(p.Files, func(file, v int) { f.at(file).content += share * impact(rarity, v, index.Steps) },
		func(file, part, v int) { s.passages.add(file, part, share*impact(rarity, v, index.Coarse), 0) })
	e.index.Pairs(p.History, func(file, v int) { f.at(file).history += share * impact(past, v, index.Coarse) })
	e.index.Groups(p.Docs, func(file, part, v int) { s.docs.add(file, part, share*impact(rarity, v, index.Coarse), 0) })
	told := share * float32(idf(h.Changes, of.changes))
	e.index.Numbers(p.Changes, func(n int) { s.changes[n] += told })
	inPath := share * float32(index.Rarity(h.Files, of.paths))
	e.index.Pairs(p.Paths, func(file, v int) {
		c := f.at(file)
		c.path += inPath
		c.pathShare += float32(v) / index.Whole
	})
	inName := share * float32(index.Rarity(h.Names, of.names))
	e.index.Groups(p.Names, func(file, part, v int) { s.names.add(file, part, inName, float32(v)/index.Whole) })
}
