package skill

import "testing"

// pipe: there are no named pipes in directories here.
func pipe(*testing.T, string) bool { return false }
