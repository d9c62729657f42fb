package cli_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// tree keeps what a directory holds, or holds it to that:
//
//	tree save NAME DIR
//	tree same NAME DIR
//
// Names, kinds, permissions, links and every byte count.
func tree(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 || neg {
		ts.Fatalf("usage: tree save|same NAME DIR")
	}
	file, now := ts.MkAbs(".tree-"+args[1]), treeOf(ts, ts.MkAbs(args[2]))
	if args[0] == "save" {
		ts.Check(os.WriteFile(file, []byte(now), 0o600))
		return
	}
	was := ts.ReadFile(file)
	if was == now {
		return
	}
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			left, right := "", ""
			if i < len(a) {
				left = a[i]
			}
			if i < len(b) {
				right = b[i]
			}
			ts.Fatalf("%s differs:\nwas %.400s\nis  %.400s", args[2], left, right)
		}
	}
}

func treeOf(ts *testscript.TestScript, dir string) string {
	var b strings.Builder
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		content := ""
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			content, err = os.Readlink(path)
		case d.Type().IsRegular():
			var data []byte
			data, err = os.ReadFile(path)
			content = string(data)
		}
		fmt.Fprintf(&b, "%s %s %q\n", name, info.Mode(), content)
		return err
	}))
	return b.String()
}
