package wisdom

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A Last is what the curator's last run came to.
type Last struct {
	At    time.Time `json:"at"`
	Added []string  `json:"added"`
	Error string    `json:"error,omitempty"`
}

const lastName = "wisdom-last.json"

// Note writes down what a run came to, in the directory of caches.
func Note(dir string, added []string, err error) error {
	l := Last{At: time.Now().UTC().Truncate(time.Second), Added: added}
	if added == nil {
		l.Added = []string{}
	}
	if err != nil {
		l.Error = plaintext.Line(strings.ReplaceAll(err.Error(), "\n", "; "), 1000)
	}
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, "wisdom-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(append(data, '\n'))
	if e := temp.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), filepath.Join(dir, lastName))
}

// Read gives what the last run came to; false when there was none.
func Read(dir string) (Last, bool) {
	var l Last
	data, err := os.ReadFile(filepath.Join(dir, lastName))
	return l, err == nil && json.Unmarshal(data, &l) == nil
}
