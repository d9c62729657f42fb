package index

import "math"

// norms are what BM25 needs to know of the whole workspace.
type norms struct {
	b                           *Builder
	file, history, passage, doc float64     // mean lengths
	pathTotal                   []float64   // per file: the weight of its path's words
	nameTotal                   [][]float64 // per file and definition: of its name's
}

// norms sums up over the terms in their order: a sum of floating-point numbers
// depends on it.
func (b *Builder) norms() (*norms, error) {
	n := &norms{b: b}
	n.file, n.history = mean(b.fileLen), mean(b.historyLen)
	n.passage, n.doc = mean(b.passageLen...), mean(b.docLen...)
	n.pathTotal = make([]float64, len(b.docs))
	n.nameTotal = make([][]float64, len(b.docs))
	for i := range b.docs {
		n.nameTotal[i] = make([]float64, len(b.docLen[i]))
	}
	err := b.terms.each(func(_ string, d *termData) {
		for _, p := range d.list[inPaths] {
			n.pathTotal[p.file] += Rarity(len(b.docs), len(d.list[inPaths]))
		}
		for _, p := range d.list[inNames] {
			n.nameTotal[p.file][p.part] += Rarity(b.names, len(d.list[inNames]))
		}
	})
	return n, err
}

// Rarity is the weight of a word that stands in df of n things: ln(1+n/df).
func Rarity(n, df int) float64 {
	if df <= 0 {
		return math.Log(1 + float64(n)*2)
	}
	return math.Log(1 + float64(n)/float64(df))
}

func mean(lists ...[]float64) float64 {
	sum, n := 0.0, 0
	for _, l := range lists {
		for _, x := range l {
			if x > 0 {
				sum += x
				n++
			}
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}

// impact is BM25's saturated term weight, 1 to steps−1.
func impact(steps int, weight float32, length, mean, norm float64) int {
	w := float64(weight)
	k := saturation * (1 - norm + norm*length/mean)
	return max(1, min(steps-1, int(math.Round(float64(steps)*w/(w+k)))))
}

// share is a word's part of the whole weight of a name, 1 to Whole. It is
// rounded up, so that those of all words are never less than the whole.
func share(weight, total float64) int {
	return max(1, min(Whole, int(math.Ceil(Whole*weight/total-1e-9))))
}

// row encodes one term, or nothing when no list is left.
func (n *norms) row(t string, d *termData) []byte {
	e := encoder{cut: &n.b.cut}
	files, paths, names := len(d.list[inFiles]), len(d.list[inPaths]), len(d.list[inNames])
	passages := d.list[inPassages]
	if float64(files) > commonShare*float64(len(n.b.docs))+8 {
		passages = nil
	}
	e.files("f", d.list[inFiles], func(p weighted) int { return impact(Steps, p.weight, n.b.fileLen[p.file], n.file, lengthNorm) },
		passages, func(p weighted) int {
			return impact(Coarse, p.weight, n.b.passageLen[p.file][p.part], n.passage, passageNorm)
		})
	e.files("h", d.list[inHistory], func(p weighted) int {
		return impact(Coarse, p.weight, n.b.historyLen[p.file], n.history, historyNorm)
	}, nil, nil)
	e.differences("c", d.changes)
	e.files("w", d.list[inPaths], func(p weighted) int { return share(Rarity(len(n.b.docs), paths), n.pathTotal[p.file]) }, nil, nil)
	e.grouped("n", d.list[inNames], func(p weighted) int { return share(Rarity(n.b.names, names), n.nameTotal[p.file][p.part]) })
	e.grouped("d", d.list[inDocs], func(p weighted) int { return impact(Coarse, p.weight, n.b.docLen[p.file][p.part], n.doc, docNorm) })
	e.grouped("x", d.list[inExact], nil)
	if len(e.out) == 0 {
		return nil
	}
	row := AppendString(nil, t)
	row = append(row, ':', '{')
	row = append(row, e.out...)
	return append(row, '}')
}
