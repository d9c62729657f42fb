package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// TimeoutVariable is how long a fetch may take, as "90s" or in seconds.
const TimeoutVariable = "MAROLA_FETCH_TIMEOUT"

const defaultTimeout = 60 * time.Second

// incoming holds what was fetched and is not verified yet. Nothing reads it.
const incoming = "refs/marola/incoming/"

// An Unreachable is a bundle that could not be fetched. The bundle that was
// here before is still here.
type Unreachable struct{ Reason string }

func (e *Unreachable) Error() string {
	return "routing bundle unreachable (" + e.Reason + ")"
}

// Fetched is a bundle that has been fetched and verified.
type Fetched struct {
	Source   Info
	Built    string // as in "main@e77c298"
	Age      string // as in "2 h old"
	Current  bool   // it was here already
	Umbrella Umbrella
	Unnamed  bool // nothing but [Options.Umbrella] names the umbrella, so the next fetch would not find it
	Report   bundle.Report
	Large    *Large // nil when the bundle has no large files

	env []string
}

// Fetch gets the umbrella's bundle into [PrivateRef] of the repository.
//
// It goes to a ref of its own first, is verified there, and only then
// replaces what was before: a reader never sees a bundle that was refused.
// The clone stays as shallow, or as whole, as it was. The error is an
// *[Unreachable], a *[bundle.Refused] or a *[SettingError].
func Fetch(ctx context.Context, o Options) (Fetched, error) {
	timeout := fetchTimeout(o.Env)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	f, err := fetch(ctx, o)
	var refused *bundle.Refused
	var setting *SettingError
	var unreachable *Unreachable
	switch {
	case err == nil, errors.As(err, &refused), errors.As(err, &setting), errors.As(err, &unreachable):
		return f, err
	case errors.Is(err, gitstore.ErrTimeout) && errors.Is(err, context.DeadlineExceeded):
		return f, &Unreachable{fmt.Sprintf("no answer within %s", timeout)}
	}
	return f, &Unreachable{reason(err, f.Umbrella)}
}

func fetchTimeout(env []string) time.Duration {
	value := getenv(env, TimeoutVariable)
	d, err := time.ParseDuration(value)
	if n, nerr := strconv.Atoi(value); nerr == nil {
		d, err = time.Duration(n)*time.Second, nil
	}
	if err != nil || d <= 0 || d > time.Hour {
		return defaultTimeout
	}
	return d
}

func fetch(ctx context.Context, o Options) (f Fetched, err error) {
	f.env = o.Env
	git := o.git()
	place, _ := gitstore.Locate(o.Dir)
	config, err := git.Config(ctx)
	if err != nil {
		return f, err
	}
	if f.Umbrella, err = findUmbrella(ctx, o, place, config, true); err != nil {
		return f, err
	}
	if f.Umbrella.URL == "" {
		return f, &Unreachable{"nothing names the umbrella: --umbrella URL, MAROLA_UMBRELLA, git config marola.umbrella, or umbrella in " + SettingsFile}
	}
	f.Unnamed = unnamed(ctx, o, place, config)
	sweep(ctx, git)
	ref := fmt.Sprintf("%s%d-%d", incoming, time.Now().Unix(), os.Getpid())
	defer discard(git, ref)
	err = f.bring(ctx, git, config, ref, place)
	if errors.Is(err, gitstore.ErrNotLocal) {
		// A partial clone that has the umbrella's branch has the commit
		// without its files, so git saw nothing to fetch.
		err = f.bring(ctx, git, config, ref, place, "--refetch")
	}
	if err != nil {
		next := keptBefore
		if f.Umbrella.Branch != DefaultBranch {
			next = mayBeWrong(f.Umbrella.Branch) + next
		}
		return f, bundle.Advise(err, next)
	}
	defer discard(git, ref+"-large")
	return f, bundle.Advise(f.bringLarge(ctx, o, git, config, ref+"-large"), keptWithoutLarge)
}

// unnamed reports whether the umbrella is named for this one time only.
func unnamed(ctx context.Context, o Options, place gitstore.Place, config gitstore.Config) bool {
	if o.Umbrella == "" {
		return false
	}
	once := o.Umbrella
	o.Umbrella = ""
	u, err := findUmbrella(ctx, o, place, config, true)
	return err == nil && (u.URL == "" || u.guessed && !SameURL(u.URL, once))
}

// The next steps after a refusal. Another fetch would bring the same.
const (
	keptBefore       = "what was here before is kept; tell whoever publishes the bundle"
	keptWithoutLarge = "the bundle is kept without its large files; tell whoever publishes the bundle"
)

// mayBeWrong begins the next step where the branch that was asked for may
// not be the bundle's.
func mayBeWrong(branch string) string {
	return plaintext.Line(branch, 60) + " may be the wrong branch: a bundle is usually on " + DefaultBranch + "; "
}

// bring fetches into ref, verifies what came and lets [PrivateRef] name it.
func (f *Fetched) bring(ctx context.Context, git gitstore.Git, config gitstore.Config, ref string, place gitstore.Place, flags ...string) error {
	if err := transfer(ctx, git, config, f.Umbrella, "refs/heads/"+f.Umbrella.Branch, ref, flags...); err != nil {
		return err
	}
	store := gitstore.Open(ctx, git)
	defer store.Close()
	found, err := store.Commits(ref, PrivateRef, "HEAD")
	if err != nil {
		return err
	}
	commit := found[0]
	if !commit.Exists() {
		return errors.New("git fetched nothing")
	}
	if commit.Parents > 0 {
		return &bundle.Refused{
			Reason: fmt.Sprintf("%s of the umbrella has history (its commit has %d parents); a bundle is one commit without parents", plaintext.Line(f.Umbrella.Branch, 60), commit.Parents),
		}
	}
	if f.Report, err = bundle.Verify(store.Tree(commit)); err != nil {
		return err
	}
	f.Current = found[1].Hash == commit.Hash
	if !f.Current {
		if _, err := git.Output(ctx, "update-ref", PrivateRef, commit.Hash); err != nil {
			return err
		}
	}
	s, err := openCommit(Bundled, PrivateRef, commit, store, place, found[2].Hash)
	if err != nil {
		return err
	}
	now := Now(f.env)
	f.Source, f.Built, f.Age = s.Info(now), s.Built(), Age(s.Time, now)
	return nil
}

// transfer runs git fetch, of source there into ref here. Full ref names, or a tag of the branch's name
// would win and fetch.prune would delete the ref first; a plus, for every
// bundle is a new root; no depth, which would make the whole clone shallow;
// no refmap, or the tracking branch would move too; no filter, or a partial
// clone would get a bundle without its files.
func transfer(ctx context.Context, git gitstore.Git, config gitstore.Config, u Umbrella, source, ref string, flags ...string) error {
	from := u.URL
	if u.Remote != "" {
		from = u.Remote // with its proxy and other settings
	}
	args := append([]string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
		"--no-auto-maintenance", "--no-prune", "--no-filter", "--refmap="}, flags...)
	args = append(args, "--", from, "+"+source+":"+ref)
	_, err := git.Network(ctx, config.Get("core.sshcommand"), args...)
	if exit := (*gitstore.ExitError)(nil); errors.As(err, &exit) && strings.Contains(exit.Stderr, "fsck error") {
		return &bundle.Refused{Reason: fmt.Sprintf("git found an object in it that no git writes, and kept nothing (%s)", plaintext.Line(gitstore.Reason(exit.Stderr), 200))}
	}
	return err
}

// discard removes an unverified ref, also when the time is over.
func discard(git gitstore.Git, ref string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	git.Output(ctx, "update-ref", "-d", ref)
}

// sweep removes what a fetch that was cut off has left, an hour later, when
// it cannot be running any more.
func sweep(ctx context.Context, git gitstore.Git) {
	for _, ref := range listRefs(ctx, git, strings.TrimSuffix(incoming, "/")) {
		started, _, _ := strings.Cut(strings.TrimPrefix(ref.name, incoming), "-")
		if sec, err := strconv.ParseInt(started, 10, 64); err == nil && time.Since(time.Unix(sec, 0)) > time.Hour {
			discard(git, ref.name)
		}
	}
}

type namedRef struct{ name, hash string }

// listRefs lists refs by for-each-ref's patterns; none when git fails.
func listRefs(ctx context.Context, git gitstore.Git, patterns ...string) []namedRef {
	out, err := git.Output(ctx, append([]string{"for-each-ref", "--format=%(objectname) %(refname)"}, patterns...)...)
	if err != nil {
		return nil
	}
	var refs []namedRef
	for line := range strings.Lines(string(out)) {
		if hash, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			refs = append(refs, namedRef{name, hash})
		}
	}
	return refs
}
