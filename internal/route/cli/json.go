package cli

import (
	"bytes"
	"encoding/json"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// queryReport is what query --json prints.
type queryReport struct {
	Source  *source.Info `json:"source"` // null when there is no bundle
	Shape   string       `json:"shape,omitempty"`
	Files   any          `json:"files"`
	Nodes   any          `json:"nodes"`
	Links   any          `json:"links"`
	LeftOut int          `json:"left_out"`         // files, nodes and links not printed
	Wiring  string       `json:"wiring,omitempty"` // the line that points at what the wiring has of a name
	Notice  string       `json:"notice,omitempty"`
}

// reportOf holds nodes and links to the room; the files are always all
// there.
func reportOf(a *answer.Answer, hint string, info source.Info, room *int) queryReport {
	nodes := takeJSON(a.Nodes, room)
	links := takeJSON(a.Links, room)
	return queryReport{Source: &info, Shape: a.Shape, Files: a.Files, Nodes: nodes, Links: links, Wiring: hint,
		LeftOut: a.More + len(a.Nodes) - len(nodes) + len(a.Links) - len(links) + a.MoreLinks}
}

// takeJSON encodes items from the front while their bytes fit.
func takeJSON[T any](items []T, left *int) []json.RawMessage {
	out := []json.RawMessage{}
	for _, item := range items {
		data := encodeJSON(item)
		if len(data)+1 > *left {
			*left = 0
			break
		}
		*left -= len(data) + 1
		out = append(out, data)
	}
	return out
}

// encodeJSON encodes a value that cannot fail to encode.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
