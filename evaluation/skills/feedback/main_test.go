package main

import (
	"context"
	"testing"
)

// TestEvidenceFindsTheTraps plays the rounds with vectors that are made of
// words: no model is needed.
func TestEvidenceFindsTheTraps(t *testing.T) {
	with, err := Simulate(context.Background(), hashed{}, true)
	if err != nil {
		t.Fatal(err)
	}
	without, err := Simulate(context.Background(), hashed{}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("with %+v\nwithout %+v", with, without)
	last := rounds - 1
	switch {
	case with[0].Gap >= 0 || with[0].Hits >= 0.9:
		t.Errorf("the first round shows no trap: %+v", with[0])
	case with[1].Gap <= 0:
		t.Errorf("after one round the traps still lead: %+v", with[1])
	case with[last].Hits < 0.9:
		t.Errorf("%.0f %% among the first three in round six, want 90", 100*with[last].Hits)
	}
	for i, r := range without {
		if r != without[0] {
			t.Errorf("without evidence round %d differs: %+v", i+1, r)
		}
	}
}
