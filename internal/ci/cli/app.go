package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/ghapp"
	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/command"
)

// appOptions say as which GitHub App to publish.
type appOptions struct {
	id      string
	keyEnv  string
	keyFile string
	api     string
}

func (o *appOptions) setup(f *flag.FlagSet) {
	f.StringVar(&o.id, "app-id", "", "publish as the GitHub App with this `ID`")
	f.StringVar(&o.keyEnv, "private-key-env", "", "the variable that holds the App's private key (`NAME`)")
	f.StringVar(&o.keyFile, "private-key-file", "", "the file that holds it (`FILE`)")
	f.StringVar(&o.api, "api-url", "", "the API of the service (`URL`), for an App and for the transport api; else that of the remote's host")
}

func (o *appOptions) used() bool {
	return o.id != "" || o.keyEnv != "" || o.keyFile != ""
}

// check refuses what is wrong with the command line, before any network.
func (o *appOptions) check(otherToken bool, transport string) error {
	switch {
	case !o.used():
		if o.api != "" && transport != byAPI {
			return command.Usage("publish: --api-url is for --app-id and for --transport api")
		}
		return nil
	case otherToken:
		return command.Usage("publish: --app-id and a token exclude each other")
	case o.id == "":
		return command.Usage("publish: --app-id is missing; an unset variable gives an empty one")
	case (o.keyEnv == "") == (o.keyFile == ""):
		return command.Usage("publish: --app-id needs one of --private-key-env and --private-key-file")
	case o.keyEnv != "" && !variableName.MatchString(o.keyEnv):
		// It may be the key itself, so it is not repeated.
		return command.Usage("publish: --private-key-env takes the name of a variable, in capital letters, never the key itself; if it was one, replace it")
	}
	return nil
}

// maxKeyFile bounds a key's file, in bytes.
const maxKeyFile = 32 << 10

func (o *appOptions) key(p command.Process) (text, from string, err error) {
	if o.keyEnv != "" {
		return p.Getenv(o.keyEnv), "the variable " + o.keyEnv, nil
	}
	f, err := os.Open(p.Abs(o.keyFile))
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxKeyFile))
	return string(data), "the file " + o.keyFile, err
}

// enter takes a token of the App for the remote, and returns what gives it
// back.
func (o *appOptions) enter(ctx context.Context, p command.Process, to publish.Address) (token publish.Token, as publish.Author, leave func(), err error) {
	fail := func(err error) (publish.Token, publish.Author, func(), error) {
		return publish.Token{}, publish.Author{}, nil, err
	}
	text, from, err := o.key(p)
	if err != nil {
		return fail(err)
	}
	step := actions.From(ctx)
	step.Mask(text)
	key, err := ghapp.ParseKey(text, from)
	if err != nil {
		return fail(err)
	}
	app := ghapp.App{Key: key, API: o.api}
	if app.ID, err = ghapp.ParseID(o.id); err != nil {
		return fail(err)
	}
	owner, repo, err := repository(to)
	if err != nil {
		return fail(err)
	}
	if app.API, err = apiOf(o.api, to); err != nil {
		return fail(err)
	}
	id, err := app.For(ctx, owner, repo)
	if err != nil {
		return fail(err)
	}
	step.Mask(id.Token)
	leave = func() {
		if err := app.Revoke(ctx, id); err != nil {
			fmt.Fprintf(p.Stderr, "warning: %v\n", err)
		}
	}
	if token, err = publish.NewToken(id.Token, "the App's token"); err != nil {
		leave()
		return fail(err)
	}
	return token, publish.Author{Name: id.Name, Email: id.Email}, leave, nil
}

// apiOf is the base of the API: the one that is given, or that of the remote's
// host.
func apiOf(given string, to publish.Address) (string, error) {
	if given != "" {
		return given, nil
	}
	host := to.Host
	if to.Port != 0 {
		host = fmt.Sprintf("%s:%d", host, to.Port)
	}
	return ghapp.APIOf(to.Scheme + "://" + host)
}

// repository is owner and name of a remote on the App's service.
func repository(a publish.Address) (owner, repo string, err error) {
	if a.Scheme != "https" && a.Scheme != "http" {
		return "", "", command.Usage("publish: an App and the API publish over https; --remote is %s", a)
	}
	parts := strings.Split(strings.Trim(strings.TrimSuffix(a.Path, ".git"), "/"), "/")
	if len(parts) != 2 || parts[0] == "" || parts[1] == "" {
		return "", "", command.Usage("publish: --remote %s is no https://host/owner/name", a)
	}
	return parts[0], parts[1], nil
}
