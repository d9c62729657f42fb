package workspace

import (
	"context"
	"net/url"
	"path"
	"strings"
)

// remoteURL is the address of the repository's main remote: that of origin,
// else of the only one.
func (r *Repo) remoteURL(ctx context.Context) string {
	for _, args := range [][]string{
		{"config", "-z", "--get", "remote.origin.url"},
		{"config", "-z", "--get-regexp", `^remote\..*\.url$`},
	} {
		out, err := r.git.Output(ctx, args...)
		rows := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if err != nil || len(rows) != 1 {
			continue
		}
		return publicURL(rows[0][strings.IndexByte(rows[0], '\n')+1:])
	}
	return ""
}

// quoted writes a path as one word of a shell.
func quoted(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// publicURL keeps an address that others can use, without credentials: an
// https or ssh URL, or git's scp-like form as an ssh URL. A local path says
// nothing to them and would differ from clone to clone; it gives "".
func publicURL(raw string) string {
	if !strings.Contains(raw, "://") {
		host, p, ok := strings.Cut(raw, ":")
		if !ok || strings.ContainsAny(host, "/\\") || len(host) < 2 || strings.ContainsAny(p, ":@") {
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
