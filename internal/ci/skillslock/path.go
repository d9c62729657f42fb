package skillslock

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

var (
	name      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	ownerRepo = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9_.][A-Za-z0-9._-]{0,99}$`)
	scp       = regexp.MustCompile(`^([A-Za-z0-9_][A-Za-z0-9._~+-]*@)?[A-Za-z0-9_][A-Za-z0-9._-]+:[^:-].*$`)
	device    = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
)

// ValidName reports whether a skill, and so a directory, may be called this.
func ValidName(s string) bool {
	return name.MatchString(s) && !strings.HasSuffix(s, ".") && !strings.Contains(s, "..") && !device.MatchString(s)
}

// ValidPath reports whether a file may have this path: relative, with
// slashes, one that every system can store, and in no git directory.
func ValidPath(p string) bool {
	if p == "" || len(p) > 240 || path.Clean(p) != p || path.IsAbs(p) || p == "." || p != plaintext.Line(p, len(p)) || strings.ContainsAny(p, `\:*?"<>|`) {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		lower := strings.ToLower(part)
		if part == ".." || lower == ".git" || strings.HasPrefix(lower, "git~") || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || device.MatchString(part) {
			return false
		}
	}
	return true
}

// CheckPaths refuses files that one directory cannot hold: a path that is not
// valid, two that differ in case only, and a file that is another's directory.
func CheckPaths(paths []string) error {
	seen := map[string]bool{}
	for _, p := range paths {
		if !ValidPath(p) {
			return fmt.Errorf("%q is not a path that a skill may have", plaintext.Line(p, 200))
		}
		low := strings.ToLower(p)
		if seen[low] {
			return fmt.Errorf("%q is there twice, but for case", p)
		}
		seen[low] = true
	}
	for _, p := range paths {
		for dir := path.Dir(strings.ToLower(p)); dir != "."; dir = path.Dir(dir) {
			if seen[dir] {
				return fmt.Errorf("%q is a file and a directory", dir)
			}
		}
	}
	return nil
}

// Address is what git is given for an upstream: owner/repo is on GitHub,
// anything else must be an https, ssh or file address. Nothing that git could
// take for an option or for a program to run, and no password.
func Address(upstream string) (string, error) {
	switch {
	case upstream == "":
		return "", fmt.Errorf("upstream is empty")
	case ownerRepo.MatchString(upstream):
		return "https://github.com/" + upstream + ".git", nil
	case strings.HasPrefix(upstream, "-") || strings.Contains(upstream, "::") || strings.ContainsAny(upstream, " \\\"'`"):
		return "", fmt.Errorf("upstream %q is not owner/repo or an address", plaintext.Line(upstream, 100))
	}
	if !strings.Contains(upstream, "://") {
		if scp.MatchString(upstream) {
			return upstream, nil
		}
		return "", fmt.Errorf("upstream %q is not owner/repo or an address", plaintext.Line(upstream, 100))
	}
	u, err := url.Parse(upstream)
	if err != nil || strings.HasPrefix(u.Host, "-") || strings.HasPrefix(u.User.Username(), "-") {
		return "", fmt.Errorf("upstream %q is not an address", plaintext.Line(upstream, 100))
	}
	if _, has := u.User.Password(); has {
		return "", fmt.Errorf("upstream holds a password; a committed file must not")
	}
	if !slices.Contains([]string{"https", "ssh", "file"}, u.Scheme) || u.Host == "" && u.Scheme != "file" || strings.Trim(u.Path, "/") == "" {
		return "", fmt.Errorf("upstream %q: https, ssh and file addresses are read", plaintext.Line(upstream, 100))
	}
	return upstream, nil
}
