package answer

import (
	"path"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
)

// A FileHit is one file of an answer.
type FileHit struct {
	Path  string  `json:"path"`
	Line  int     `json:"line"` // of the definition or passage that fits best; at least 1
	Repo  string  `json:"repo"`
	Score float64 `json:"score"`
	Why   []Why   `json:"why"`
}

// A Node is a definition, or a file as a whole, as an answer shows it.
type Node struct {
	Label string `json:"label"`
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Kind  string `json:"kind"`
	ref   ref
}

// ref names a definition by numbers; −1 is the file.
type ref struct{ file, def int }

// A Link joins two nodes of an answer, in the direction the code states.
type Link struct {
	Source    Node   `json:"source"`
	Target    Node   `json:"target"`
	Relation  string `json:"relation"`
	Resolver  string `json:"resolver"`  // the rule that proved it
	Certainty int    `json:"certainty"` // 1 to 100
	Line      int    `json:"line"`      // where the source states it
	far       int
}

// An Answer is what query found, best first.
type Answer struct {
	Shape string    `json:"-"`
	Files []FileHit `json:"files"`
	Nodes []Node    `json:"nodes"`
	Links []Link    `json:"links"`
	More  int       `json:"-"` // files with a word of the question that are not among Files
}

// secondNodes is the number of best files that may show a second definition:
// further down, another file tells more than another line.
const secondNodes = 2

// Query answers a question with at most limit files.
func (e *Engine) Query(question string, limit int) (*Answer, error) {
	q := lexicon.Parse(question)
	ranked, err := e.rank(q)
	if err != nil {
		return nil, err
	}
	a := &Answer{Shape: q.Shape.String(), Files: []FileHit{}, Nodes: []Node{}, Links: []Link{}, More: max(0, len(ranked)-limit)}
	if len(ranked) > limit {
		ranked = ranked[:limit]
	}
	var files []int
	for _, c := range ranked {
		files = append(files, c.file)
	}
	e.index.Prefetch(files)
	for _, c := range ranked {
		rec, err := e.index.File(c.file)
		if err != nil {
			return nil, err
		}
		nodes := e.nodesOf(c, rec)
		if len(a.Files) >= secondNodes {
			nodes = nodes[:1]
		}
		a.Nodes = append(a.Nodes, nodes...)
		a.Files = append(a.Files, FileHit{Path: rec.Path, Line: nodes[0].Line, Repo: e.repo(rec), Score: round2(c.score), Why: c.why(q, e.classFactor(q, c.file))})
	}
	return a, e.walk(a)
}

func round2(x float64) float64 { return float64(int(x*100+0.5)) / 100 }

func (e *Engine) repo(rec *index.FileRecord) string {
	if rec.Repo < 0 || rec.Repo >= len(e.index.Header.Repos) {
		return ""
	}
	return e.index.Header.Repos[rec.Repo]
}

// nodesOf picks the one or two definitions of a file that the question means;
// a file without a fitting one stands for itself, at its best passage.
func (e *Engine) nodesOf(c candidate, rec *index.FileRecord) []Node {
	var out []Node
	for _, def := range []int{c.exactAt, c.bestDef, c.bestDoc} {
		if def < 0 || def >= len(rec.Defs) || len(out) == maxPerFile {
			continue
		}
		if len(out) == 1 && out[0].ref.def == def {
			continue
		}
		out = append(out, node(rec, c.file, def))
	}
	if len(out) == 0 {
		n := node(rec, c.file, -1)
		if c.bestPassage >= 0 && c.bestPassage < len(rec.Cuts) {
			n.Line = max(1, rec.Cuts[c.bestPassage])
		}
		out = append(out, n)
	}
	return out
}

// node makes the node of a definition, or of the file when def is −1.
func node(rec *index.FileRecord, file, def int) Node {
	if def < 0 || def >= len(rec.Defs) {
		return Node{Label: path.Base(rec.Path), Path: rec.Path, Line: 1, Kind: "file", ref: ref{file, -1}}
	}
	d := rec.Defs[def]
	return Node{Label: d.Qualified(), Path: rec.Path, Line: max(1, d.Line), Kind: d.Kind, ref: ref{file, def}}
}
