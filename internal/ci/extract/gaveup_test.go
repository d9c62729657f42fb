package extract

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// TestParserThatStopsByItself: it is told as one that was ended.
func TestParserThatStopsByItself(t *testing.T) {
	_, err := grammar.Parse(grammar.Python, []byte("x = ["+fmt.Sprint(make([]int, 1<<17))+"]"), time.Microsecond)
	if !errors.Is(err, grammar.ErrTooLong) {
		t.Fatalf("a parse of a microsecond: %v", err)
	}
	for _, tt := range []struct {
		said          error
		long, crashed bool
	}{{err, true, false}, {grammar.ErrMemory, false, true}, {errors.New("invalid syntax"), false, false}} {
		told := parserError(tt.said.Error())
		if errors.Is(told, ErrTooLong) != tt.long || errors.Is(told, ErrCrashed) != tt.crashed {
			t.Errorf("%v: too long %t, crashed %t", told, errors.Is(told, ErrTooLong), errors.Is(told, ErrCrashed))
		}
	}
	if most := limitOf(make([]byte, MaxSize)); most >= DefaultLimit {
		t.Errorf("a grammar may take %v, its process %v", most, DefaultLimit)
	}
}

// TestGrammarThatNeverEnds: a few words of an unfinished file cost seconds,
// not what the largest file may.
func TestGrammarThatNeverEnds(t *testing.T) {
	t.Parallel()
	start := time.Now()
	_, err := Parse("a.swift", []byte("c{ood() {s"))
	if !errors.Is(err, grammar.ErrTooLong) {
		t.Fatalf("%v: the grammar has learnt to end, so this needs another input", err)
	}
	if took := time.Since(start); took > 2*leastLimit {
		t.Errorf("given up after %v", took)
	}
}
