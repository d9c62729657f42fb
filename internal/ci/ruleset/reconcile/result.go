package reconcile

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
	"github.com/marola-dev/marola-routing/internal/command"
)

// A Status is how it is with a ruleset.
type Status string

// The statuses.
const (
	InSync      Status = "ok"
	Missing     Status = "missing"     // it is not there
	Drifted     Status = "drifted"     // it is other than the file says
	Unverified  Status = "unverified"  // what was seen is as the file says, but not everything was shown
	Created     Status = "created"     // and it is as the file says
	Updated     Status = "updated"     // and it is as the file says
	Held        Status = "held"        // applying would take something away, and nobody said yes
	Unconfirmed Status = "unconfirmed" // the service took it, and shows something else
	Unmanaged   Status = "unmanaged"   // no file is for it
	Deleted     Status = "deleted"
	Failed      Status = "failed"
)

// Exit codes, by what they mean.
const (
	CodeDone        = 0
	CodeDrift       = 1
	CodeManifest    = 2
	CodeUnconfirmed = 3
	CodeUnverified  = 4
	CodeRefused     = 5
)

// gravity orders codes, the gravest first.
var gravity = []int{CodeManifest, CodeRefused, CodeUnverified, CodeUnconfirmed, CodeDrift, CodeDone}

// Gravest is the gravest of the codes; [CodeDone] when there are none.
func Gravest(codes ...int) int {
	for _, code := range gravity {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return CodeDone
}

// A Result is what was found, and done, about one ruleset.
type Result struct {
	Target  string `json:"target"`  // owner/repository, or an organisation
	Ruleset string `json:"ruleset"` // its name
	File    string `json:"file,omitempty"`
	ID      string `json:"id,omitempty"` // of the live one
	Status  Status `json:"status"`
	Code    int    `json:"code"`
	// Changes are what applying the file changes, or changed.
	Changes []ruleset.Change `json:"changes,omitempty"`
	// ServerValues are parameters that only the service has; in a strict run
	// they are among the changes.
	ServerValues []ruleset.Change `json:"serverValues,omitempty"`
	// Hidden: the live bypass actors were not shown.
	Hidden bool `json:"hidden,omitempty"`
	// Request is the write that was made, or would be.
	Request *Request   `json:"request,omitempty"`
	Edit    *live.Edit `json:"lastEdit,omitempty"` // who changed a drifted one last, where the service tells
	Text    string     `json:"text,omitempty"`     // what is to be said beyond the status
	Hint    string     `json:"hint,omitempty"`
}

// A Request is a write.
type Request struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body,omitempty"`
}

func (w worker) result(want Wanted) Result {
	return Result{Target: w.target.String(), Ruleset: want.Value.Name(), File: want.File}
}

// fail is the result of an error.
func (r Result) fail(err error) Result {
	r.Status, r.Code, r.Text = Failed, CodeUnverified, err.Error()
	if e := (*live.Error)(nil); errors.As(err, &e) && e.Refused() {
		r.Code = CodeRefused
	}
	if h := command.Hinter(nil); errors.As(err, &h) {
		r.Hint = h.Hint()
	}
	return r
}

// end sets how it ended.
func (r Result) end(status Status, code int) Result {
	r.Status, r.Code = status, code
	return r
}

// note adds a sentence.
func (r Result) note(text, hint string) Result {
	r.Text, r.Hint = text, hint
	return r
}
