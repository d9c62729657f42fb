package wire

import "github.com/marola-dev/marola-routing/internal/route/wiring"

// A role says what a place does with what a fact names.
type role int

const (
	published  role = iota // an artifact is made there
	pinned                 // an artifact is named at one version
	read                   // an artifact is used
	sent                   // a dispatch is sent
	heard                  // a dispatch starts something
	moved                  // a bot of dependencies changes the file named
	bumped                 // a change of the file named starts something
	deployed               // something is put to run
	called                 // a workflow or action is used
	triggered              // an event starts a workflow
	copied                 // a contract has a copy
	declared               // a contract is stated
	allowed                // wiring.allow: an artifact needs no reader; note is why
	unresolved             // something is named that cannot be followed; why is why
)

// A fact is one thing that one place says. Readers append facts and never
// look at others'; [join] puts together what is about the same thing.
type fact struct {
	role  role
	kind  string   // of the artifact, call, deploy or unresolved thing
	name  string   // artifact, dispatch type, file, site, target, event
	repo  string   // short name of the repository the name belongs to, where the name alone does not tell
	files []string // pull requests: base names of what they change
	more  string   // trigger: the filter; unresolved: why; allowed: the reason; declared: whether it differs
	place wiring.Place

	// own is for facts that count only where something in the workspace has
	// to do with them, such as one of a thousand rows of a lock file: they
	// are kept where another fact publishes or reads the same name.
	own bool
}
