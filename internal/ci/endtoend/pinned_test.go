//go:build unix

package endtoend

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// release is the action at the commit of a release, whose binary a stand-in
// for curl has at hand.
func release(t *testing.T, h *hosting) string {
	t.Helper()
	dir := checkout(t, h.env)
	binary := built(t, "bundle-publish")
	data, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "dist", filepath.Base(binary)), string(data), 0o755)
	command(t, dir, h.env, "make", "-s", "release-commit", "TAG=v9.9.9")
	s := &stage{t: t, runner: h.runner}
	s.program("curl", fmt.Sprintf("#!/bin/sh\nwhile [ $# -gt 1 ]; do if [ \"$1\" = --output ]; then to=$2; fi; shift; done\n[ \"$1\" = https://github.com/%s/releases/download/v9.9.9/%s ] && cp %q \"$to\"\n", ours, filepath.Base(binary), binary))
	return dir
}
