package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
)

// modeOf is how to choose: by likeness, or by asking an agent.
func (o *searchOptions) modeOf(c *config.Config) (string, error) {
	mode := o.mode
	if mode == "" {
		mode = c.Env("MEGA_MODE")
	}
	switch mode {
	case "", "semantic":
		return "semantic", nil
	case "agentic":
		return mode, nil
	}
	return "", command.Usage("search: there is no mode %q; there are semantic and agentic", mode)
}

// agentPool is how many skills an agent chooses from, the nearest.
const agentPool = 200

// An agentTask is what the backend reads on its standard input, one JSON
// object; docs/skill-routing.md has the contract.
type agentTask struct {
	Task      string           `json:"task"`
	Shortlist int              `json:"shortlist"` // choose at most so many
	ReadMax   int              `json:"read_max"`  // read at most so many SKILL.md files
	Skills    []agentCandidate `json:"skills"`    // nearest first
}

type agentCandidate struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	File        string `json:"file"`
}

// An agentChoice is what it writes to its standard output.
type agentChoice struct {
	Skills []string `json:"skills"` // names, best first; none is an answer
}

// maxAnswer bounds what a backend may write, in bytes.
const maxAnswer = 1 << 20

// askAgent lets the program of MEGA_BACKEND choose. It is run as it is named,
// with no shell.
func (o *searchOptions) askAgent(ctx context.Context, p command.Process, c *config.Config, task string, r rank.Ranking, options rank.Options) ([]rank.Pick, error) {
	words := strings.Fields(c.Env("MEGA_BACKEND"))
	if len(words) == 0 {
		return nil, errors.New("MEGA_BACKEND names no program")
	}
	n := o.prefilter
	if n <= 0 {
		n = agentPool
	}
	t := agentTask{Task: task, Shortlist: o.shortlist, ReadMax: o.readMax, Skills: []agentCandidate{}}
	byName := map[string]rank.Pick{}
	for _, k := range r.Picks[:min(n, len(r.Picks))] {
		if k.Terms.Factor < 0 {
			continue // archived
		}
		byName[k.Skill.Name] = k
		t.Skills = append(t.Skills, agentCandidate{k.Skill.Name, k.Skill.Description, filepath.Join(k.Skill.Dir, "SKILL.md")})
	}
	input, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(o.timeout*float64(time.Second)))
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = p.Dir, p.Env, bytes.NewReader(input)
	cmd.WaitDelay = time.Second
	var out capped
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s was not done in %g s", words[0], o.timeout)
		}
		return nil, fmt.Errorf("%s: %w", words[0], err)
	}
	var choice agentChoice
	if err := json.Unmarshal(out.data, &choice); err != nil || choice.Skills == nil {
		return nil, fmt.Errorf("%s did not answer with {\"skills\": [names]}", words[0])
	}
	picks := []rank.Pick{}
	for _, name := range choice.Skills {
		if k, ok := byName[name]; ok && len(picks) < min(options.TopK, o.shortlist) {
			picks = append(picks, k)
			delete(byName, name)
		}
	}
	if len(picks) == 0 && len(choice.Skills) > 0 {
		return nil, fmt.Errorf("%s chose none of the skills that it was given", words[0])
	}
	return picks, nil
}

// capped keeps the first maxAnswer bytes that are written to it.
type capped struct{ data []byte }

func (c *capped) Write(data []byte) (int, error) {
	c.data = append(c.data, data[:min(len(data), maxAnswer-len(c.data))]...)
	return len(data), nil
}
