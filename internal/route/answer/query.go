package answer

import (
	"path"

	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
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

	// MoreLinks counts links that were found but not looked up.
	MoreLinks int `json:"-"`
}

// secondNodes is the number of best files that may show a second definition:
// further down, another file tells more than another line.
const secondNodes = 2

// shortestLink is about the shortest line of a link, in bytes.
const shortestLink = 60

// Query answers a question with at most limit files of those that n lets in.
// Links of the best are looked up as far as they may fit in room bytes behind
// the nodes. The error may be an [UnknownError].
func (e *Engine) Query(question string, n Narrow, limit, room int) (*Answer, error) {
	q := lexicon.Parse(question)
	ranked, total, err := e.rank(q, n, limit)
	if err != nil {
		return nil, err
	}
	a := &Answer{Shape: q.Shape.String(), Files: []FileHit{}, Nodes: []Node{}, Links: []Link{}, More: total - len(ranked)}
	var files []int
	for _, c := range ranked {
		files = append(files, int(c.file))
	}
	e.index.Prefetch(files)
	for _, c := range ranked {
		rec, err := e.index.File(int(c.file))
		if err != nil {
			return nil, err
		}
		nodes, err := e.nodesOf(c, rec)
		if err != nil {
			return nil, err
		}
		if len(a.Files) >= secondNodes {
			nodes = nodes[:1]
		}
		a.Nodes = append(a.Nodes, nodes...)
		a.Files = append(a.Files, FileHit{Path: rec.Path, Line: nodes[0].Line, Repo: e.repo(rec), Score: round2(float64(c.score)), Why: e.why(q, &c)})
	}
	for _, n := range a.Nodes {
		room -= len(n.line())
	}
	return a, e.walk(a, max(0, room/shortestLink))
}

func (e *Engine) repo(rec *index.Record) string { return plaintext.Line(e.repoName(rec), maxRepo) }

// repoName is the short name as the index has it, which is foreign text.
func (e *Engine) repoName(rec *index.Record) string {
	if rec.Repo < 0 || rec.Repo >= len(e.index.Header.Repos) {
		return ""
	}
	return e.index.Header.Repos[rec.Repo]
}

// nodesOf picks the one or two definitions of a file that the question means;
// a file without a fitting one stands for itself, at its best passage.
func (e *Engine) nodesOf(c candidate, rec *index.Record) ([]Node, error) {
	var out []Node
	for _, def := range []int{int(c.exactAt), int(c.entryAt), int(c.bestDef), int(c.bestDoc)} {
		if def < 0 || def >= rec.Len() || len(out) == maxPerFile {
			continue
		}
		if len(out) == 1 && out[0].ref.def == def {
			continue
		}
		n, err := node(rec, ref{int(c.file), def})
		if err != nil {
			return nil, err
		}
		if c.frameLine > 0 && def == int(c.exactAt) {
			n.Line = int(c.frameLine)
		}
		out = append(out, n)
	}
	if len(out) > 0 {
		return out, nil
	}
	n, err := node(rec, ref{int(c.file), -1})
	if c.bestPassage >= 0 && int(c.bestPassage) < len(rec.Cuts) {
		n.Line = max(1, rec.Cuts[c.bestPassage])
	}
	return []Node{n}, err
}

// node makes the node of a definition, or of the file.
func node(rec *index.Record, r ref) (Node, error) {
	if r.def < 0 || r.def >= rec.Len() {
		return Node{Label: plaintext.Line(path.Base(rec.Path), maxLabel), Path: rec.Path, Line: 1, Kind: "file", ref: ref{r.file, -1}}, nil
	}
	d, err := rec.Def(r.def)
	return Node{Label: plaintext.Line(d.Qualified(), maxLabel), Path: rec.Path, Line: max(1, d.Line), Kind: plaintext.Line(d.Kind, maxWord), ref: r}, err
}
