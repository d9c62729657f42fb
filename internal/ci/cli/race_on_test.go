//go:build race

package cli_test

// underRace multiplies bounds on memory: the race detector keeps a shadow of it.
const underRace = 3
