package githost

import (
	"cmp"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const zero = "0000000000000000000000000000000000000000"

// refs are the repository's refs and where they are: read as git keeps them,
// without git, for they are asked for with every request.
func (r *Repository) refs() (map[string]string, error) {
	refs := map[string]string{}
	packed, err := os.ReadFile(filepath.Join(r.Dir, "packed-refs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range strings.Lines(string(packed)) {
		if at, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && hash.MatchString(at) {
			refs[name] = at
		}
	}
	top := filepath.Join(r.Dir, "refs")
	err = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone meanwhile
		}
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		rel, _ := filepath.Rel(top, path) // both are below Dir
		if at := strings.TrimSpace(string(data)); hash.MatchString(at) {
			refs["refs/"+filepath.ToSlash(rel)] = at
		}
		return err
	})
	return refs, err
}

// A hookError is the no of one of the repository's hooks.
type hookError struct{ hook, said string }

func (e *hookError) Error() string { return cmp.Or(e.said, e.hook+" hook declined") }

// move sets a ref by compare-and-swap, with git's own lock; old and commit
// "" mean that there is none.
func (r *Repository) move(ref, old, commit string) error {
	if err := r.hooks(ref, old, commit); err != nil {
		return err
	}
	args := []string{"-C", r.Dir, "update-ref", ref, cmp.Or(commit, zero), cmp.Or(old, zero)}
	if commit == "" {
		args = []string{"-C", r.Dir, "update-ref", "-d", ref, cmp.Or(old, zero)}
	}
	_, err := r.host.run("", args...)
	return err
}

// hooks runs the hooks that a push runs: an enterprise server runs them for
// the API, too.
func (r *Repository) hooks(ref, old, commit string) error {
	old, commit = cmp.Or(old, zero), cmp.Or(commit, zero)
	for _, hook := range []struct {
		name, stdin string
		args        []string
	}{{"pre-receive", old + " " + commit + " " + ref + "\n", nil}, {"update", "", []string{ref, old, commit}}} {
		program := filepath.Join(r.Dir, "hooks", hook.name)
		if info, err := os.Stat(program); err != nil || info.Mode()&0o100 == 0 {
			continue
		}
		if script, err := os.ReadFile(program); err != nil || string(script) == preReceive {
			continue // our own, whose verdict is known
		}
		cmd := exec.Command(program, hook.args...)
		cmd.Dir = r.Dir
		cmd.Env = append(gitEnv(), "GIT_DIR=.")
		cmd.Stdin = strings.NewReader(hook.stdin)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return &hookError{hook.name, string(out)}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refName is what the service takes for a full name.
var refName = regexp.MustCompile(`^refs/[^/]+/.+$`)

func validRef(name string) bool {
	if !refName.MatchString(name) || strings.ContainsAny(name, " ~^:?*[\\\x7f") || strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.Contains(name, "//") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") || strings.HasSuffix(part, ".") {
			return false
		}
	}
	return true
}

func (c *call) ref(name, at string) Object {
	kind, _, err := c.repo.get(at)
	if err != nil {
		kind = "commit"
	}
	return Object{"ref": name, "node_id": "REF_" + name, "url": c.url("repos/%s/git/%s", c.repo.Name, name),
		"object": Object{"type": kind, "sha": at, "url": c.url("repos/%s/git/%ss/%s", c.repo.Name, kind, at)}}
}

func matchingRefs(c *call) reply {
	refs, err := c.repo.refs()
	if err != nil {
		return c.broken(err)
	}
	if len(refs) == 0 {
		return c.refuse(http.StatusConflict, empty)
	}
	found := []any{}
	for _, name := range sorted(refs) {
		if strings.HasPrefix(name, "refs/"+c.values["ref"]) {
			found = append(found, c.ref(name, refs[name]))
		}
	}
	return ok(http.StatusOK, found)
}

func sorted(refs map[string]string) (names []string) {
	for name := range refs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func getRef(c *call) reply {
	refs, err := c.repo.refs()
	if err != nil {
		return c.broken(err)
	}
	if len(refs) == 0 {
		return c.refuse(http.StatusConflict, empty)
	}
	name := "refs/" + c.values["ref"]
	if refs[name] == "" {
		return c.refuse(http.StatusNotFound, "Not Found")
	}
	return ok(http.StatusOK, c.ref(name, refs[name]))
}

func createRef(c *call) reply {
	name, _ := c.body["ref"].(string)
	to, _ := c.body["sha"].(string)
	if c.repo.isEmpty() {
		return c.refuse(http.StatusConflict, empty)
	}
	if !validRef(name) {
		return c.refuse(http.StatusUnprocessableEntity, "Reference name must start with 'refs/' and have at least two slashes.")
	}
	if kind, _, err := c.repo.get(to); err != nil || strings.HasPrefix(name, "refs/heads/") && kind != "commit" {
		return c.refuse(http.StatusUnprocessableEntity, "Object does not exist")
	}
	if broken := c.repo.violations(c.actor, change{name, "", to}); len(broken) > 0 {
		return c.refuse(http.StatusUnprocessableEntity, ruleText(broken))
	}
	switch err := c.repo.move(name, "", to); {
	case isHook(err):
		return c.refuse(http.StatusUnprocessableEntity, err.Error())
	case err != nil && strings.Contains(err.Error(), "already exists"):
		return c.refuse(http.StatusUnprocessableEntity, "Reference already exists")
	case err != nil:
		return c.refuse(http.StatusUnprocessableEntity, "Reference update failed")
	}
	return ok(http.StatusCreated, c.ref(name, to))
}

func updateRef(c *call) reply {
	name := "refs/" + c.values["ref"]
	to, _ := c.body["sha"].(string)
	refs, err := c.repo.refs()
	if err != nil {
		return c.broken(err)
	}
	old := refs[name]
	switch {
	case len(refs) == 0:
		return c.refuse(http.StatusConflict, empty)
	case old == "":
		return c.refuse(http.StatusUnprocessableEntity, "Reference does not exist")
	case !c.repo.is("commit", to):
		return c.refuse(http.StatusUnprocessableEntity, "Object does not exist")
	case c.body["force"] != true && !c.repo.descends(to, old):
		return c.refuse(http.StatusUnprocessableEntity, "Update is not a fast forward")
	}
	return c.moved(change{name, old, to}, ok(http.StatusOK, c.ref(name, to)))
}

func deleteRef(c *call) reply {
	name := "refs/" + c.values["ref"]
	refs, err := c.repo.refs()
	if err != nil {
		return c.broken(err)
	}
	if refs[name] == "" {
		return c.refuse(http.StatusUnprocessableEntity, "Reference does not exist")
	}
	return c.moved(change{name, refs[name], ""}, ok(http.StatusNoContent, nil))
}

// moved makes a change under the rules, and answers so if it is made.
func (c *call) moved(to change, done reply) reply {
	if broken := c.repo.violations(c.actor, to); len(broken) > 0 {
		return c.refuse(http.StatusUnprocessableEntity, ruleText(broken))
	}
	switch err := c.repo.move(to.ref, to.old, to.new); {
	case isHook(err):
		return c.refuse(http.StatusUnprocessableEntity, err.Error())
	case err != nil:
		return c.refuse(http.StatusUnprocessableEntity, "Reference cannot be updated")
	}
	return done
}

func isHook(err error) bool {
	var hook *hookError
	return errors.As(err, &hook)
}

// descends reports whether a commit has another among its ancestors.
func (r *Repository) descends(from, ancestor string) bool {
	_, err := r.host.run("", "-C", r.Dir, "merge-base", "--is-ancestor", ancestor, from)
	return err == nil
}
