package publish

import (
	"net/http"
	"sync/atomic"
)

// counting counts the pushes that reach a server.
type counting struct {
	next http.Handler
	n    atomic.Int64
}

func (c *counting) posts() int { return int(c.n.Load()) }

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if isPush(r) {
		c.n.Add(1)
	}
	c.next.ServeHTTP(w, r)
}
