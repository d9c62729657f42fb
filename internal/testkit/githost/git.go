package githost

import (
	"fmt"
	"net/http"
	"net/http/cgi"
	"path/filepath"
	"strconv"
	"strings"
)

// verdicts is the variable in which the hook finds what the rules say of each
// command of a push: "REF allow", "REF fast-forward" or "REF WORDS".
const verdicts = "GITHOST_VERDICTS"

// preReceive refuses what the rules forbid, in the service's words. Whether an
// update is a fast-forward is known only here, where the objects are. Who
// writes past the service, on its disk, is not asked.
const preReceive = `#!/bin/sh
[ -n "${` + verdicts + `+set}" ] || exit 0
refuse() {
  echo "error: GH013: Repository rule violations found for $1." >&2
  echo "" >&2
  printf '%s\n' "$2" | sed 's/^/- /' >&2
  echo "" >&2
  exit 1
}
while read -r old new ref; do
  verdict=$(printf '%s\n' "$` + verdicts + `" | while read -r r v; do [ "$r" = "$ref" ] && echo "$v"; done)
  case $verdict in
    allow) ;;
    fast-forward) git merge-base --is-ancestor "$old" "$new" || refuse "$ref" "` + "Cannot force-push to this branch." + `" ;;
    *) refuse "$ref" "$verdict" ;;
  esac
done
exit 0
`

// serveGit is git over HTTP: who asks is found out here, the rest is git's.
func (h *Host) serveGit(w http.ResponseWriter, r *http.Request, data []byte) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 3)
	if len(parts) < 3 {
		http.NotFound(w, r)
		return
	}
	parts[1] = strings.TrimSuffix(parts[1], ".git")
	repo := h.repository(parts[0] + "/" + parts[1])
	who, good := h.who(r)
	push := parts[2] == "git-receive-pack" || r.URL.Query().Get("service") == "git-receive-pack"
	level := "read"
	if push {
		level = "write"
	}
	switch {
	case !good:
		w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		http.Error(w, "remote: Invalid username or token.", http.StatusUnauthorized)
		return
	case who == nil && (push || repo == nil || repo.Private):
		w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		http.Error(w, "remote: Authentication required.", http.StatusUnauthorized)
		return
	case repo == nil || !who.sees(repo):
		http.Error(w, "remote: Repository not found.", http.StatusNotFound)
		return
	case !who.may("contents", level, repo):
		http.Error(w, fmt.Sprintf("remote: Permission to %s.git denied to %s.", repo.Name, who.login), http.StatusForbidden)
		return
	}
	login := ""
	if who != nil {
		login = who.login
	}
	to := r.Clone(r.Context())
	to.URL.Path = "/" + filepath.Base(repo.Dir) + "/" + parts[2]
	env := append(gitEnv(), "GIT_PROJECT_ROOT="+filepath.Dir(repo.Dir), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER="+login)
	if parts[2] == "git-receive-pack" {
		env = append(env, verdicts+"="+repo.verdicts(who, data))
	}
	(&cgi.Handler{Path: filepath.Join(h.git, "git-http-backend"), Env: env, Stderr: discard{}}).ServeHTTP(w, to)
}

// discard drops what git says to nobody: a client that is gone is no news.
type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// verdicts says for each command of a push what the rules say.
func (r *Repository) verdicts(who *actor, data []byte) string {
	var lines []string
	for _, c := range commands(data) {
		slow := false
		broken := r.judge(who, c, func(rule string) bool {
			switch rule {
			case "creation":
				return c.old == ""
			case "update":
				return c.old != "" && c.new != ""
			case "deletion":
				return c.new == ""
			case "required_signatures":
				return c.new != "" // what is pushed for an App is not signed
			}
			slow = slow || rule == "non_fast_forward" && c.old != "" && c.new != ""
			return false
		})
		switch {
		case len(broken) > 0:
			lines = append(lines, c.ref+" "+strings.Join(broken, " "))
		case slow:
			lines = append(lines, c.ref+" fast-forward")
		default:
			lines = append(lines, c.ref+" allow")
		}
	}
	return strings.Join(lines, "\n")
}

// commands are those at the head of a push.
func commands(data []byte) (list []change) {
	for len(data) >= 4 {
		n, err := strconv.ParseInt(string(data[:4]), 16, 32)
		if err != nil || n < 4 || int(n) > len(data) {
			break // the end of the list, or no push
		}
		line, _, _ := strings.Cut(string(data[4:n]), "\x00")
		data = data[n:]
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		c := change{ref: f[2]}
		if f[0] != zero {
			c.old = f[0]
		}
		if f[1] != zero {
			c.new = f[1]
		}
		list = append(list, c)
	}
	return list
}
