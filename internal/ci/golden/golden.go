// Package golden pins whole answers: its tests build a bundle of a small
// workspace, ask questions of every kind and compare what is printed with
// testdata/answers, one file a question, and testdata/summary.txt. Whoever
// changes the ranking, or what is extracted, runs
//
//	go test ./internal/ci/golden -update
//
// and reads the difference.
package golden
