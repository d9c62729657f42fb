package skill

import (
	"io"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"
)

// maxSettings bounds a host's file of settings, in bytes.
const maxSettings = 1 << 20

// hermesDirs are the directories of skills that Hermes' own settings name
// beside its usual one. Settings that cannot be read name none: they are
// Hermes' to complain about.
func hermesDirs(hermes, home string) (dirs []string) {
	if hermes == "" {
		return nil
	}
	path := filepath.Join(hermes, "config.yaml")
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err != nil || len(data) > maxSettings {
		return nil
	}
	var node yaml.Node
	if yaml.Unmarshal(data, &node) != nil || bounded(&node) != nil {
		return nil
	}
	var settings struct {
		Skills struct {
			External yaml.Node `yaml:"external_dirs"`
			Create   string    `yaml:"create_dir"`
		}
	}
	if node.Decode(&settings) != nil {
		return nil
	}
	var named []string
	if settings.Skills.External.Decode(&named) != nil {
		named = []string{settings.Skills.External.Value} // one directory needs no list
	}
	for _, d := range append(named, settings.Skills.Create) {
		if d == "" {
			continue
		}
		if d = ExpandHome(d, home); !filepath.IsAbs(d) {
			d = filepath.Join(hermes, d)
		}
		dirs = append(dirs, d)
	}
	return dirs
}
