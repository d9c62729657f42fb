package gitstore

import "strings"

// IsHash reports whether s is the full name of an object, SHA-1 or SHA-256.
func IsHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// ValidRef reports whether s may be the name of a ref or of its last parts.
// It admits nothing that git reads as an option or as an expression over
// revisions.
func ValidRef(s string) bool {
	if s == "" || len(s) > 255 || s[0] == '-' || s == "@" || strings.ContainsAny(s, " ~^:?*[\\\x7f") ||
		strings.Contains(s, "..") || strings.Contains(s, "@{") || strings.HasSuffix(s, ".") {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' }) < 0
}

// ValidBranch reports whether s may be the short name of a branch. It admits
// what git check-ref-format --branch admits, so not HEAD, which every command
// would take for something else; but neither "@", which is another word for
// HEAD, nor the full name of a ref.
func ValidBranch(s string) bool {
	return ValidRef(s) && s != "HEAD" && !strings.HasPrefix(s, "refs/")
}

// shadows are the names that git would take for name if name itself did not
// exist: a remote's tag called "refs/marola/x" must not pass for that ref.
func shadows(name string) []string {
	return []string{"refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD"}
}
