package pin

// A node is a value of a JSON, TOML or YAML document and the line it starts
// at. A nil node is a value that is not there; every method takes one.
type node struct {
	kind nodeKind
	line int
	text string  // of a scalar, as written between its quotes
	keys []entry // of a table, in the order written
	list []*node // of a list

	index map[string]*node // of a table with many keys, once asked for
}

type nodeKind int

const (
	scalar nodeKind = iota
	table
	list
)

// An entry is one key of a table.
type entry struct {
	key  string
	line int
	node *node
}

// maxDepth is how deep a document may nest: what is deeper is no
// configuration that a person wrote.
const maxDepth = 100

// mergeKey is YAML's key whose tables count as the table's own.
const mergeKey = "<<"

// get follows keys down tables. The first of two equal keys wins, as does a
// key of its own over one that a merge brings.
func (n *node) get(path ...string) *node {
	for _, key := range path {
		n = n.child(key, nil)
	}
	return n
}

// manyKeys is how many keys a table has before it is worth an index.
const manyKeys = 16

func (n *node) child(key string, asked map[*node]bool) *node {
	if n == nil {
		return nil
	}
	if v, ok := n.own(key); ok {
		return v
	}
	merged, ok := n.own(mergeKey)
	if !ok || merged == nil || asked[n] {
		return nil
	}
	if asked == nil { // merges may lead to one table in very many ways
		asked = map[*node]bool{}
	}
	asked[n] = true
	for _, from := range append([]*node{merged}, merged.list...) {
		if v := from.child(key, asked); v != nil {
			return v
		}
	}
	return nil
}

// own is the value of a key that the table itself has.
func (n *node) own(key string) (*node, bool) {
	if len(n.keys) <= manyKeys {
		for _, e := range n.keys {
			if e.key == key {
				return e.node, true
			}
		}
		return nil, false
	}
	if n.index == nil {
		n.index = make(map[string]*node, len(n.keys))
		for _, e := range n.keys {
			if _, ok := n.index[e.key]; !ok {
				n.index[e.key] = e.node
			}
		}
	}
	v, ok := n.index[key]
	return v, ok
}

// str is the text of a scalar, "" for everything else.
func (n *node) str() string {
	if n == nil || n.kind != scalar {
		return ""
	}
	return n.text
}

// at is the line of the value, 0 for none.
func (n *node) at() int {
	if n == nil {
		return 0
	}
	return n.line
}

func (n *node) entries() []entry {
	if n == nil {
		return nil
	}
	return n.keys
}

func (n *node) items() []*node {
	if n == nil {
		return nil
	}
	return n.list
}

// walk calls visit for every table of the document once, outside first.
func (n *node) walk(visit func(*node)) {
	seen := map[*node]bool{} // an alias may lead back to where it stands
	var down func(*node)
	down = func(n *node) {
		if n == nil || n.kind == scalar || seen[n] {
			return
		}
		seen[n] = true
		if n.kind == table {
			visit(n)
		}
		for _, e := range n.keys {
			down(e.node)
		}
		for _, i := range n.list {
			down(i)
		}
	}
	down(n)
}
