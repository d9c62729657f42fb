package graph

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// A reader reads a graph front to back, so that an error knows its place. A
// field that is null is as good as absent: some writers spell out what they
// do not know.
type reader struct{ *strictjson.Cursor }

func (r reader) graph(g *Graph) error {
	return r.Object(func(key []byte) error {
		switch string(key) {
		case "graph":
			return r.about(g)
		case "nodes":
			if g.Nodes == nil && r.Peek() == '[' {
				g.Nodes = []Node{}
			}
			return r.list("nodes", maxNodes, len(g.Nodes), func() error {
				n, err := r.node()
				g.Nodes = append(g.Nodes, n)
				return err
			})
		case "links", "edges":
			return r.list("links", maxLinks, len(g.Links), func() error {
				l, err := r.link()
				g.Links = append(g.Links, l)
				return err
			})
		}
		return r.Skip()
	})
}

// about reads what the graph says of itself: the parts it is cut in.
func (r reader) about(g *Graph) error {
	if r.Peek() != '{' {
		return r.Skip()
	}
	return r.Object(func(key []byte) (err error) {
		if string(key) != "parts" || r.Peek() != '[' {
			return r.Skip()
		}
		g.Parts, err = r.Strings()
		return err
	})
}

// list reads an array of at most limit items, have of which were read before.
func (r reader) list(what string, limit, have int, item func() error) error {
	if r.Peek() == 'n' {
		return r.Skip()
	}
	return r.Array(func() error {
		if have++; have > limit {
			return fmt.Errorf("it has more than %d %s", limit, what)
		}
		return item()
	})
}

func (r reader) node() (n Node, err error) {
	err = r.Object(func(key []byte) (err error) {
		switch string(key) {
		case "id":
			n.ID, err = r.textOrNumber()
		case "label":
			n.Label, err = r.textOrNumber()
		case "file_type":
			n.FileType, err = r.text()
		case "source_file":
			n.File, err = r.text()
		case "source_location":
			n.Line, err = r.line()
		case "kind":
			n.Kind, err = r.text()
		case "lang":
			n.Lang, err = r.text()
		case "signature":
			n.Signature, err = r.text()
		case "doc":
			n.Doc, err = r.text()
		case "repo":
			n.Repo, err = r.text()
		default:
			err = r.Skip()
		}
		return err
	})
	return n, err
}

func (r reader) link() (l Link, err error) {
	score, word := 0.0, ""
	err = r.Object(func(key []byte) (err error) {
		switch string(key) {
		case "source":
			l.Source, err = r.textOrNumber()
		case "target":
			l.Target, err = r.textOrNumber()
		case "relation":
			l.Relation, err = r.text()
		case "resolver":
			l.Resolver, err = r.text()
		case "confidence":
			word, err = r.textOrNumber()
		case "confidence_score":
			score, err = r.number()
		case "source_location":
			l.Line, err = r.line()
		default:
			err = r.Skip()
		}
		return err
	})
	l.Certainty = certainty(score, word)
	return l, err
}

func (r reader) text() (string, error) {
	if r.Peek() == 'n' {
		return "", r.Skip()
	}
	return r.String()
}

// textOrNumber reads a string, or the text of a number: graphs give either
// as ids.
func (r reader) textOrNumber() (string, error) {
	if b := r.Peek(); b == '-' || b >= '0' && b <= '9' {
		raw, err := r.Raw()
		return strings.TrimSpace(string(raw)), err
	}
	return r.text()
}

func (r reader) line() (int, error) {
	s, err := r.textOrNumber()
	return line(s), err
}

// number reads a number; a text in its place is none.
func (r reader) number() (float64, error) {
	s, err := r.textOrNumber()
	f, parsed := strconv.ParseFloat(s, 64)
	if parsed != nil {
		f = 0
	}
	return f, err
}
