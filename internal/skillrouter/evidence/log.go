package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// LogFile is the name of the log beside the store. The one before it has .1
// behind its name.
const LogFile = "verdicts.log"

// maxLog is the size at which a log is set aside, in bytes.
const maxLog = 512 << 10

// A Log holds what was captured and why it was dropped, one line of JSON each,
// at most two files of maxLog bytes.
type Log struct{ path string }

// An Entry is one tag and what became of it.
type Entry struct {
	At      time.Time  `json:"at"`
	Host    skill.Host `json:"host"`
	Session string     `json:"session_id"`
	Skill   string     `json:"skill"`
	Verdict Label      `json:"verdict,omitempty"`
	Reason  string     `json:"reason,omitempty"`
	Outcome Outcome    `json:"outcome"` // counted, corrected, repeated, dropped
	Why     string     `json:"why,omitempty"`
}

// Dropped is the outcome of a tag that does not count.
const Dropped Outcome = "dropped"

// Path is the log's file.
func (l *Log) Path() string { return l.path }

// Append adds entries. The caller holds the store's lock.
func (l *Log) Append(entries ...Entry) error {
	var b bytes.Buffer
	for _, e := range entries {
		e.Session, e.Skill, e.Reason = clean(e.Session, maxID), clean(e.Skill, maxName), clean(e.Reason, 300)
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	if b.Len() == 0 {
		return nil
	}
	if st, err := os.Stat(l.path); err == nil && st.Size() > maxLog {
		if err := os.Rename(l.path, l.path+".1"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	text := b.Bytes()
	if torn(f) {
		text = append([]byte("\n"), text...)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// torn reports whether a writer was killed in the middle of a line.
func torn(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false
	}
	var end [1]byte
	_, err = f.ReadAt(end[:], st.Size()-1)
	return err == nil && end[0] != '\n'
}

// Recent are the last n entries, oldest first. A line that cannot be read is
// left out.
func (l *Log) Recent(n int) (entries []Entry, err error) {
	for _, path := range []string{l.path + ".1", l.path} {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(f, 2*maxLog))
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			var e Entry
			if json.Unmarshal(line, &e) == nil {
				entries = append(entries, e)
			}
		}
	}
	return entries[max(0, len(entries)-n):], nil
}
