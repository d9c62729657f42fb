package command

import "context"

// Abandon does work that knows no context. It returns the context's error as
// soon as that ends, and leaves the work to end by itself: its results are
// dropped, and nothing that it uses may be changed any more.
func Abandon[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
