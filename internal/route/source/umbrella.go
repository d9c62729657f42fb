package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// An Umbrella is the repository that publishes the bundle.
type Umbrella struct {
	URL    string // as it was given; "" when nothing names it
	From   string // what named it, for people
	Branch string // the branch its bundle is on
	Remote string // the remote of this repository that has this URL, or ""

	guessed bool // nothing names it, so this repository is taken for it
}

// findUmbrella looks for the umbrella's URL. A flag, the environment and the
// person's own git configuration come before the committed file, and these
// before the remotes. The superproject is looked at where outer is true.
func findUmbrella(ctx context.Context, o Options, place gitstore.Place, config gitstore.Config, outer bool) (Umbrella, error) {
	committed, badFile := ReadSettings(place)
	u := Umbrella{Branch: DefaultBranch}
	if committed.Branch != "" {
		u.Branch = committed.Branch
	}
	if o.Branch != "" {
		u.Branch = o.Branch
		if !gitstore.ValidBranch(u.Branch) {
			return u, &SettingError{"--branch", fmt.Sprintf("%q is not the name of a branch", plaintext.Line(u.Branch, 100)), "a branch is named like " + DefaultBranch}
		}
	}
	for _, own := range []struct{ value, from string }{
		{o.Umbrella, "--umbrella"},
		{getenv(o.Env, "MAROLA_UMBRELLA"), "MAROLA_UMBRELLA"},
		{config.Get("marola.umbrella"), "git config marola.umbrella"},
	} {
		if own.value == "" {
			continue
		}
		if reason := badURL(own.value); reason != "" {
			return u, &SettingError{own.from, reason, nameAddress}
		}
		u.URL, u.From = own.value, own.from
		break
	}
	if u.URL == "" && badFile != nil {
		return u, badFile
	}
	if u.URL == "" && committed.Umbrella != "" {
		u.URL, u.From = committed.Umbrella, SettingsFile
	}
	if u.URL == "" && outer {
		if around, ok := superprojectUmbrella(ctx, o, place); ok {
			around.Branch = u.Branch
			return around, nil
		}
	}
	remotes := config.Remotes()
	if u.URL == "" {
		if r, ok := ownRemote(place, config, remotes); ok && badURL(r.URL) == "" {
			u.URL, u.From, u.guessed = r.URL, "this repository's remote "+r.Name, true
		}
	}
	for _, r := range remotes {
		if u.Remote == "" && SameURL(r.URL, u.URL) {
			u.Remote = r.Name
		}
	}
	return u, nil
}

// superprojectUmbrella is the umbrella as the repository around a submodule
// names it.
func superprojectUmbrella(ctx context.Context, o Options, place gitstore.Place) (Umbrella, bool) {
	out, err := o.git().Output(ctx, "rev-parse", "--show-superproject-working-tree")
	dir := strings.TrimRight(string(out), "\r\n")
	if err != nil || dir == "" {
		return Umbrella{}, false
	}
	outer, ok := gitstore.Locate(dir)
	if !ok {
		return Umbrella{}, false
	}
	o.Dir = dir
	config, err := o.git().Config(ctx)
	if err != nil {
		return Umbrella{}, false
	}
	u, err := findUmbrella(ctx, o, outer, config, false)
	if err != nil || u.URL == "" {
		return Umbrella{}, false
	}
	if strings.HasPrefix(u.From, "this repository's") {
		u.From = strings.Replace(u.From, "this repository's", "the superproject's", 1)
	} else {
		u.From = "the superproject's " + u.From
	}
	u.Remote = "" // it is a remote over there
	if strings.HasPrefix(u.URL, "./") || strings.HasPrefix(u.URL, "../") {
		u.URL = filepath.Join(dir, filepath.FromSlash(u.URL)) // and relative to over there
	}
	return u, true
}

// ownRemote is the remote that git fetch would use: the branch's own, else
// origin, else the only one.
func ownRemote(place gitstore.Place, config gitstore.Config, remotes []gitstore.Remote) (gitstore.Remote, bool) {
	wanted := "origin"
	if name := config.Get("branch." + place.Branch() + ".remote"); name != "" {
		wanted = name
	}
	for _, r := range remotes {
		if r.Name == wanted {
			return r, true
		}
	}
	if len(remotes) == 1 {
		return remotes[0], true
	}
	return gitstore.Remote{}, false
}

// readCapped reads a regular file of at most max bytes. An error names no
// path: the caller does.
func readCapped(path string, max int64) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, os.ErrNotExist
	case err != nil:
		return nil, errors.New("it cannot be read")
	case !st.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case st.Size() > max:
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", st.Size(), max)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.New("it cannot be read")
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, max))
}
