package router

import (
	"context"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed"
)

// A Pack is an embedding model as a router wants it.
type Pack struct{ *embed.Model }

// OpenModel opens the pack at a path.
func OpenModel(path string) (*Pack, error) {
	m, err := embed.Open(path)
	if err != nil {
		return nil, err
	}
	return &Pack{m}, nil
}

// ID stands for the weights and the settings.
func (m *Pack) ID() string { return m.Name() + "-" + m.Hash()[:16] }

// Embed puts the model's prefix before prompts.
func (m *Pack) Embed(ctx context.Context, texts []string, prompts bool) ([][]float32, error) {
	if prefix := m.QueryPrefix(); prompts && prefix != "" {
		marked := make([]string, len(texts))
		for i, t := range texts {
			marked[i] = prefix + t
		}
		texts = marked
	}
	return m.Model.Embed(ctx, texts)
}
