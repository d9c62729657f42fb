package skillsvendor

import (
	"context"
	"flag"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/actions"
	"github.com/marola-dev/marola-routing/internal/ci/ghapp"
	"github.com/marola-dev/marola-routing/internal/ci/skillproposal"
	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

type proposeOptions struct{ repo, app, keyEnv, api, below string }

func proposeVerb() command.Verb {
	return command.Verb{
		Name:     "propose",
		Synopsis: "DIR --app-id ID --private-key-env NAME [--repo OWNER/NAME] [--below DIR] [--api-url URL]",
		Summary:  "opens the pull request for what update --proposal has written",
		Help: `DIR is what skills-vendor update --proposal DIR wrote, in another job, which had no
right to write. It is data: nothing of it is run, and files outside of --below are
refused. The change goes to the branch ` + skillproposal.Branch + `, as one commit over the API,
and the report becomes the text of a pull request, labelled ` + skillproposal.Label + `; one that is
open is renewed. Nothing is checked out, and git is not needed.

The GitHub App needs Contents and Pull requests: Read and write. Its key gives a token
for the one repository, which is given back at the end. Pull requests of an App start
checks; those of a workflow's own token do not.`,
		Examples: []string{"skills-vendor propose handover/proposal --repo acme/app --app-id 4242 --private-key-env SKILLS_BOT_KEY"},
		Min:      1, Max: 1,
		Setup: func(fs *flag.FlagSet) command.Run {
			var o proposeOptions
			fs.StringVar(&o.repo, "repo", "", "the repository, `OWNER/NAME`; default: GITHUB_REPOSITORY")
			fs.StringVar(&o.app, "app-id", "", "the GitHub App's `ID`")
			fs.StringVar(&o.keyEnv, "private-key-env", "", "the variable that holds the App's private key (`NAME`)")
			fs.StringVar(&o.api, "api-url", "", "the API's address (`URL`); default: GITHUB_API_URL, else github.com's")
			fs.StringVar(&o.below, "below", skillsDir, "the directory that the lock is in (`DIR`)")
			return func(ctx context.Context, p command.Process, args []string) error {
				if o.repo == "" {
					o.repo = p.Getenv("GITHUB_REPOSITORY")
				}
				if o.api == "" {
					o.api = p.Getenv("GITHUB_API_URL")
				}
				if err := o.check(); err != nil {
					return err
				}
				return propose(ctx, p, o, args[0])
			}
		},
	}
}

var (
	repository = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$`)
	// No key and no token looks like this, so one that is given by mistake is
	// not repeated in a message.
	variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,63}$`)
)

func (o proposeOptions) check() error {
	switch {
	case !repository.MatchString(o.repo):
		return command.Usage("propose: --repo %q is not OWNER/NAME", plaintext.Line(o.repo, 100))
	case o.app == "":
		return command.Usage("propose: --app-id is missing; an unset variable gives an empty one")
	case !variableName.MatchString(o.keyEnv):
		return command.Usage("propose: --private-key-env takes the name of a variable, in capital letters, never the key itself; if it was one, replace it")
	case !skillslock.ValidPath(o.below):
		return command.Usage("propose: --below %q is not a directory of a repository", plaintext.Line(o.below, 100))
	}
	return nil
}

func propose(ctx context.Context, p command.Process, o proposeOptions, dir string) error {
	proposal, err := skillproposal.Read(p.Abs(dir), o.below)
	if err != nil {
		return err
	}
	if len(proposal.Files) == 0 {
		fmt.Fprintln(p.Stdout, "all skills are current: nothing to propose")
		return nil
	}
	step := actions.From(ctx)
	text := p.Getenv(o.keyEnv)
	step.Mask(text)
	app := ghapp.App{API: o.api}
	if app.ID, err = ghapp.ParseID(o.app); err != nil {
		return err
	}
	if app.Key, err = ghapp.ParseKey(text, "the variable "+o.keyEnv); err != nil {
		return err
	}
	owner, name, _ := strings.Cut(o.repo, "/")
	id, err := app.Proposing(ctx, owner, name)
	if err != nil {
		return err
	}
	step.Mask(id.Token)
	defer func() {
		if err := app.Revoke(ctx, id); err != nil {
			fmt.Fprintf(p.Stderr, "warning: %v\n", err)
		}
	}()
	c, err := app.Client(id)
	if err != nil {
		return err
	}
	sent, err := proposal.Send(ctx, c, owner, name)
	if err != nil {
		return err
	}
	did := "renewed"
	switch {
	case sent.Opened:
		did = "opened"
	case sent.Commit == "":
		did = "current"
	}
	fmt.Fprintf(p.Stdout, "%s: %s\n", did, sent.URL)
	return nil
}

// proposal is what an update has changed, on top of the commit that is
// checked out.
func (s *shelf) proposal(ctx context.Context, p command.Process, base string, ready []*change, lockChanged bool) (skillproposal.Proposal, error) {
	made := skillproposal.Proposal{Base: base, Report: report(ready), Contents: map[string][]byte{}}
	place, _ := gitstore.Locate(p.Dir)
	dir, err := filepath.Rel(place.Top, filepath.Dir(s.file))
	if err != nil {
		return made, err
	}
	add := func(name string, executable bool) error {
		data, err := s.root.ReadFile(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		blob := skillslock.Blob(data)
		made.Contents[blob] = data
		made.Files = append(made.Files, skillproposal.File{Path: path.Join(filepath.ToSlash(dir), name), Blob: blob, Executable: executable})
		return nil
	}
	for _, c := range ready {
		for _, file := range c.touched() {
			if err := add(path.Join(c.name, file), c.row.Modes[file] != ""); err != nil {
				return made, err
			}
		}
		for _, file := range c.remove {
			made.Files = append(made.Files, skillproposal.File{Path: path.Join(filepath.ToSlash(dir), c.name, file)})
		}
	}
	if lockChanged {
		err = add(filepath.Base(s.file), false)
	}
	return made, err
}

// unchanged is the commit that is checked out. What differs from it where the
// skills are would be missing in a proposal, so that is refused.
func (s *shelf) unchanged(ctx context.Context, p command.Process) (string, error) {
	place, ok := gitstore.Locate(p.Dir)
	if !ok || place.Top == "" {
		return "", stopf("run it in a clone", "a proposal is made in a checkout of a git repository")
	}
	git := gitstore.Git{Dir: place.Top, Env: p.Env}
	head, err := git.Output(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return "", err
	}
	status, err := git.Output(ctx, "status", "--porcelain", "--", filepath.Dir(s.file))
	if err != nil {
		return "", err
	}
	if len(status) > 0 {
		return "", stopf("commit it first", "there are changes in %s that are not committed", filepath.Dir(s.file))
	}
	return strings.TrimSpace(string(head)), nil
}
