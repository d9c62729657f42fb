package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/publish"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
)

// defaultTimeout is how long a remote may take altogether.
const defaultTimeout = 2 * time.Minute

type publishOptions struct {
	bundle, remote, branch string
	dryRun, json           bool
	allowRewind, first     bool
	otherWorkspace         bool
	includePrivate         bool
	tokenEnv               string
	tokenStdin             bool
	transport              string
	timeout                time.Duration
	app                    appOptions
}

func publishVerb() command.Verb {
	return command.Verb{
		Name:     "publish",
		Synopsis: "--bundle DIR --remote URL [--branch NAME] [--token-env NAME | --token-stdin | --app-id ID --private-key-env NAME] [--transport git|api] [--dry-run] [--json]",
		Summary:  "puts a bundle on a branch of a git remote",
		Help: `Verifies the bundle against its manifest, makes one commit without parents of it
in memory, and moves the branch to that commit by compare-and-swap. Afterwards it
looks where the branch is; only that counts. It needs no checkout.

URL is an https, ssh, http or file URL, user@host:path, or a path. A token comes
from a variable or from standard input, never from the URL. ssh takes its keys from
the agent and trusts the hosts of known_hosts.

With --app-id the branch is moved by a GitHub App: its key gives a token that can
write the contents of this one repository, for an hour at the most, and that is given
back at the end. The commit is then of the App's bot.

With --transport api nothing is pushed: GitHub's API makes the commit, signs it, and
moves the branch by the same compare-and-swap. It takes one request for each file that
the published bundle lacks.

The same content again moves nothing. A bundle of an older umbrella commit does not
replace that of a newer one: it ends with a notice and exit code 0. A lost
connection, and a branch that somebody else moved meanwhile, are tried again, three
times in all; a refusal by rules or rights is shown in the remote's own words.

A branch that is no bundle stays as it is, also with --first: one with a history,
or with a file that no bundle holds.

Files that the manifest marks large go to refs/marola/NAME-large first, NAME being
the branch; clones do not get them unless route fetch --large asks.

docs/publishing.md tells the rest: how the order is found, what protects the branch,
and a workflow to copy.`,
		Examples: []string{
			"bundle-publish publish --bundle dist/bundle --remote https://github.com/marola-dev/marola --token-env BUNDLE_TOKEN",
			"bundle-publish publish --bundle dist/bundle --remote https://github.com/marola-dev/marola --app-id 4242 --private-key-env BUNDLE_BOT_KEY",
			"bundle-publish publish --bundle dist/bundle --remote https://github.com/marola-dev/marola --app-id 4242 --private-key-env BUNDLE_BOT_KEY --transport api",
			"bundle-publish publish --bundle dist/bundle --remote git@github.com:marola-dev/marola.git --dry-run",
			"bundle-publish publish --bundle dist/bundle --remote ../umbrella.git --json",
		},
		Max: 0,
		Setup: func(f *flag.FlagSet) command.Run {
			var o publishOptions
			f.StringVar(&o.bundle, "bundle", "", "the bundle to publish, a directory (`DIR`)")
			f.StringVar(&o.remote, "remote", "", "the repository to publish to (`URL`)")
			f.StringVar(&o.branch, "branch", "routing-bundle", "the branch to move (`NAME`)")
			f.BoolVar(&o.dryRun, "dry-run", false, "do everything but move the branch, and say what would happen")
			f.BoolVar(&o.allowRewind, "allow-rewind", false, "an older umbrella commit may replace a newer one")
			f.BoolVar(&o.otherWorkspace, "other-workspace", false, "replace the bundle of another workspace: the umbrella has moved or been split")
			f.BoolVar(&o.first, "first", false, "replace a damaged bundle, whose build.json cannot be read")
			f.BoolVar(&o.includePrivate, "include-private", false, "publish a bundle that holds private submodules")
			f.StringVar(&o.tokenEnv, "token-env", "", "the variable that holds the token (`NAME`)")
			f.BoolVar(&o.tokenStdin, "token-stdin", false, "read the token from standard input")
			o.app.setup(f)
			f.StringVar(&o.transport, "transport", byGit, "how the branch is moved: git pushes, api asks GitHub's API to (`NAME`)")
			f.DurationVar(&o.timeout, "timeout", defaultTimeout, "how long it may take altogether (`TIME`, as in 90s)")
			f.BoolVar(&o.json, "json", false, "print JSON")
			return func(ctx context.Context, p command.Process, _ []string) error { return o.run(ctx, p) }
		},
	}
}

func (o publishOptions) run(ctx context.Context, p command.Process) error {
	address, err := o.check(p)
	if err != nil {
		return err
	}
	mask(ctx, p, o.tokenEnv)
	token, err := o.token(ctx, p)
	if err != nil {
		return err
	}
	snapshot, err := publish.Load(bundle.Dir(p.Abs(o.bundle)))
	if errors.Is(err, fs.ErrNotExist) {
		err = &bundle.Refused{Reason: "there is no bundle at " + o.bundle, Next: "make one with bundle-publish build --out " + o.bundle}
	}
	if err != nil {
		return err
	}
	if err := publish.CheckPrivate(snapshot.Build, o.includePrivate); err != nil {
		return err
	}
	warnings := publish.Warnings(snapshot.Build, address)
	if !strings.HasPrefix(address.Scheme, "http") && (o.tokenEnv != "" || o.tokenStdin) {
		warnings = append(warnings, "the token is not used: it opens http and https remotes only")
	}
	step := actions.From(ctx)
	for _, w := range warnings {
		step.Annotate(actions.Annotation{Level: actions.Warning, Title: "bundle-publish publish", Text: w})
		fmt.Fprintf(p.Stderr, "warning: %s\n", w)
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	if o.app.used() { // last, so that nothing that is refused takes a token
		var author publish.Author
		var leave func()
		if token, author, leave, err = o.app.enter(ctx, p, address); err != nil {
			return err
		}
		defer leave()
		snapshot.Sign(author)
	}
	remote, err := o.open(p, address, token)
	if err != nil {
		return err
	}
	result, err := publish.Publish(ctx, remote, snapshot, publish.Options{
		Branch: o.branch, DryRun: o.dryRun, AllowRewind: o.allowRewind, OtherSpace: o.otherWorkspace, First: o.first,
		Local:    publish.OpenCheckout(p.Dir, p.Env),
		Progress: publishProgress(p),
	})
	if err != nil {
		return err
	}
	result.Remote = address.String()
	if err := tellPublish(step, result, snapshot.Build, p.Abs(o.bundle)); err != nil {
		return err
	}
	if o.json {
		return p.WriteJSON(publishResult{result, append([]string{}, warnings...)})
	}
	fmt.Fprint(p.Stdout, publishText(result, snapshot.Build))
	return nil
}

// The values of --transport.
const (
	byGit = "git"
	byAPI = "api"
)

// open prepares to speak with the remote in the way that was asked for.
func (o publishOptions) open(p command.Process, address publish.Address, token publish.Token) (publish.Remote, error) {
	if o.transport == byGit {
		return publish.OpenGit(address, token, p.Env)
	}
	api, err := apiOf(o.app.api, address)
	if err != nil {
		return nil, err
	}
	return publish.OpenAPI(address, api, token)
}

// check refuses what is wrong with the command line, before any network.
func (o publishOptions) check(p command.Process) (publish.Address, error) {
	var none publish.Address
	switch {
	case o.bundle == "":
		return none, command.Usage("publish: --bundle DIR is missing")
	case o.remote == "":
		return none, command.Usage("publish: --remote URL is missing")
	case !gitstore.ValidBranch(o.branch):
		return none, command.Usage("publish: --branch %q is not the short name of a branch", o.branch)
	case o.timeout <= 0:
		return none, command.Usage("publish: --timeout must be longer than nothing")
	case o.transport != byGit && o.transport != byAPI:
		return none, command.Usage("publish: --transport is git or api, not %q", o.transport)
	case o.tokenEnv != "" && o.tokenStdin:
		return none, command.Usage("publish: --token-env and --token-stdin exclude each other")
	}
	if err := checkTokenEnv("publish", o.tokenEnv); err != nil {
		return none, err
	}
	if err := o.app.check(o.tokenEnv != "" || o.tokenStdin, o.transport); err != nil {
		return none, err
	}
	address, err := publish.ParseAddress(o.remote, p.Dir)
	if err != nil || o.transport == byGit {
		return address, err
	}
	if _, _, err := repository(address); err != nil {
		return none, err
	}
	if o.tokenEnv == "" && !o.tokenStdin && !o.app.used() {
		return none, command.Usage("publish: --transport api needs a token or an App")
	}
	return address, nil
}

// variableName is what the variable may be called. No token of a service that
// we know looks like this, so one that was given by mistake is not repeated
// in a message.
var variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,63}$`)

func checkTokenEnv(verb, name string) error {
	if name != "" && !variableName.MatchString(name) {
		// It may be the token itself, so it is not repeated.
		return command.Usage("%s: --token-env takes the name of a variable, in capital letters, never the token itself; if it was one, replace it", verb)
	}
	return nil
}

func (o publishOptions) token(ctx context.Context, p command.Process) (publish.Token, error) {
	switch {
	case o.tokenEnv != "":
		return publish.NewToken(p.Getenv(o.tokenEnv), "the variable "+o.tokenEnv)
	case o.tokenStdin:
		data, err := io.ReadAll(io.LimitReader(p.Stdin, 16<<10))
		if err != nil {
			return publish.Token{}, fmt.Errorf("the token cannot be read from standard input: %w", err)
		}
		// Whatever wrote the line ended it; that is not part of the token.
		secret := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
		actions.From(ctx).Mask(secret)
		return publish.NewToken(secret, "standard input")
	}
	return publish.Token{}, nil
}

// publishProgress tells a person at a terminal what is going on.
func publishProgress(p command.Process) func(string) {
	if !p.Terminal() {
		return nil
	}
	return func(text string) { fmt.Fprintf(p.Stderr, "%s …\n", text) }
}

type publishResult struct {
	publish.Result
	Warnings []string `json:"warnings"`
}

func publishText(r publish.Result, b bundle.Build) string {
	var out strings.Builder
	if r.Changed {
		fmt.Fprintf(&out, "published the bundle of %.7s (%.1f MB) on %s of %s: commit %.7s\n", b.Head, float64(r.Bytes)/1e6, r.Branch, r.Remote, r.Commit)
	}
	if r.Large != nil && r.Large.Changed {
		fmt.Fprintf(&out, "put its large files (%.1f MB) on %s: commit %.7s\n", float64(r.Large.Bytes)/1e6, r.Large.Ref, r.Large.Commit)
	}
	if r.Notice != "" {
		fmt.Fprintln(&out, r.Notice)
	}
	if r.Changed {
		fmt.Fprintf(&out, "next: route fetch, in any clone of the umbrella\n")
	}
	return out.String()
}
