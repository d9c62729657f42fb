// Package turns remembers which skills each session was shown, for the end of
// a turn to judge only what was there to be used.
//
// A session has one file of JSON lines in the private directory of the
// daemon's socket. Hooks and searches append to it, several at a time; it is
// bounded, and what nobody wrote to for a week is removed.
package turns

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/daemon"
	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Bounds of what is kept.
const (
	maxFile   = 256 << 10 // bytes; then the file becomes the older half
	maxSkills = 64        // of one turn
	maxText   = 4 << 10   // of a name, a directory or an id, in bytes
)

// A Log is the directory of all sessions' files.
type Log struct {
	Dir string // private and existing
}

// Open gives the log of this person.
func Open(c *config.Config) (Log, error) {
	dir, err := daemon.Place(c)
	return Log{dir}, err
}

// CLI stands for the host of a search by hand or by an agent.
const CLI skill.Host = "cli"

// A Skill is one that was shown.
type Skill struct {
	Name string `json:"name"`
	Dir  string `json:"dir,omitempty"` // absolute
}

// A Turn is what one hook or search showed.
type Turn struct {
	At     time.Time  `json:"at"`
	Host   skill.Host `json:"host"`           // or [CLI]
	Turn   string     `json:"turn,omitempty"` // as the host counts, "" where it does not
	Skills []Skill    `json:"skills"`
}

// Shown appends what a turn of a session was shown, the best first. It may be
// called by many processes at once.
func (l Log) Shown(session string, host skill.Host, turn string, skills []Skill) error {
	t := Turn{At: time.Now().UTC().Truncate(time.Millisecond), Host: host, Turn: clip(turn), Skills: []Skill{}}
	for _, s := range skills[:min(len(skills), maxSkills)] {
		t.Skills = append(t.Skills, Skill{clip(s.Name), clip(s.Dir)})
	}
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	path := l.file(session)
	if st, err := os.Lstat(path); err == nil && st.Size()+int64(len(line)) > maxFile {
		shelve(path)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	// One write of a file that is open for appending is not mixed with others.
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// older is the end of the name of the file that a full one becomes.
const older = ".old"

// shelve renames a full file. Whoever has it open still appends to it.
func shelve(path string) {
	unlock, ok := index.TryLock(path + ".lock")
	if !ok {
		return // another does it
	}
	defer unlock()
	if st, err := os.Lstat(path); err == nil && st.Size() > maxFile/2 { // not done meanwhile
		_ = os.Rename(path, path+older)
	}
}

// Read returns the turns of a session, oldest first. A session of which
// nothing is known has none; a line that cannot be read is left out.
func (l Log) Read(session string) ([]Turn, error) {
	var turns []Turn
	path := l.file(session)
	for _, name := range []string{path + older, path} {
		data, err := read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return turns, err
		}
		for line := range bytes.Lines(data) {
			var t Turn
			if json.Unmarshal(line, &t) == nil && t.Host != "" {
				turns = append(turns, t)
			}
		}
	}
	return turns, nil
}

func read(path string) ([]byte, error) {
	st, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no regular file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 4*maxFile))
}

// Once reports whether this is the first call for a kind of event of a
// session, and marks that it happened. A mark that cannot be made is as good
// as one that is there: rather nothing twice.
func (l Log) Once(kind, session string) bool {
	f, err := os.OpenFile(l.mark(kind, session), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	_ = f.Close()
	return true
}

// Marked reports whether [Log.Once] was called.
func (l Log) Marked(kind, session string) bool {
	_, err := os.Lstat(l.mark(kind, session))
	return err == nil
}

// Forget takes the mark away.
func (l Log) Forget(kind, session string) { _ = os.Remove(l.mark(kind, session)) }

func (l Log) file(session string) string {
	return filepath.Join(l.Dir, "shown-"+Key(session)+".jsonl")
}

func (l Log) mark(kind, session string) string {
	return filepath.Join(l.Dir, kind+"-"+Key(session))
}

// Key is a session's id where that can be part of a file's name, else what
// stands for it: two ids never have one key. "" is "anon".
func Key(session string) string {
	if session == "" {
		return "anon"
	}
	plain := len(session) <= 100 && strings.Trim(session, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
	if plain && !strings.HasPrefix(session, "h_") && session != "anon" {
		return session
	}
	sum := sha256.Sum256([]byte(session))
	return "h_" + hex.EncodeToString(sum[:16])
}

// kept is how long what nobody writes to is kept.
const kept = 7 * 24 * time.Hour

// Sweep removes files and marks of sessions that are over.
func (l Log) Sweep(now time.Time) {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		kind, _, ok := strings.Cut(e.Name(), "-")
		if !ok || kind == "daemon" || !e.Type().IsRegular() {
			continue
		}
		if st, err := e.Info(); err == nil && now.Sub(st.ModTime()) > kept {
			_ = os.Remove(filepath.Join(l.Dir, e.Name()))
		}
	}
}

func clip(s string) string {
	if len(s) > maxText {
		s = s[:maxText]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
