package index

import (
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// readHeader reads words/index.json with a cursor: it is read for every
// question, and a decoder by reflection takes longer to get going than to
// read it.
func (r *Reader) readHeader() error {
	data, err := r.bundle.Read(bundle.IndexName)
	if err != nil {
		return err
	}
	h := &r.Header
	c, err := strictjson.NewCursor(data)
	if err == nil {
		err = c.Object(func(key []byte) (err error) {
			switch string(key) {
			case "lexicon":
				h.Lexicon, err = c.Int()
			case "files":
				h.Files, err = c.Int()
			case "names":
				h.Names, err = c.Int()
			case "changes":
				h.Changes, err = c.Int()
			case "classes":
				h.Classes, err = c.Ints(nil)
			case "words":
				h.Words, err = c.Strings()
			case "nodes":
				h.Nodes, err = c.Ints(nil)
			case "repos":
				h.Repos, err = c.Strings()
			case "used":
				h.Used, err = c.String()
			case "kinds":
				h.Kinds, err = c.Strings()
			case "rules":
				err = c.Array(func() error {
					rule, err := readRule(c)
					h.Rules = append(h.Rules, rule)
					return err
				})
			default:
				err = c.Skip()
			}
			return err
		})
	}
	if err == nil {
		err = c.End()
	}
	if err != nil {
		return &bundle.Refused{File: bundle.IndexName, Reason: err.Error()}
	}
	return nil
}

func readRule(c *strictjson.Cursor) (r Rule, err error) {
	err = c.Object(func(key []byte) (err error) {
		switch string(key) {
		case "relation":
			r.Relation, err = c.String()
		case "resolver":
			r.Resolver, err = c.String()
		case "certainty":
			r.Certainty, err = c.Int()
		default:
			err = c.Skip()
		}
		return err
	})
	return r, err
}
