package skillsvendor_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/gitstore/gittest"
)

// A service is what propose asks of the hosting service, over a real
// repository.
type service struct {
	*gittest.World
	*httptest.Server
	dir string // of the repository

	mu      sync.Mutex
	refuse  map[string]int // "METHOD /path" → the status that is answered
	asked   []string
	rights  string // that a token was asked for
	open    bool   // that there is a pull request
	body    string // of it
	labels  string
	author  bool // that a commit named one
	revoked bool
}

func newService(t *testing.T, w *gittest.World, dir string) *service {
	s := &service{World: w, dir: dir, refuse: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

const theToken = "ghs_0123456789abcdefghijklmnopqrstuvwxyz"

func (s *service) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var in struct {
		Content, Message, Tree, Ref, SHA, Body string
		BaseTree                               string `json:"base_tree"`
		Head                                   string
		Parents                                []string
		Author                                 any
		Permissions                            map[string]string
	}
	var raw json.RawMessage
	if r.Body != nil {
		_ = json.NewDecoder(r.Body).Decode(&raw)
		_ = json.Unmarshal(raw, &in)
	}
	say := func(status int, format string, args ...any) {
		w.WriteHeader(status)
		fmt.Fprintf(w, format, args...)
	}
	call := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/repos/acme/app")
	s.asked = append(s.asked, call)
	if status := s.refuse[call]; status != 0 {
		say(status, `{"message":"no, with %s"}`, theToken)
		return
	}
	rest, isCommit := strings.CutPrefix(call, "GET /git/commits/")
	switch {
	case call == "GET /app":
		say(200, `{"slug":"skills-bot"}`)
	case call == "GET /installation":
		say(200, `{"id":1}`)
	case call == "POST /app/installations/1/access_tokens":
		rights, _ := json.Marshal(in.Permissions)
		s.rights = string(rights)
		say(201, `{"token":%q,"expires_at":"2030-01-01T00:00:00Z"}`, theToken)
	case call == "DELETE /installation/token":
		s.revoked = true
		w.WriteHeader(204)
	case r.Header.Get("Authorization") != "token "+theToken:
		say(401, `{"message":"Bad credentials"}`)
	case strings.HasPrefix(call, "GET /users/"):
		say(200, `{"id":5}`)
	case call == "GET ":
		say(200, `{"default_branch":"main"}`)
	case isCommit:
		tree, err := gittest.Run(s.Env, s.dir, "", "rev-parse", "--verify", "-q", rest+"^{tree}")
		if err != nil {
			say(404, `{"message":"Not Found"}`)
			return
		}
		parent, _ := gittest.Run(s.Env, s.dir, "", "rev-parse", "--verify", "-q", rest+"^")
		say(200, `{"sha":%q,"tree":{"sha":%q},"parents":[{"sha":%q}]}`, rest, tree, parent)
	case call == "POST /git/blobs":
		data, err := base64.StdEncoding.DecodeString(in.Content)
		if err != nil {
			say(422, `{"message":"not base64"}`)
			return
		}
		say(201, `{"sha":%q}`, s.Blob(s.dir, data))
	case call == "POST /git/trees":
		say(201, `{"sha":%q}`, s.tree(in.BaseTree, raw))
	case call == "POST /git/commits":
		s.author = in.Author != nil
		say(201, `{"sha":%q}`, s.Git(s.dir, "commit-tree", "-m", in.Message, "-p", in.Parents[0], in.Tree))
	case call == "GET /git/ref/heads/chore/skills-update":
		head, err := gittest.Run(s.Env, s.dir, "", "rev-parse", "--verify", "-q", "refs/heads/chore/skills-update")
		if err != nil {
			say(404, `{"message":"Not Found"}`)
			return
		}
		say(200, `{"ref":"refs/heads/chore/skills-update","object":{"sha":%q}}`, head)
	case call == "POST /git/refs", call == "PATCH /git/refs/heads/chore/skills-update":
		s.Git(s.dir, "update-ref", "refs/heads/chore/skills-update", in.SHA)
		say(200, `{}`)
	case call == "GET /pulls":
		list := `[{"number":3,"head":{"ref":"other"}}`
		if s.open {
			list += `,{"number":7,"head":{"ref":"chore/skills-update"}}`
		}
		say(200, "%s]", list)
	case call == "POST /pulls" && in.Head == "chore/skills-update", call == "PATCH /pulls/7":
		s.open, s.body = true, in.Body
		say(200, `{"number":7,"html_url":"https://example.org/pull/7"}`)
	case call == "POST /issues/7/labels":
		s.labels = string(raw)
		say(200, `[]`)
	default:
		say(500, `{"message":"not known here"}`)
	}
}

// tree is the base with the entries of a request.
func (s *service) tree(base string, raw json.RawMessage) string {
	var in struct {
		Tree []struct {
			Path, Mode string
			SHA        *string
		}
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		s.T.Error(err)
	}
	index := s.With("GIT_INDEX_FILE=" + s.Home + "/service.index")
	run := func(stdin string, args ...string) string {
		out, err := gittest.Run(index, s.dir, stdin, args...)
		if err != nil {
			s.T.Errorf("%v: %s", err, out)
		}
		return out
	}
	run("", "read-tree", base)
	var rows strings.Builder
	for _, e := range in.Tree {
		if e.SHA == nil {
			fmt.Fprintf(&rows, "0 %040d\t%s\n", 0, e.Path)
		} else {
			fmt.Fprintf(&rows, "%s %s\t%s\n", e.Mode, *e.SHA, e.Path)
		}
	}
	run(rows.String(), "update-index", "--index-info")
	return run("", "write-tree")
}
