package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// unrun follows what no workflow runs: targets, and scripts of package.json.
// People run them, and what they publish and fetch is wiring all the same.
func unrun(x *extraction) {
	for _, f := range x.files {
		switch {
		case isBuildFile(f.path):
			x.guarded(f, func() { unrunTargets(x, f) })
		case f.base() == "package.json" && !vendored(f.path) && !aside(f.path):
			x.guarded(f, func() { unrunScripts(x, f) })
		}
	}
}

func unrunTargets(x *extraction, f *file) {
	j := x.apart(f, "a target that no workflow runs")
	sh := j.newShell(func(n int) int { return n }, "")
	t := j.targetsOf(f, sh.shell, f.dir())
	for _, name := range t.order {
		if !x.targets[f][name] {
			t.follow(name, nil, 0)
		}
	}
}

func unrunScripts(x *extraction, f *file) {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(f.data, &p) != nil {
		return
	}
	j := x.apart(f, "a script that no workflow runs")
	for _, name := range slices.Sorted(maps.Keys(p.Scripts)) {
		if x.targets[f][name] {
			continue
		}
		at := scriptLine(f, name)
		sh := j.newShell(func(int) int { return at }, "")
		sh.dir = f.dir()
		sh.run(p.Scripts[name])
	}
}

// scriptLine is the line of a script of package.json.
func scriptLine(f *file, name string) int {
	from := max(0, bytes.Index(f.data, []byte(`"scripts"`)))
	if key, err := json.Marshal(name); err == nil {
		if i := bytes.Index(f.data[from:], append(key, ':')); i >= 0 {
			from += i
		}
	}
	return 1 + bytes.Count(f.data[:from], []byte("\n"))
}
