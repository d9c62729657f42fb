package synthetic

import (
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// TestFilesAreWhole: every file parses, defines what its language has it
// define, and shares no path and no name with another.
func TestFilesAreWhole(t *testing.T) {
	const n = 200
	paths, names := map[string]bool{}, map[string]bool{}
	for i := range n {
		path, text := File(i, n)
		if paths[path] || names[Name(i)] {
			t.Errorf("file %d: %s or %s is there already", i, path, Name(i))
		}
		paths[path], names[Name(i)] = true, true
		f, err := extract.Parse(path, []byte(text))
		if err != nil || f.Broken {
			t.Fatalf("%s: broken, %v\n%s", path, err, text)
		}
		if i%5 != 4 && (len(f.Definitions) != perFile || len(f.References) == 0) {
			t.Errorf("%s: %d definitions, %d references\n%s", path, len(f.Definitions), len(f.References), text)
		}
	}
}
