package setup

import (
	"bytes"
	"os"
)

// legacy looks for what a mega-optimus left in the files that are edited.
func (s *Setup) legacy(steps []step) error {
	var files []string
	for _, st := range steps {
		data, err := os.ReadFile(st.path)
		if err == nil && bytes.Contains(data, []byte("mega-optimus")) {
			files = append(files, s.short(st.path))
		}
	}
	if len(files) > 0 {
		return &LegacyError{files}
	}
	return nil
}
