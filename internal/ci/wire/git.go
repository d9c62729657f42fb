package wire

import (
	"path"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

func (j *job) git(s *shell, c call) {
	args, dir := c.args[1:], s.dir
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		switch {
		case args[0] == "-C":
			dir = s.join(args[1])
			args = args[2:]
		case args[0] == "-c" || args[0] == "--git-dir" || args[0] == "--work-tree":
			args = args[2:]
		default:
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return
	}
	switch verb, rest := args[0], args[1:]; verb {
	case "push":
		j.push(dir, rest, c)
	case "clone":
		f := parseFlags(rest, "-b --branch --depth -o --origin --reference -j --jobs --filter -c --config --shallow-since")
		if len(f.args) > 0 {
			j.cloned(s, ghSlug(stripAuth(f.args[0])), argument(f.args, 1), f.get("-b", "--branch"), c.at, c.sure)
		}
	case "remote":
		f := parseFlags(rest, "-t -m")
		if len(f.args) >= 3 && (f.args[0] == "add" || f.args[0] == "set-url") {
			j.remotes[f.args[1]] = ghSlug(stripAuth(f.args[2]))
		}
	case "fetch", "pull":
		f := parseFlags(rest, "--depth --deepen -j --jobs --shallow-since --refmap --upload-pack -o --filter")
		if len(f.args) > 1 {
			slug, _ := j.remote(dir, f.args[0])
			for _, ref := range f.args[1:] {
				ref, _, _ = strings.Cut(strings.TrimPrefix(ref, "+"), ":")
				j.readsBranch(slug, strings.TrimPrefix(ref, "refs/heads/"), c.at, c.sure)
			}
		}
	case "worktree":
		for _, a := range parseFlags(rest, "-b -B").args {
			if b, ok := strings.CutPrefix(a, "origin/"); ok {
				slug, _ := j.remote(dir, "origin")
				j.readsBranch(slug, b, c.at, c.sure)
			}
		}
	case "show", "archive", "checkout", "restore":
		for _, a := range rest {
			ref, _, _ := strings.Cut(a, ":")
			if b, ok := strings.CutPrefix(ref, "origin/"); ok {
				slug, _ := j.remote(dir, "origin")
				j.readsBranch(slug, b, c.at, c.sure)
			}
		}
	case "add":
		for _, a := range parseFlags(rest, "").args {
			if known(a) && a != "." && !strings.HasPrefix(a, ":") {
				j.added = append(j.added, baseOf(a))
			}
		}
	case "submodule":
		// Which commits are pinned, .gitmodules says.
	}
}

// stripAuth takes what stands before the host off an address.
func stripAuth(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	if host, after, ok := strings.Cut(rest, "@"); ok && !strings.Contains(host, "/") {
		rest = after
	}
	return scheme + "://" + rest
}

// cloned notes where a repository is put, and that it is read.
func (j *job) cloned(s *shell, slug, dir, branch string, line, sure int) {
	if slug == "" || !fixed(slug) || !strings.Contains(slug, "/") {
		return
	}
	if dir == "" {
		dir = path.Base(slug)
	}
	j.checkouts = append(j.checkouts, checkout{dir: s.join(dir), slug: slug, ref: branch})
	if !j.isOwn(slug) {
		j.emit(fact{role: read, kind: wiring.Repository, name: slug, place: wiring.Place{Version: versionOf(branch), Note: "cloned"}}, line, sure)
	}
	j.readsBranch(slug, branch, line, sure)
}

// mainBranches are those that people write, and machines push to only by
// the way.
var mainBranches = map[string]bool{"main": true, "master": true, "develop": true, "trunk": true, "HEAD": true, "": true}

// readsBranch states the use of a branch; it counts where one is published.
func (j *job) readsBranch(slug, branch string, line, sure int) {
	if !known(branch) || mainBranches[branch] || strings.HasPrefix(branch, "-") || strings.HasPrefix(branch, "refs/") {
		return
	}
	f := fact{role: read, kind: wiring.Branch, name: branch, repo: j.x.shortOf(slug), own: true}
	if !known(slug) || slug == "" {
		j.mention(branch, line)
		return
	}
	j.emit(f, line, sure)
}

// mention notes that a line names what may be a branch.
func (j *job) mention(branch string, line int) {
	if j.silent || j.w.file.at == "" {
		return
	}
	p := j.w.file.place(line)
	p.Certainty = 80
	j.x.mentions = append(j.x.mentions, mention{branch, fact{role: read, kind: wiring.Branch, name: branch, place: p}})
}

// remote is the owner/repo that a remote or address means in a folder; here
// is false where that is not told.
func (j *job) remote(dir, name string) (slug string, here bool) {
	if strings.Contains(name, "://") || strings.Contains(name, "@") && strings.Contains(name, ":") {
		slug = slugOf(stripAuth(name))
		return slug, slug != "" && fixed(slug)
	}
	if slug, ok := j.remotes[name]; ok {
		return slug, true
	}
	if !known(name) && strings.HasPrefix(name, openMark) {
		return shown(name), false
	}
	if in, ok := j.inside(path.Join(dir, "x")); ok {
		return in.slug, true
	}
	if dir == ".." || !known(dir) {
		return unknown("repository"), false
	}
	return j.x.slug(max(j.repo, 0)), true
}

// namesTag reports a ref that is pushed as a tag: one that says so, or one
// whose name begins with what is a tag or a version, a v before it or not. A
// branch may end in one.
func namesTag(ref string) bool {
	if rest, ok := strings.CutPrefix(ref, "refs/tags/"); ok {
		return rest != ""
	}
	ref = strings.TrimPrefix(ref, "v")
	return strings.HasPrefix(ref, openMark+"tag"+closeMark) || strings.HasPrefix(ref, openMark+"version"+closeMark)
}

// push states what git push publishes.
func (j *job) push(dir string, args []string, c call) {
	f := parseFlags(args, "-o --push-option --repo --receive-pack --exec")
	if f.has["--dry-run"] || f.has["-n"] {
		return
	}
	name := "origin"
	if len(f.args) > 0 {
		name = f.args[0]
	}
	slug, told := j.remote(dir, name)
	if !told {
		j.emit(fact{role: unresolved, kind: "push", name: shown(slug), more: "which repository is pushed to is not told by the workspace"}, c.at, 100)
		return
	}
	tags := f.has["--tags"] || f.has["--follow-tags"]
	var refs []string
	if len(f.args) > 1 {
		refs = f.args[1:]
	}
	branches := 0
	for _, ref := range refs {
		ref = strings.TrimPrefix(ref, "+")
		if _, dst, ok := strings.Cut(ref, ":"); ok {
			ref = dst
		}
		if namesTag(ref) {
			tags = true
			continue
		}
		ref = strings.TrimPrefix(ref, "refs/heads/")
		if !known(ref) || mainBranches[ref] || strings.HasPrefix(ref, ":") || f.has["--delete"] || f.has["-d"] || strings.HasPrefix(ref, "refs/") {
			continue
		}
		branches++
		j.emit(fact{role: published, kind: wiring.Branch, name: ref, repo: j.x.shortOf(slug)}, c.at, c.sure)
	}
	if in, ok := j.inside(path.Join(dir, "x")); ok && len(refs) == 0 && known(in.ref) && !mainBranches[in.ref] && len(in.ref) < 40 {
		branches++
		j.emit(fact{role: published, kind: wiring.Branch, name: in.ref, repo: j.x.shortOf(slug)}, c.at, min(c.sure, 90))
	}
	if ref := j.rootRef(); dir == "" && len(refs) == 0 && branches == 0 && !tags && j.isOwn(slug) && known(ref) && !mainBranches[ref] {
		branches++
		j.emit(fact{role: published, kind: wiring.Branch, name: ref, repo: j.x.shortOf(slug)}, c.at, min(c.sure, 90))
	}
	if tags {
		j.emit(fact{role: published, kind: wiring.Release, name: slug, place: wiring.Place{Note: "pushes a tag"}}, c.at, c.sure)
	}
	if branches == 0 && !j.isOwn(slug) {
		j.emit(fact{role: published, kind: wiring.Push, name: slug}, c.at, c.sure)
	}
}

// rootRef is the branch that the job's folder is checked out at, "" where no
// step tells it.
func (j *job) rootRef() string {
	for _, c := range slices.Backward(j.checkouts) {
		if c.dir == "" {
			ref := strings.TrimPrefix(c.ref, "refs/heads/")
			if strings.HasPrefix(ref, "refs/") || len(ref) >= 40 || !strings.EqualFold(c.slug, j.x.slug(max(j.repo, 0))) {
				return ""
			}
			return ref
		}
	}
	return ""
}
