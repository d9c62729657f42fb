package ghapp

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/google/go-github/v66/github"
)

// Slug asks what the App is called in addresses.
func (a App) Slug(ctx context.Context) (string, error) {
	c, err := a.client()
	if err != nil {
		return "", err
	}
	var app *github.App
	err = a.try(ctx, func() (response *github.Response, err error) {
		app, response, err = c.Apps.Get(ctx, "")
		return response, a.explain("the App "+strconv.FormatInt(a.ID, 10)+" is not known", response, err)
	})
	return app.GetSlug(), err
}

// Administering takes a token that can see and write the rulesets of an
// owner's repositories on which the App is installed, and with organization
// those of the organisation itself; nothing else. Identity has no author.
func (a App) Administering(ctx context.Context, owner string, organization bool) (Identity, error) {
	c, err := a.client()
	if err != nil {
		return Identity{}, err
	}
	what := "the App " + strconv.FormatInt(a.ID, 10)
	var installation *github.Installation
	err = a.try(ctx, func() (response *github.Response, err error) {
		installation, response, err = c.Apps.FindOrganizationInstallation(ctx, owner)
		if response != nil && response.StatusCode == http.StatusNotFound {
			installation, response, err = c.Apps.FindUserInstallation(ctx, owner)
		}
		return response, a.explain(what+" is not installed at "+owner, response, err)
	})
	if err != nil {
		return Identity{}, err
	}
	write := "write"
	rights := &github.InstallationPermissions{Administration: &write}
	if organization {
		rights.OrganizationAdministration = &write
	}
	var token *github.InstallationToken
	refused := false
	err = a.try(ctx, func() (response *github.Response, err error) {
		token, response, err = c.Apps.CreateInstallationToken(ctx, installation.GetID(), &github.InstallationTokenOptions{Permissions: rights})
		refused = response != nil && response.StatusCode == http.StatusUnprocessableEntity
		return response, a.explain(what+" gets no token for rulesets of "+owner, response, err)
	})
	if e := (*Error)(nil); refused && errors.As(err, &e) {
		e.next = "give the App the permission Administration: Read and write, and accept it where it is installed; the App that writes bundles must not have it"
	}
	if err != nil {
		return Identity{}, err
	}
	return Identity{Token: token.GetToken(), Expires: token.GetExpiresAt().Time}, nil
}
