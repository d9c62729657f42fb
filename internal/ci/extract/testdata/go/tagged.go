//go:build linux && !race

// Package server holds what only some systems have.
package server

import (
	"example.com/shop/internal/clock"
	"io"
)

// A Number is any number.
type Number interface {
	~int | ~float64
}

// A Pair holds two things.
type Pair[K comparable, V any] struct {
	*clock.Clock
	io.Writer
	key   K
	value V
}

// Swap turns a pair around.
func Swap[K, V comparable](p *Pair[K, V]) *Pair[V, K] {
	return &Pair[V, K]{key: p.value, value: p.key}
}

func (p *Pair[_, V]) Value() V { return p.value }

func sum[N Number](list ...N) (total N) {
	for _, n := range list {
		total += n
	}
	return total
}

type Handler func(*Pair[string, int])

func (h Handler) Handle(p *Pair[string, int]) { h(p) }

// later keeps methods as values.
func later(p *Pair[string, int]) []func() {
	tick := p.Tick
	stop := (*clock.Clock).Stop
	stop(p.Clock)
	_ = sum[int](1, 2)
	return []func(){tick, p.Clock.Reset}
}
