package extract

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if code, ok := WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
