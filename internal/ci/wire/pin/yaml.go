package pin

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

// maxDocuments is how many documents of one YAML file are read.
const maxDocuments = 2000

// parseYAML reads every document of a YAML file. With an error come the
// documents before it.
func parseYAML(data []byte) (docs []*node, err error) {
	// The library is no longer looked after and the bytes are anybody's: a
	// panic in it must not end the build.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser failed: %v", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for len(docs) < maxDocuments {
		var doc yaml.Node
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			return docs, nil
		} else if err != nil {
			return docs, err
		}
		c := converter{done: map[*yaml.Node]*node{}}
		if n := c.node(&doc, 0); n != nil {
			docs = append(docs, n)
		}
	}
	return docs, nil
}

// A converter makes nodes of YAML's. An anchor's value is one node, however
// often it is named.
type converter struct{ done map[*yaml.Node]*node }

func (c *converter) node(y *yaml.Node, depth int) *node {
	if y == nil || depth > maxDepth {
		return nil
	}
	if n, ok := c.done[y]; ok {
		return n
	}
	n := &node{line: y.Line}
	switch y.Kind {
	case yaml.DocumentNode:
		if len(y.Content) == 0 {
			return nil
		}
		return c.node(y.Content[0], depth+1)
	case yaml.AliasNode:
		return c.node(y.Alias, depth+1)
	case yaml.ScalarNode:
		if y.Tag != "!!null" {
			n.text = y.Value
		}
	case yaml.SequenceNode:
		n.kind = list
		c.done[y] = n
		for _, i := range y.Content {
			if v := c.node(i, depth+1); v != nil {
				n.list = append(n.list, v)
			}
		}
	case yaml.MappingNode:
		n.kind = table
		c.done[y] = n
		for i := 0; i+1 < len(y.Content); i += 2 {
			n.keys = append(n.keys, entry{y.Content[i].Value, y.Content[i].Line, c.node(y.Content[i+1], depth+1)})
		}
	}
	return n
}
