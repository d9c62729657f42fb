//go:build race && unix

package trial

// raced is whether the tests are built to find races, which takes memory and
// time of its own.
const raced = true
