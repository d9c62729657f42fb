// Package wisdom asks a curator for skills that are not there yet.
//
// A curator is a command that the person has set. It is given a prompt as JSON
// on standard input and answers with skills as JSON on standard output; what it
// does in between, and whom it asks, is its own. It is none of the router's
// answers: it may take minutes, and what it brings is there for later sessions.
//
// What comes back is foreign. It is bounded, each skill must be one that the
// router would read, none may bring evidence of its own, and none replaces a
// skill that is there. The contract stands in docs/wisdom.md.
package wisdom

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Bounds on a curator.
const (
	maxAnswer  = 4 << 20   // bytes
	maxContent = 256 << 10 // of one SKILL.md
	maxSkills  = 20
	maxPrompt  = 32 << 10
	maxError   = 300

	timeout = 5 * time.Minute
)

// A Task is what a curator reads.
type Task struct {
	Version int    `json:"version"` // 1
	Prompt  string `json:"prompt"`
	Host    string `json:"host"`          // codex, claude, gemini or hermes
	Dir     string `json:"cwd,omitempty"` // where the work is
	TopK    int    `json:"top_k"`         // more skills than these are not taken
}

// An Answer is what it writes.
type Answer struct {
	Skills []Found `json:"skills"`
}

// A Found is a skill as a curator gives it.
type Found struct {
	Name    string `json:"name"`
	Content string `json:"content"` // the whole SKILL.md
}

// A Curator is the command, and where its skills go.
type Curator struct {
	Command []string // program and arguments; no shell is between
	Dir     string   // a directory of skills, made when needed
	Env     []string // of the command; nil is that of this process
}

// Run asks once, and returns the names of the skills that are new.
func (c Curator) Run(ctx context.Context, task Task) ([]string, error) {
	task.Version, task.TopK = 1, maxSkills
	if len(task.Prompt) > maxPrompt {
		task.Prompt = string(bytes.ToValidUTF8([]byte(task.Prompt[:maxPrompt]), nil))
	}
	input, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Command[0], c.Command[1:]...)
	out, errs := &capped{limit: maxAnswer}, &capped{limit: maxError}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env, cmd.Dir = bytes.NewReader(input), out, errs, c.Env, os.TempDir()
	cmd.WaitDelay = time.Second
	gitstore.EndTogether(cmd)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("the curator was not done in %v", timeout)
		}
		return nil, fmt.Errorf("the curator: %w: %s", err, plaintext.Line(string(errs.data), maxError))
	}
	if out.over {
		return nil, fmt.Errorf("the curator wrote more than %d MiB", maxAnswer>>20)
	}
	var a Answer
	if err := json.Unmarshal(out.data, &a); err != nil || a.Skills == nil {
		return nil, errors.New(`the curator did not answer with {"skills": [{"name", "content"}]}`)
	}
	var added []string
	var problems []error
	for _, f := range a.Skills[:min(len(a.Skills), maxSkills)] {
		switch fresh, err := c.add(f); {
		case err != nil:
			problems = append(problems, fmt.Errorf("skill %s: %w", plaintext.Line(f.Name, 80), err))
		case fresh:
			added = append(added, f.Name)
		}
	}
	return added, errors.Join(problems...)
}

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// add keeps a skill, unless one of its name is there.
func (c Curator) add(f Found) (fresh bool, err error) {
	if !nameForm.MatchString(f.Name) {
		return false, errors.New("its name is not of small letters, digits and dashes")
	}
	if len(f.Content) > maxContent {
		return false, fmt.Errorf("it has %d bytes; at most %d are taken", len(f.Content), maxContent)
	}
	front, err := skill.Parse([]byte(f.Content))
	switch {
	case err != nil:
		return false, err
	case front.Name != "" && front.Name != f.Name:
		return false, errors.New("its frontmatter names another")
	case front.Meta.Helpful+front.Meta.Harmful > 0 || len(front.Meta.HelpfulContexts)+len(front.Meta.HarmfulContexts) > 0:
		return false, errors.New("it brings its own evidence")
	}
	to := filepath.Join(c.Dir, f.Name)
	if _, err := os.Lstat(to); err == nil {
		return false, nil
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return false, err
	}
	temp, err := os.MkdirTemp(c.Dir, ".new-") // hidden: no search reads half of it
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	if err := os.WriteFile(filepath.Join(temp, skill.FileName), []byte(f.Content), 0o600); err != nil {
		return false, err
	}
	if err := os.Rename(temp, to); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	return true, nil
}

// capped keeps the first bytes that are written to it. It is no buffer with
// more methods: a copy would read past its limit.
type capped struct {
	data  []byte
	limit int
	over  bool
}

func (c *capped) Write(data []byte) (int, error) {
	keep := min(len(data), c.limit-len(c.data))
	c.over = c.over || keep < len(data)
	c.data = append(c.data, data[:keep]...)
	return len(data), nil
}
