package host

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
)

// maxSettings bounds a host's settings file, in bytes.
const maxSettings = 4 << 20

// homeOf is the directory that a variable names, or the one under the home.
// Without a home nothing is below it: a relative directory would be anybody's.
func homeOf(c *config.Config, variable, name string) string {
	switch d := c.Env(variable); {
	case variable != "" && filepath.IsAbs(d):
		return d
	case c.Home == "":
		return os.DevNull
	}
	return filepath.Join(c.Home, name)
}

// readJSON reads a host's settings, comments and all. What cannot be read
// says nothing.
func readJSON(file string, into any) bool {
	data, ok := settings(file)
	return ok && json.Unmarshal(jsonplace.Blank(data), into) == nil
}

func readTOML(file string, into any) bool {
	data, ok := settings(file)
	return ok && toml.Unmarshal(data, into) == nil
}

// managed reports whether mega-tron was set up in a settings file: its mark
// stands there.
func managed(file string) bool {
	data, ok := settings(file)
	return ok && bytes.Contains(data, []byte(`"_megaTronManaged"`))
}

func settings(file string) ([]byte, bool) {
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxSettings {
		return nil, false
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	return data, err == nil && len(data) <= maxSettings
}
