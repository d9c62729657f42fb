// Package rules holds the tests that keep the whole module to its rules:
// what may import what, what a workflow may do, and that the documents name
// only commands, flags, files and dependencies that exist. It has no code.
//
//	go test ./internal/rules -update   # rewrite the reference parts of docs/
package rules
