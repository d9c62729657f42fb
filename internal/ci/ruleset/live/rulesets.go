package live

import (
	"context"
	"net/http"
	"net/url"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
)

// A Listed is a ruleset as a list shows it: without its rules.
type Listed struct {
	ID   string // digits
	Name string
}

// Path is where a target's rulesets are, or with an id, one of them.
func Path(t ruleset.Target, id string) string {
	p := "orgs/" + t.Owner + "/rulesets"
	if t.Repository != "" {
		p = "repos/" + t.Owner + "/" + t.Repository + "/rulesets"
	}
	if id != "" {
		p += "/" + id
	}
	return p
}

// List returns the rulesets of the target itself. Those that it inherits are
// another's to say.
func (c *Client) List(ctx context.Context, t ruleset.Target) ([]Listed, error) {
	query := url.Values{}
	if t.Repository != "" {
		query.Set("includes_parents", "false")
	}
	items, err := c.pages(ctx, Path(t, ""), query, "")
	if err != nil {
		return nil, err
	}
	var list []Listed
	for _, v := range items {
		id := v.Member("id").Digits()
		if !owns(t, v) {
			continue
		}
		if !isID(id) || v.Name() == "" {
			return nil, &Error{Method: http.MethodGet, Path: Path(t, ""), Text: "the list has a ruleset without an id or a name"}
		}
		list = append(list, Listed{id, v.Name()})
	}
	return list, nil
}

// owns reports whether a ruleset is the target's own, as far as the service
// says whose it is.
func owns(t ruleset.Target, v ruleset.Value) bool {
	source := v.Member("source_type").Text()
	if t.Repository != "" {
		return source == "" || source == "Repository"
	}
	return source == "" || source == "Organization"
}

// isID reports digits that may stand in a path.
func isID(digits string) bool {
	for _, r := range digits {
		if r < '0' || r > '9' {
			return false
		}
	}
	return digits != ""
}

// Get returns a ruleset as the service has it.
func (c *Client) Get(ctx context.Context, t ruleset.Target, id string) (ruleset.Value, error) {
	query := url.Values{}
	if t.Repository != "" {
		query.Set("includes_parents", "false")
	}
	p := Path(t, id)
	a, err := c.do(ctx, http.MethodGet, p, query, nil)
	if err != nil {
		return ruleset.Value{}, err
	}
	v, err := ruleset.ParseObject(a.body)
	switch {
	case err != nil:
		return v, unreadable(http.MethodGet, p, err)
	case !owns(t, v):
		return v, &Error{Method: http.MethodGet, Path: p, Text: "the ruleset is inherited, and another's to say"}
	}
	return v, nil
}

// Create makes a ruleset and returns its id.
func (c *Client) Create(ctx context.Context, t ruleset.Target, body ruleset.Value) (id string, err error) {
	v, err := c.object(ctx, http.MethodPost, Path(t, ""), body.JSON())
	if err != nil {
		return "", err
	}
	if id = v.Member("id").Digits(); !isID(id) {
		return "", &Error{Method: http.MethodPost, Path: Path(t, ""), Text: "the answer names no id", Unsure: true}
	}
	return id, nil
}

// Update puts body in the place of a ruleset.
func (c *Client) Update(ctx context.Context, t ruleset.Target, id string, body ruleset.Value) error {
	_, err := c.do(ctx, http.MethodPut, Path(t, id), nil, body.JSON())
	return err
}

// Delete removes a ruleset.
func (c *Client) Delete(ctx context.Context, t ruleset.Target, id string) error {
	_, err := c.do(ctx, http.MethodDelete, Path(t, id), nil, nil)
	return err
}

// An Edit is one change of a ruleset.
type Edit struct {
	Actor string `json:"actor"` // type and id, as the service has them
	Time  string `json:"time"`
}

// LastEdit says who changed a ruleset last.
func (c *Client) LastEdit(ctx context.Context, t ruleset.Target, id string) (Edit, error) {
	p := Path(t, id) + "/history"
	a, err := c.do(ctx, http.MethodGet, p, url.Values{"per_page": {"1"}}, nil)
	if err != nil {
		return Edit{}, err
	}
	v, err := ruleset.Parse(a.body)
	if err != nil || len(v.Items()) == 0 {
		return Edit{}, unreadable(http.MethodGet, p, errNoHistory)
	}
	last := v.Items()[0]
	actor := last.Member("actor")
	return Edit{Actor: actor.Member("type").Text() + " " + actor.Member("id").Digits(), Time: last.Member("updated_at").Text()}, nil
}

// A Repository is one of an organisation's.
type Repository struct {
	Target   ruleset.Target
	Fork     bool
	Archived bool
}

// Repositories returns all repositories of an organisation.
func (c *Client) Repositories(ctx context.Context, organization string) ([]Repository, error) {
	p := "orgs/" + organization + "/repos"
	items, err := c.pages(ctx, p, url.Values{}, "")
	if err != nil {
		return nil, err
	}
	var list []Repository
	for _, v := range items {
		t, err := ruleset.ParseRepository(v.Member("full_name").Text())
		if err != nil {
			return nil, unreadable(http.MethodGet, p, err)
		}
		list = append(list, Repository{Target: t, Fork: v.Member("fork").True(), Archived: v.Member("archived").True()})
	}
	return list, nil
}

// AppID looks up the id of an App by its slug.
func (c *Client) AppID(ctx context.Context, slug string) (string, error) {
	p := "apps/" + slug
	v, err := c.object(ctx, http.MethodGet, p, nil)
	if err != nil {
		return "", err
	}
	if id := v.Member("id").Digits(); isID(id) {
		return id, nil
	}
	return "", &Error{Method: http.MethodGet, Path: p, Text: "the answer names no id"}
}

// InstalledApps are the Apps installed in an organisation: slugs by id.
func (c *Client) InstalledApps(ctx context.Context, organization string) (map[string]string, error) {
	items, err := c.pages(ctx, "orgs/"+organization+"/installations", url.Values{}, "installations")
	if err != nil {
		return nil, err
	}
	slugs := map[string]string{}
	for _, v := range items {
		if id, slug := v.Member("app_id").Digits(), v.Member("app_slug").Text(); isID(id) && slug != "" {
			slugs[id] = slug
		}
	}
	return slugs, nil
}

// FindApp looks up the id of an App by its slug: a public one by its page,
// another among those that the owners have installed.
func (c *Client) FindApp(ctx context.Context, slug string, owners []string) (string, error) {
	id, err := c.AppID(ctx, slug)
	if err == nil {
		return id, nil
	}
	for _, owner := range owners {
		installed, listing := c.InstalledApps(ctx, owner)
		if listing != nil {
			continue
		}
		for id, name := range installed {
			if name == slug {
				return id, nil
			}
		}
	}
	return "", &Error{Method: http.MethodGet, Path: "apps/" + slug, Text: "the id of the App " + slug + " cannot be found: " + err.Error(),
		Next: "look at the slug; or write the id into manifest.yaml, below apps:"}
}
