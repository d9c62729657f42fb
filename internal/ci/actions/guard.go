package actions

import (
	"io"
	"sync"
)

// A Guard is a stream of a step on which no text passes for a command to the
// runner. It reads a command in a line that begins with "::", after white
// space of any kind, and, in its older form, wherever "##[" stands. The Guard
// writes a character of these as its JSON escape: a person still reads the
// line, and JSON means the same as before.
//
// It is safe for concurrent use.
type Guard struct {
	mu      sync.Mutex
	w       io.Writer
	begun   bool    // the line has a character that is no white space
	partial bool    // the line has any character
	last    [2]byte // the two characters before, 0 for the line's start
}

// NewGuard returns a guard in front of w.
func NewGuard(w io.Writer) *Guard { return &Guard{w: w} }

// Write implements [io.Writer].
func (g *Guard) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]byte, 0, len(p))
	for _, c := range p {
		switch {
		case c == ':' && g.last[1] == ':' && !g.begun:
			out = append(out, `\u003a`...)
			g.begun = true
		case c == '[' && g.last == [2]byte{'#', '#'}:
			out = append(out, `\u005b`...)
		default:
			out = append(out, c)
		}
		g.partial = true
		switch {
		case c == '\n' || c == '\r':
			g.begun, g.partial, c = false, false, 0
		case c == ':' && g.last[1] != ':': // whether the line has begun, the next one tells
		case c <= ' ' || c >= 0x7f: // white space, or a part of it
			g.begun = g.begun || g.last[1] == ':'
		default:
			g.begun = true
		}
		g.last = [2]byte{g.last[1], c}
	}
	if _, err := g.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// past writes a command, which ends in a newline, on a line of its own.
func (g *Guard) past(command string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.partial {
		command = "\n" + command
	}
	g.begun, g.partial, g.last = false, false, [2]byte{}
	_, err := io.WriteString(g.w, command)
	return err
}
