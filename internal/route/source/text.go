package source

import (
	"slices"
	"strings"
)

// getenv returns the last value of a variable, or "".
func getenv(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// short is the abbreviation of a commit.
func short(hash string) string { return hash[:min(7, len(hash))] }
