package actions

import "context"

type key struct{}

// With returns a context that carries the step.
func With(ctx context.Context, s *Step) context.Context { return context.WithValue(ctx, key{}, s) }

// From returns the step that the context carries; nil when it carries none.
func From(ctx context.Context) *Step {
	s, _ := ctx.Value(key{}).(*Step)
	return s
}
