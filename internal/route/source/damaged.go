package source

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// half reports whether a directory without a manifest holds part of a
// bundle, as a build that was cut short or a copy that was not finished
// leaves it. What graphify writes has none of this. What lies there must not
// be read as a plain graph: its files may be of different commits.
func half(dir string) bool {
	for _, name := range []string{bundle.WordsDir, bundle.NodesDir, bundle.ChangesDir} {
		if st, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && st.IsDir() {
			return true
		}
	}
	data, err := readCapped(filepath.Join(dir, bundle.BuildName), bundle.MaxFile)
	if err != nil {
		return false
	}
	var b struct {
		Schema json.RawMessage `json:"schema"`
	}
	return strictjson.Decode(data, &b) == nil && b.Schema != nil
}

func damaged(dir string) error {
	return &bundle.Refused{
		File:   bundle.ManifestName,
		Reason: fmt.Sprintf("it is missing, so what lies in %s is part of a bundle", plaintext.Line(dir, 200)),
		Next:   "build it again with bundle-publish build",
	}
}
