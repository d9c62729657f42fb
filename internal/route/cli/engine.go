package cli

import (
	"fmt"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// engine opens the engine over a source.
func engine(s *source.Source) (*answer.Engine, error) {
	if s.Bundle == nil {
		return nil, fmt.Errorf("a graph.json without index is not read yet")
	}
	return answer.Open(s.Bundle)
}
