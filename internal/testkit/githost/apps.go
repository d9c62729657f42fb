package githost

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A handler answers one operation. needs is the level of contents that the
// token must have in the repository; asApp takes an App's own proof.
type handler struct {
	do    func(*call) reply
	needs string
	asApp bool
}

// handlers are by the operation's id in the description. They are set here,
// for what they do names them.
var handlers map[string]handler

func init() {
	handlers = map[string]handler{
		"apps/get-authenticated":                {do: getApp, asApp: true},
		"apps/get-repo-installation":            {do: getRepoInstallation, asApp: true},
		"apps/get-org-installation":             {do: getOwnerInstallation, asApp: true},
		"apps/get-user-installation":            {do: getOwnerInstallation, asApp: true},
		"apps/create-installation-access-token": {do: createToken, asApp: true},
		"apps/revoke-installation-access-token": {do: revokeToken},
		"users/get-by-username":                 {do: getUser},
		"repos/get":                             {do: getRepo},
		"repos/compare-commits-with-basehead":   {do: compare, needs: "read"},
		"rate-limit/get":                        {do: rateLimit},
		"git/create-blob":                       {do: createBlob, needs: "write"},
		"git/get-blob":                          {do: getBlob, needs: "read"},
		"git/create-tree":                       {do: createTree, needs: "write"},
		"git/get-tree":                          {do: getTree, needs: "read"},
		"git/create-commit":                     {do: createCommit, needs: "write"},
		"git/get-commit":                        {do: getCommit, needs: "read"},
		"git/list-matching-refs":                {do: matchingRefs, needs: "read"},
		"git/get-ref":                           {do: getRef, needs: "read"},
		"git/create-ref":                        {do: createRef, needs: "write"},
		"git/update-ref":                        {do: updateRef, needs: "write"},
		"git/delete-ref":                        {do: deleteRef, needs: "write"},
	}
}

// installation is the number of an App's installation at an owner: the App's
// own and a number of the owner.
func (h *Host) installation(app *App, owner string) int64 {
	for i, name := range app.owners() {
		if strings.EqualFold(name, owner) {
			return app.ID*100 + int64(i)
		}
	}
	return 0
}

func (a *App) owners() (owners []string) {
	for _, name := range a.Installed {
		owner, _, _ := strings.Cut(name, "/")
		if !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	return owners
}

func getApp(c *call) reply {
	return ok(http.StatusOK, c.filled("integration", Object{
		"id": c.app.ID, "slug": c.app.Slug, "name": c.app.Slug, "permissions": c.app.Permissions,
		"owner": c.user("owner"), "description": "", "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
	}))
}

func getRepoInstallation(c *call) reply {
	if !slices.ContainsFunc(c.app.Installed, func(name string) bool { return strings.EqualFold(name, c.repo.Name) }) {
		return c.refuse(http.StatusNotFound, "Not Found")
	}
	return c.installed(c.values["owner"])
}

func getOwnerInstallation(c *call) reply {
	owner := c.values["org"] + c.values["username"]
	if c.h.installation(c.app, owner) == 0 {
		return no(http.StatusNotFound, "Not Found")
	}
	return c.installed(owner)
}

func (c *call) installed(owner string) reply {
	id := c.h.installation(c.app, owner)
	var suspended, by any
	if c.app.Suspended {
		suspended, by = "2026-01-01T00:00:00Z", c.user(owner)
	}
	made := c.filled("installation", Object{
		"id": id, "app_id": c.app.ID, "app_slug": c.app.Slug, "account": c.user(owner), "target_type": "Organization", "repository_selection": "selected",
		"access_tokens_url": c.url("app/installations/%d/access_tokens", id), "permissions": c.app.Permissions,
		"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
	})
	made["suspended_at"], made["suspended_by"], made["single_file_name"] = suspended, by, nil
	return ok(http.StatusOK, made)
}

func createToken(c *call) reply {
	owners := c.app.owners()
	id, err := strconv.ParseInt(c.values["installation_id"], 10, 64)
	i := id - c.app.ID*100
	if err != nil || i < 0 || i >= int64(len(owners)) {
		return c.refuse(http.StatusNotFound, "Not Found")
	}
	if c.app.Suspended {
		return c.refuse(http.StatusForbidden, "This installation has been suspended")
	}
	repos := []string{}
	names, _ := c.body["repositories"].([]any)
	for _, name := range names {
		full := owners[i] + "/" + fmt.Sprint(name)
		if !slices.ContainsFunc(c.app.Installed, func(have string) bool { return strings.EqualFold(have, full) }) {
			return c.refuse(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible to the parent installation.")
		}
		repos = append(repos, strings.ToLower(full))
	}
	if len(names) == 0 {
		for _, have := range c.app.Installed {
			repos = append(repos, strings.ToLower(have))
		}
	}
	var asked map[string]string
	if given, ok := c.body["permissions"].(Object); ok {
		asked = map[string]string{}
		for name, level := range given {
			asked[name] = fmt.Sprint(level)
		}
	}
	permissions, missing := c.app.granted(asked)
	if missing != "" {
		return c.refuse(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation.")
	}
	c.h.mu.Lock()
	defer c.h.mu.Unlock()
	token := c.h.issue(c.app, repos, permissions)
	return ok(http.StatusCreated, Object{
		"token": token, "expires_at": c.h.tokens[token].expires.UTC().Format(time.RFC3339), "permissions": permissions, "repository_selection": "selected",
	})
}

func revokeToken(c *call) reply {
	if c.actor == nil || c.actor.app == nil {
		return no(http.StatusForbidden, "Resource not accessible by integration")
	}
	c.h.Revoke(c.token)
	return ok(http.StatusNoContent, nil)
}

// user is an account; a bot's has a number of its own.
func (c *call) user(login string) Object {
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	return c.filled("simple-user", Object{"login": login, "id": userID(login), "type": kind})
}

func userID(login string) int {
	id := 1000
	for _, b := range []byte(login) {
		id = (id*31 + int(b)) % 1000003
	}
	return id
}

func getUser(c *call) reply {
	login := c.values["username"]
	if slug, bot := strings.CutSuffix(login, "[bot]"); bot {
		c.h.mu.Lock()
		defer c.h.mu.Unlock()
		for _, a := range c.h.apps {
			if a.Slug == slug {
				return ok(http.StatusOK, c.filled("public-user", Object{"login": login, "id": userID(login), "type": "Bot"}))
			}
		}
	}
	return c.refuse(http.StatusNotFound, "Not Found")
}

func getRepo(c *call) reply {
	owner, name, _ := strings.Cut(c.repo.Name, "/")
	made := c.filled("full-repository", Object{
		"id": userID(c.repo.Name), "node_id": c.repo.node(), "name": name, "full_name": c.repo.Name, "owner": c.user(owner),
		"private": c.repo.Private, "default_branch": "main", "clone_url": c.repo.URL() + ".git",
	})
	made["license"] = nil
	return ok(http.StatusOK, made)
}

// node is the repository's id for GraphQL.
func (r *Repository) node() string {
	return "R_" + base64.RawURLEncoding.EncodeToString([]byte(strings.ToLower(r.Name)))
}

func (h *Host) byNode(node string) *Repository {
	name, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(node, "R_"))
	if err != nil || !strings.HasPrefix(node, "R_") {
		return nil
	}
	return h.repository(string(name))
}

func rateLimit(c *call) reply {
	c.h.mu.Lock()
	defer c.h.mu.Unlock()
	limit := max(c.h.limit, 5000)
	rate := Object{"limit": limit, "remaining": limit - c.h.used, "used": c.h.used, "reset": c.h.now().Add(time.Hour).Unix()}
	return ok(http.StatusOK, Object{"rate": rate, "resources": Object{"core": rate, "search": rate, "graphql": rate}})
}
