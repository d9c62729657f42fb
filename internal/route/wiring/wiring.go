// Package wiring is wiring.json: which repository makes, pins, reads,
// triggers and deploys what. Every fact names the file and line that states
// it.
package wiring

// Wiring is wiring.json. Lists are sorted, so that the same workspace gives
// the same bytes.
type Wiring struct {
	Schema     int          `json:"schema"`
	Artifacts  []Artifact   `json:"artifacts"`
	Dispatches []Dispatch   `json:"dispatches"`
	Bumps      []Bump       `json:"bumps"`
	Deploys    []Deploy     `json:"deploys"`
	Calls      []Call       `json:"calls"`
	Triggers   []Trigger    `json:"triggers"`
	Contracts  []Contract   `json:"contracts"`
	Unresolved []Unresolved `json:"unresolved"`
	LeftOut    int          `json:"left_out,omitempty"` // places beyond what one role of one fact may list
}

// Kinds of artifacts. A reader takes a kind it does not know as it stands.
const (
	Image        = "image"             // a container image; the name has its registry, no tag
	ReleaseAsset = "release asset"     // a file of a release; <…> in the name stands for what varies
	Release      = "release"           // a release without files known by name; the name is owner/repo
	Branch       = "branch"            // a branch that a machine writes; Repo says of which repository
	PullRequest  = "pull request"      // changes proposed to another repository; the name is owner/repo, or the file that lists several
	Push         = "push"              // commits pushed to another repository; the name is owner/repo
	Package      = "package"           // of a registry; the name begins with its ecosystem, as in npm:left-pad
	Chart        = "helm chart"        // a Helm chart
	RunArtifact  = "workflow artifact" // files that one job hands to another; Repo says in which repository
	Cache        = "cache"             // a key of the cache that jobs share; Repo says in which repository
	Repository   = "repository"        // a repository used at one commit or tag; the name is owner/repo, with its host before it where that is not GitHub
	Module       = "terraform module"  // a Terraform module; the name is its source
	Provider     = "terraform provider"
)

// An Artifact is something that one repository makes and others use.
type Artifact struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Repo      string   `json:"repo,omitempty"`  // short name of the repository it belongs to, where the name alone does not tell
	Files     []string `json:"files,omitempty"` // base names of the files a pull request changes
	Published []Place  `json:"published,omitempty"`
	Pinned    []Place  `json:"pinned,omitempty"`
	Read      []Place  `json:"read,omitempty"`
	Allowed   string   `json:"allowed,omitempty"` // why nobody needs to read it, in the umbrella's own words
}

// A Dispatch is a repository_dispatch event type.
type Dispatch struct {
	Type  string  `json:"type"`
	Sent  []Place `json:"sent,omitempty"`
	Heard []Place `json:"heard,omitempty"`
}

// A Bump is a file that pins something: the workflows that a change of it
// starts, and the bots that keep what it pins at the newest version.
type Bump struct {
	Repo   string  `json:"repo"`
	File   string  `json:"file"` // from the workspace's root, slashes
	Starts []Place `json:"starts,omitempty"`
	Moved  []Place `json:"moved,omitempty"`
}

// A Deploy is where a workflow puts something to run: a site, an
// environment, a cluster.
type Deploy struct {
	Site string  `json:"site"`           // a host, or the name of the environment; "?" where no file tells
	Kind string  `json:"kind,omitempty"` // "pages", "environment", or the tool that does it
	Repo string  `json:"repo,omitempty"` // short name of the repository, where the site alone does not tell
	By   []Place `json:"by"`
}

// Kinds of calls.
const (
	CallWorkflow = "workflow" // a reusable workflow
	CallAction   = "action"   // an action, composite or other
	CallDocker   = "docker"   // an image run as a step
	CallRun      = "run"      // a workflow started by another: workflow_run, gh workflow run
)

// A Call is the use of a reusable workflow or action. Version of its places
// is the ref that it is called at.
type Call struct {
	Target string  `json:"target"`         // owner/repo/path, owner/repo; repo/path for one of the workspace without an address
	Kind   string  `json:"kind,omitempty"` // see CallWorkflow
	From   []Place `json:"from"`
}

// A Trigger is an event that starts workflows.
type Trigger struct {
	Event  string  `json:"event"`            // as written under "on"
	Filter string  `json:"filter,omitempty"` // branches, tags, types, cron …, one line
	Starts []Place `json:"starts"`
}

// A Contract is a file that must be the same in several repositories: its
// bytes are, or a line of wiring.allow says so.
type Contract struct {
	Name     string  `json:"name"`
	Stated   bool    `json:"stated,omitempty"`  // a line says so
	Differs  bool    `json:"differs,omitempty"` // a line says so, and the bytes are not the same
	Copies   []Place `json:"copies"`            // places without a line
	Declared []Place `json:"declared,omitempty"`
}

// An Unresolved is something that the workspace names and that cannot be
// followed from what is in it.
type Unresolved struct {
	Kind    string  `json:"kind"` // "workflow", "action", "script", "file", "image", "release asset", "dispatch" …
	Name    string  `json:"name"`
	Version string  `json:"version,omitempty"` // the ref it is named at
	Why     string  `json:"why"`               // what is missing, one sentence without its full stop
	At      []Place `json:"at"`
}

// A Place is where a fact stands.
type Place struct {
	Repo      string `json:"repo"`
	File      string `json:"file"`                // from the workspace's root, slashes
	Line      int    `json:"line"`                // from 1; 0 means the whole file
	Via       string `json:"via,omitempty"`       // what really does it: file@ref of a called workflow, script:line
	When      string `json:"when,omitempty"`      // what starts it, as in "on a push to `main`"
	Version   string `json:"version,omitempty"`   // the tag, digest or commit named there
	Note      string `json:"note,omitempty"`      // what else is to be known, one line
	Evidence  string `json:"evidence,omitempty"`  // the text that states it, one line, secrets masked
	Certainty int    `json:"certainty,omitempty"` // 1 to 100; 0 means 100
}

// Sure is the certainty, 1 to 100.
func (p Place) Sure() int {
	if p.Certainty == 0 {
		return 100
	}
	return p.Certainty
}
