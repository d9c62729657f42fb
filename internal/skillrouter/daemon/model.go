package daemon

import (
	"fmt"
	"os"
	"time"
)

// ModelStamp stands for the pack at a path as it is now: one that was
// installed again under its name is another. "" stays "".
func ModelStamp(path string) string {
	st, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprintf("%s %x-%x", path, st.Size(), st.ModTime().UnixNano())
}

// unwantedAfter is how long a daemon's model must not have been asked for
// before a request for another one ends it: of two shells with two models,
// one has a daemon.
const unwantedAfter = time.Minute

// mine reports that a request is for the daemon's own model, and remembers
// when.
func (s *Server) mine(model string) bool {
	if model != s.Model {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = time.Now()
	return true
}

// unwanted reports that the daemon can make room for one with another model.
func (s *Server) unwanted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.wanted) > unwantedAfter
}
