package githost

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxBlob is the largest file that the service takes.
const maxBlob = 100 << 20

// empty is the answer in a repository without a commit.
const empty = "Git Repository is empty."

// isEmpty reports whether a repository has no ref.
func (r *Repository) isEmpty() bool {
	refs, err := r.refs()
	return err == nil && len(refs) == 0
}

func createBlob(c *call) reply {
	if c.repo.isEmpty() {
		return c.refuse(http.StatusConflict, empty)
	}
	text, _ := c.body["content"].(string)
	data := []byte(text)
	switch c.body["encoding"] {
	case nil, "utf-8":
	case "base64":
		var err error
		if data, err = base64.StdEncoding.DecodeString(text); err != nil {
			return c.refuse(http.StatusUnprocessableEntity, "content is not valid Base64")
		}
	default:
		return c.refuse(http.StatusUnprocessableEntity, "encoding must be utf-8 or base64")
	}
	if len(data) > maxBlob {
		return c.refuse(http.StatusUnprocessableEntity, "The blob is too large.")
	}
	name, err := c.repo.put("blob", data)
	if err != nil {
		return c.broken(err)
	}
	return ok(http.StatusCreated, Object{"sha": name, "url": c.url("repos/%s/git/blobs/%s", c.repo.Name, name)})
}

func getBlob(c *call) reply {
	name := c.values["file_sha"]
	kind, data, err := c.repo.get(name)
	if err != nil || kind != "blob" {
		return c.refuse(http.StatusNotFound, "Not Found")
	}
	// The service breaks lines, as base64 does in letters.
	text := base64.StdEncoding.EncodeToString(data)
	var lines strings.Builder
	for len(text) > 0 {
		n := min(60, len(text))
		lines.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	return ok(http.StatusOK, Object{"sha": name, "node_id": "B_" + name, "size": len(data), "url": c.url("repos/%s/git/blobs/%s", c.repo.Name, name), "content": lines.String(), "encoding": "base64"})
}

// treePath is what a path of a tree may look like.
var treePath = regexp.MustCompile(`^[^/\x00]+(/[^/\x00]+)*$`)

// maxInline is how much text may come with a tree. The service ends a request
// that takes it too long; past a few megabytes that is every one.
const maxInline = 2 << 20

func createTree(c *call) reply {
	if c.repo.isEmpty() {
		return c.refuse(http.StatusConflict, empty)
	}
	files := map[string]entry{}
	if base, given := c.body["base_tree"].(string); given {
		old, err := c.repo.readTree(base, "", true)
		if err != nil {
			return c.refuse(http.StatusUnprocessableEntity, "base_tree is not a valid tree oid")
		}
		for _, e := range old {
			if e.Type != "tree" {
				files[e.Path] = e
			}
		}
	}
	list, _ := c.body["tree"].([]any)
	if len(list) == 0 {
		return c.refuse(http.StatusUnprocessableEntity, "Invalid tree info")
	}
	inline := 0
	for _, item := range list {
		given, _ := item.(Object)
		e := entry{Mode: fmt.Sprint(given["mode"]), Type: fmt.Sprint(given["type"])}
		e.Path, _ = given["path"].(string)
		if !treePath.MatchString(e.Path) || path.Clean("/"+e.Path) != "/"+e.Path || strings.Contains("/"+strings.ToLower(e.Path)+"/", "/.git/") {
			return c.refuse(http.StatusUnprocessableEntity, "tree.path contains a malformed path component")
		}
		content, hasContent := given["content"].(string)
		e.SHA, _ = given["sha"].(string)
		switch {
		case hasContent:
			inline += len(content)
			name, err := c.repo.put("blob", []byte(content))
			if err != nil {
				return c.broken(err)
			}
			e.SHA, e.Type = name, "blob"
		case given["sha"] == nil:
			delete(files, e.Path)
			continue
		}
		if !c.repo.is(e.Type, e.SHA) {
			return c.refuse(http.StatusUnprocessableEntity, fmt.Sprintf("tree.sha %s is not a valid %s", e.SHA, e.Type))
		}
		files[e.Path] = e
	}
	if inline > maxInline {
		return reply{status: http.StatusBadGateway, docs: "https://www.githubstatus.com", body: "Server Error"}
	}
	var all []entry
	for _, e := range files {
		all = append(all, e)
	}
	name, err := c.repo.writeTree(all)
	if err != nil {
		return c.broken(err)
	}
	return c.tree(http.StatusCreated, name, false)
}

func getTree(c *call) reply {
	name := c.values["tree_sha"]
	if kind, data, err := c.repo.get(name); err == nil && kind == "commit" {
		name = string(data[len("tree ") : len("tree ")+40])
	}
	if !c.repo.is("tree", name) {
		return c.refuse(http.StatusNotFound, "Not Found")
	}
	return c.tree(http.StatusOK, name, len(c.query["recursive"]) > 0)
}

// maxEntries is how much of a tree is shown at once.
const maxEntries = 100_000

func (c *call) tree(status int, name string, deep bool) reply {
	entries, err := c.repo.readTree(name, "", deep)
	if err != nil {
		return c.broken(err)
	}
	list := []any{}
	for _, e := range entries[:min(maxEntries, len(entries))] {
		o := Object{"path": e.Path, "mode": e.Mode, "type": e.Type, "sha": e.SHA}
		if e.Type == "blob" {
			_, data, err := c.repo.get(e.SHA)
			if err != nil {
				return c.broken(err)
			}
			o["size"] = len(data)
		}
		list = append(list, o)
	}
	return ok(status, Object{"sha": name, "url": c.url("repos/%s/git/trees/%s", c.repo.Name, name), "tree": list, "truncated": len(entries) > maxEntries})
}

// pgp stands for the signature that the service makes with a key of its own.
const pgp = "-----BEGIN PGP SIGNATURE-----\n \n githost\n -----END PGP SIGNATURE-----"

func createCommit(c *call) reply {
	if c.repo.isEmpty() {
		return c.refuse(http.StatusConflict, empty)
	}
	tree, _ := c.body["tree"].(string)
	if !c.repo.is("tree", tree) {
		return c.refuse(http.StatusUnprocessableEntity, "Tree SHA does not exist")
	}
	text := "tree " + tree + "\n"
	parents, _ := c.body["parents"].([]any)
	for _, p := range parents {
		if !c.repo.is("commit", fmt.Sprint(p)) {
			return c.refuse(http.StatusUnprocessableEntity, "Parent SHA does not exist or is not a commit object")
		}
		text += "parent " + fmt.Sprint(p) + "\n"
	}
	login := c.actor.login
	author := signature{login, fmt.Sprintf("%d+%s@users.noreply.github.com", userID(login), login), c.h.now().UTC().Format(time.RFC3339)}
	committer := signature{"GitHub", "noreply@github.com", author.date}
	own, hasAuthor := c.body["author"].(Object)
	if hasAuthor {
		author = given(own, author.date)
		committer = author
	}
	other, hasCommitter := c.body["committer"].(Object)
	if hasCommitter {
		committer = given(other, author.date)
	}
	text += "author " + author.line() + "\ncommitter " + committer.line() + "\n"
	// An App's commit that names nobody is signed by the service.
	if _, signed := c.body["signature"]; !signed && !hasAuthor && !hasCommitter && c.actor.app != nil {
		text += "gpgsig " + pgp + "\n"
	}
	message, _ := c.body["message"].(string)
	name, err := c.repo.put("commit", []byte(text+"\n"+message))
	if err != nil {
		return c.broken(err)
	}
	return c.commit(http.StatusCreated, name)
}

func given(o Object, date string) signature {
	s := signature{fmt.Sprint(o["name"]), fmt.Sprint(o["email"]), date}
	if at, ok := o["date"].(string); ok {
		s.date = at
	}
	return s
}

func (s signature) line() string {
	at, err := time.Parse(time.RFC3339, s.date)
	if err != nil {
		at = time.Unix(0, 0)
	}
	return fmt.Sprintf("%s <%s> %d %s", s.name, s.email, at.Unix(), at.Format("-0700"))
}

func parseSignature(line string) signature {
	name, rest, _ := strings.Cut(line, " <")
	email, when, _ := strings.Cut(rest, "> ")
	seconds, _, _ := strings.Cut(when, " ")
	n, _ := strconv.ParseInt(seconds, 10, 64)
	return signature{name, email, time.Unix(n, 0).UTC().Format(time.RFC3339)}
}

func getCommit(c *call) reply { return c.commit(http.StatusOK, c.values["commit_sha"]) }

func (c *call) commit(status int, name string) reply {
	read, err := c.repo.commit(name)
	if err != nil {
		return c.refuse(http.StatusNotFound, "Not Found")
	}
	parents := []any{}
	for _, p := range read.parents {
		parents = append(parents, Object{"sha": p, "url": c.url("repos/%s/git/commits/%s", c.repo.Name, p), "html_url": c.repo.URL() + "/commit/" + p})
	}
	person := func(s signature) Object { return Object{"name": s.name, "email": s.email, "date": s.date} }
	verification := Object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
	if read.signed != "" {
		verification = Object{"verified": true, "reason": "valid", "signature": read.signed, "payload": "tree " + read.tree, "verified_at": read.committer.date}
	}
	return ok(status, Object{
		"sha": name, "node_id": "C_" + name, "url": c.url("repos/%s/git/commits/%s", c.repo.Name, name), "html_url": c.repo.URL() + "/commit/" + name,
		"author": person(read.author), "committer": person(read.committer), "message": read.message, "parents": parents, "verification": verification,
		"tree": Object{"sha": read.tree, "url": c.url("repos/%s/git/trees/%s", c.repo.Name, read.tree)},
	})
}

// broken is a failure of this machine, which is no answer of the service.
func (c *call) broken(err error) reply {
	c.h.blame("%s: %v", c.op.ID, err)
	return no(http.StatusNotFound, "Not Found")
}
