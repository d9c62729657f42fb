package ruleset

import (
	"fmt"
	"regexp"
	"strings"
)

// A Target is whose ruleset it is: a repository's, or with an empty
// Repository an organisation's.
type Target struct {
	Owner      string
	Repository string
}

// String is owner/repository, or the organisation's name.
func (t Target) String() string {
	if t.Repository == "" {
		return t.Owner
	}
	return t.Owner + "/" + t.Repository
}

// Same reports whether two targets are one; the service does not look at
// case.
func (t Target) Same(other Target) bool { return strings.EqualFold(t.String(), other.String()) }

var (
	ownerName      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)
	repositoryName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
)

// ParseRepository reads owner/repository. What is not exactly that never
// gets into a request's path.
func ParseRepository(text string) (Target, error) {
	owner, name, ok := strings.Cut(text, "/")
	if !ok || !ownerName.MatchString(owner) || !repositoryName.MatchString(name) || name == "." || name == ".." {
		return Target{}, fmt.Errorf("%q is not owner/repository", short(text))
	}
	return Target{owner, name}, nil
}

// ParseOrganization reads an organisation's name.
func ParseOrganization(text string) (Target, error) {
	if !ownerName.MatchString(text) {
		return Target{}, fmt.Errorf("%q is not the name of an organisation", short(text))
	}
	return Target{Owner: text}, nil
}
