//go:build !race

package cli_test

// underRace multiplies bounds on memory: there is no race detector.
const underRace = 1
