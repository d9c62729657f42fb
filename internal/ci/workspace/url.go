package workspace

import (
	"context"
	"net/url"
	"path"
	"strings"
)

// remoteURL is the address of the repository's main remote: that of the
// checked-out branch, else origin, else the only one.
func remoteURL(ctx context.Context, r *Repo) string {
	for _, args := range [][]string{
		{"config", "--get", "remote.origin.url"},
		{"config", "--get-regexp", `^remote\..*\.url$`},
	} {
		out, err := git(ctx, r.Dir, r.env, args...)
		if err != nil {
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != 1 {
			continue
		}
		f := strings.Fields(lines[0])
		if len(f) > 0 {
			return publicURL(f[len(f)-1])
		}
	}
	return ""
}

// publicURL keeps an address that others can use, without credentials: an
// https or ssh URL, or git's scp-like form as an ssh URL. A local path says
// nothing to them and would differ from clone to clone; it gives "".
func publicURL(raw string) string {
	if !strings.Contains(raw, "://") {
		host, p, ok := strings.Cut(raw, ":")
		if !ok || strings.ContainsAny(host, "/\\") || len(host) < 2 {
			return ""
		}
		raw = "ssh://" + host + "/" + strings.TrimPrefix(p, "/")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "ssh" {
		return ""
	}
	if u.Scheme == "ssh" && u.User != nil {
		u.User = url.User(u.User.Username())
	} else {
		u.User = nil
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// resolveURL resolves a relative submodule URL against the umbrella's, as
// git does.
func resolveURL(umbrella, sub string) string {
	if !strings.HasPrefix(sub, "./") && !strings.HasPrefix(sub, "../") || umbrella == "" {
		return sub
	}
	u, err := url.Parse(umbrella)
	if err != nil {
		return sub
	}
	u.Path = path.Join(u.Path, sub)
	return u.String()
}
