package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/ghapp"
	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/live"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// connection says which service is asked, and as whom.
type connection struct {
	api      string
	tokenEnv string
	appID    string
	keyEnv   string
	keyFile  string
	timeout  time.Duration
}

const defaultTimeout = 30 * time.Minute

func (c *connection) setup(fs *flag.FlagSet) {
	fs.StringVar(&c.api, "api-url", "", "the API's address (`URL`); default: GITHUB_API_URL, else github.com's")
	fs.StringVar(&c.tokenEnv, "token-env", "", "the variable that holds the token (`NAME`); default: GH_TOKEN, else GITHUB_TOKEN")
	fs.StringVar(&c.appID, "app-id", "", "act as the GitHub App with this `ID`, which has Administration")
	fs.StringVar(&c.keyEnv, "private-key-env", "", "the variable that holds the App's private key (`NAME`)")
	fs.StringVar(&c.keyFile, "private-key-file", "", "the file that holds it (`FILE`)")
	fs.DurationVar(&c.timeout, "timeout", defaultTimeout, "how long it may take altogether (`TIME`, as in 90s)")
}

// variableName is what the variable may be called. No token looks like this,
// so one that was given by mistake is not repeated in a message.
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,63}$`)

// check refuses what is wrong with the command line, before any network.
func (c *connection) check() error {
	switch {
	case c.timeout <= 0:
		return command.Usage("--timeout must be longer than nothing")
	case c.tokenEnv != "" && !variableName.MatchString(c.tokenEnv):
		return command.Usage("--token-env takes the name of a variable, in capital letters, never the token itself; if it was one, replace it")
	case c.keyEnv != "" && !variableName.MatchString(c.keyEnv):
		return command.Usage("--private-key-env takes the name of a variable, in capital letters, never the key itself; if it was one, replace it")
	case c.keyEnv != "" && c.keyFile != "":
		return command.Usage("--private-key-env and --private-key-file exclude each other")
	case (c.appID == "") != (c.keyEnv == "" && c.keyFile == ""):
		return command.Usage("--app-id and one of --private-key-env and --private-key-file go together; a variable may be unset")
	case c.appID != "" && c.tokenEnv != "":
		return command.Usage("--app-id and --token-env exclude each other")
	}
	return nil
}

// entrance is what opening a connection must know.
type entrance struct {
	owners       []string        // whose rulesets are asked for
	organization bool            // also those of the organisation itself
	closing      []ruleset.Value // rulesets that let one App alone update a branch
	writes       bool
}

// open returns a client, and what gives its token back.
func (c *connection) open(ctx context.Context, p command.Process, e entrance) (client *live.Client, leave func(), err error) {
	o := live.Options{API: c.api, Version: bundle.Release}
	if o.API == "" {
		o.API = p.Getenv("GITHUB_API_URL")
	}
	leave = func() {}
	if c.appID != "" {
		if o.Token, leave, err = c.enter(ctx, p, o.API, e); err != nil {
			return nil, nil, err
		}
	} else if o.Token, err = c.token(ctx, p, e.writes); err != nil {
		return nil, nil, err
	}
	if client, err = live.New(o); err != nil {
		leave()
		return nil, nil, command.Usage("%v", err)
	}
	return client, leave, nil
}

func (c *connection) token(ctx context.Context, p command.Process, needed bool) (string, error) {
	variable := c.tokenEnv
	for _, usual := range []string{"GH_TOKEN", "GITHUB_TOKEN"} {
		if variable == "" && p.Getenv(usual) != "" {
			variable = usual
		}
	}
	if variable == "" {
		if needed {
			return "", command.Usage("apply needs a token: set GH_TOKEN, or name a variable with --token-env, or an App with --app-id")
		}
		return "", nil
	}
	token := p.Getenv(variable)
	actions.From(ctx).Mask(token)
	if _, err := publish.NewToken(token, "the variable "+variable); err != nil {
		return "", err
	}
	return token, nil
}

// maxKey bounds a key's file, in bytes.
const maxKey = 32 << 10

func (c *connection) key(p command.Process) (text, from string, err error) {
	if c.keyEnv != "" {
		return p.Getenv(c.keyEnv), "the variable " + c.keyEnv, nil
	}
	f, err := os.Open(p.Abs(c.keyFile))
	if err != nil {
		return "", "", command.Usage("--private-key-file: %v", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	return string(data), "the file " + c.keyFile, err
}

// enter takes a token of an App.
func (c *connection) enter(ctx context.Context, p command.Process, api string, e entrance) (token string, leave func(), err error) {
	text, from, err := c.key(p)
	if err != nil {
		return "", nil, err
	}
	step := actions.From(ctx)
	step.Mask(text)
	app := ghapp.App{API: api}
	if app.ID, err = ghapp.ParseID(c.appID); err != nil {
		return "", nil, command.Usage("--app-id: %v", err)
	}
	if app.Key, err = ghapp.ParseKey(text, from); err != nil {
		return "", nil, err
	}
	if len(e.owners) != 1 {
		return "", nil, command.Usage("an App acts for one owner at a time; here are %d: %s", len(e.owners), strings.Join(e.owners, ", "))
	}
	slug, err := app.Slug(ctx)
	if err != nil {
		return "", nil, err
	}
	if err := apart(app.ID, slug, e.closing); err != nil {
		return "", nil, err
	}
	id, err := app.Administering(ctx, e.owners[0], e.organization)
	if err != nil {
		return "", nil, err
	}
	step.Mask(id.Token)
	return id.Token, func() {
		if err := app.Revoke(ctx, id); err != nil {
			fmt.Fprintf(p.Stderr, "warning: %v\n", err)
		}
	}, nil
}

// apart refuses the App that a ruleset lets update a branch: an identity that
// may write the branch must not be able to edit the rule that guards it.
func apart(id int64, slug string, closing []ruleset.Value) error {
	for _, v := range closing {
		actor := v.Member("bypass_actors").Items()[0].Member("actor_id")
		named, _ := ruleset.AppSlug(actor.Text())
		if actor.Digits() == strconv.FormatInt(id, 10) || named != "" && named == slug {
			return command.Usage("the App %s is the one that %q lets write; it must not be able to change that ruleset, so it is refused here: use another App, which has Administration and no Contents", slug, v.Name())
		}
	}
	return nil
}
