package publish

import (
	"fmt"
	"strings"
	"time"
)

// A Gate is a publish that is held back because it could put something worse
// in the place of what is published. The branch is unchanged.
type Gate struct {
	Reason string
	Next   string // what to do about it
}

func (e *Gate) Error() string { return e.Reason }

// Hint is the next step.
func (e *Gate) Hint() string { return e.Next }

// A Refused is the remote's no: rights, rules or limits. Trying again gives
// the same answer, so nothing tries again.
type Refused struct {
	Reason string   // what was refused and with which word
	Server []string // the server's own lines, cleaned, at most a few
	Next   string   // what to do about it
}

func (e *Refused) Error() string {
	text := "the remote refused: " + e.Reason
	if len(e.Server) > 0 {
		text += ": " + strings.Join(e.Server, "; ")
	}
	return text
}

// Hint is the next step.
func (e *Refused) Hint() string { return e.Next }

// An Unreached is a publish that did not come to an end: the remote did not
// answer, or somebody else was quicker each time. Last is the last reason.
type Unreached struct {
	Tries int
	Last  error
	Next  string
}

func (e *Unreached) Error() string {
	tries := "one try"
	if e.Tries != 1 {
		tries = fmt.Sprintf("%d tries", e.Tries)
	}
	return fmt.Sprintf("not published after %s: %v", tries, e.Last)
}

// Hint is the next step.
func (e *Unreached) Hint() string {
	if e.Next != "" {
		return e.Next
	}
	return "run it again: nothing is published twice, and the order guard keeps a newer bundle"
}

// Unwrap gives the last reason.
func (e *Unreached) Unwrap() error { return e.Last }

// A Moved is a branch that was not where it had to be. Somebody else moved
// it, so the decision has to be made again.
type Moved struct {
	Text   string
	Server []string // the server's own lines
}

func (e *Moved) Error() string {
	text := "the branch was moved by somebody else"
	if e.Text != "" {
		text += " (" + e.Text + ")"
	}
	if len(e.Server) > 0 {
		text += ": " + strings.Join(e.Server, "; ")
	}
	return text
}

// A Transient is a failure that may be gone with the next try.
type Transient struct {
	Err   error
	After time.Duration // how long the server asked to wait; 0 when it did not
}

func (e *Transient) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Transient) Unwrap() error { return e.Err }
