package cputime

import (
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	if d := Of(func() { time.Sleep(50 * time.Millisecond) }); d > 45*time.Millisecond {
		t.Errorf("sleeping took %v of the processor", d)
	}
	x := 1
	d := Of(func() {
		for start := time.Now(); time.Since(start) < 2*time.Second; {
			x = x*31 + 7
			if x == 0 {
				break
			}
		}
	})
	if d <= 0 {
		t.Errorf("working took %v", d)
	}
}
