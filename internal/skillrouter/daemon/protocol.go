// Package daemon keeps a model warm: a process that ranks prompts for hooks
// and searches over a socket of its own person.
//
// One line of JSON asks, one line answers, one question a connection. Whoever
// asks says which program it is; a daemon of another build ends, so that an
// upgrade is not answered by what was there before.
package daemon

import (
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// Bounds of the protocol.
const (
	maxRequest  = 1 << 20 // bytes
	maxResponse = 16 << 20
)

// A Request is one question.
type Request struct {
	Op      string `json:"op"`               // ping, shutdown, rank, agentic_rank, find or wisdom_ignite
	Build   string `json:"build,omitempty"`  // of the program that asks; "" is any
	Secret  string `json:"secret,omitempty"` // where the socket alone proves nothing
	Prompt  string `json:"prompt,omitempty"`
	Dir     string `json:"cwd,omitempty"`        // where the work is: its project's skills count
	Skills  string `json:"skills_dir,omitempty"` // directories, separated by commas, instead of all others
	TopK    int    `json:"top_k,omitempty"`
	Prepend int    `json:"prepend_k,omitempty"`
	Target  string `json:"target,omitempty"`    // codex, claude, gemini or hermes
	Emit    string `json:"emit_mode,omitempty"` // full, or catalog_only: no block

	// What a mega-tron that asks has found out itself.
	Roots   []skill.Root  `json:"roots,omitempty"`
	Options *rank.Options `json:"options,omitempty"`
	Model   string        `json:"model,omitempty"` // the pack that it would use; "" is any
	All     bool          `json:"all,omitempty"`   // the names of all other skills, too
}

// A Response is its answer.
type Response struct {
	OK      bool   `json:"ok"`
	Error   string `json:"error,omitempty"`
	Version string `json:"version,omitempty"` // of the daemon
	Build   string `json:"build,omitempty"`
	PID     int    `json:"pid,omitempty"`

	Shutdown bool `json:"shutdown,omitempty"`

	Context string   `json:"additional_context,omitempty"`
	Skills  []string `json:"skills,omitempty"` // names, at most prepend_k of those that are shown
	Bodies  []Body   `json:"bodies,omitempty"`
	Picks   []Pick   `json:"picks,omitempty"` // all that are shown, and for a mega-tron those behind them
	Names   []string `json:"names,omitempty"` // of those behind the picks, when all were asked for
	Show    int      `json:"show"`
	Reason  string   `json:"reason,omitempty"`
	Total   int      `json:"total,omitempty"` // skills that were ranked

	Status string `json:"status,omitempty"` // of wisdom_ignite
}

// A Body is a SKILL.md that find gives whole.
type Body struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// A Pick is a skill of a ranking.
type Pick struct {
	Name        string  `json:"name"`
	SkillDir    string  `json:"skill_dir"`
	Description string  `json:"description"`
	Score       float64 `json:"score"`
}
