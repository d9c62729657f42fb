// Package answer answers questions from a bundle: which file, which
// definition, what is next to it, how two are joined.
//
// Start with [Open]. An answer is a value; package cli prints it.
package answer

import (
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/index"
)

// An Engine answers from one bundle. It reads what a question needs and
// nothing more; it is not safe for concurrent use.
type Engine struct {
	bundle *bundle.Bundle
	index  *index.Reader
}

// Open reads the index's header.
func Open(b *bundle.Bundle) (*Engine, error) {
	r, err := index.Open(b)
	if err != nil {
		return nil, err
	}
	return &Engine{bundle: b, index: r}, nil
}
