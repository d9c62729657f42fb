package publish

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// CheckPrivate refuses a bundle that holds submodules which fewer people may
// read than the umbrella, unless that is meant. The error is a
// *[bundle.Refused].
func CheckPrivate(b bundle.Build, include bool) error {
	if len(b.Private) == 0 || include {
		return nil
	}
	return &bundle.Refused{
		Reason: "it holds the private submodules " + names(b.Private) + ", which whoever reads the published branch could read",
		Next:   "add --include-private if everyone who reads the remote may read them; else publish to a remote that only they can read"}
}

// Warnings say where the remote may be more visible than what the bundle was
// made from, as far as addresses tell. It is no proof of anything: two
// repositories of one host may be as far apart as two hosts.
func Warnings(b bundle.Build, remote Address) []string {
	var out []string
	if len(b.Private) > 0 {
		out = append(out, fmt.Sprintf("the bundle holds the private submodules %s: whoever reads %s reads them", names(b.Private), remote))
	}
	if remote.Loopback() {
		return out
	}
	if host := hostOf(b.URL); host != "" && host != strings.ToLower(remote.Host) {
		out = append(out, fmt.Sprintf("the umbrella is at %s and the bundle goes to %s: whoever reads there reads what the bundle says of it", plainName(host), remote.Host))
	}
	elsewhere := map[string][]string{}
	for _, m := range b.Submodules {
		if host := hostOf(m.URL); host != "" && host != strings.ToLower(remote.Host) && host != hostOf(b.URL) {
			elsewhere[host] = append(elsewhere[host], m.Path)
		}
	}
	for _, host := range slices.Sorted(maps.Keys(elsewhere)) {
		out = append(out, fmt.Sprintf("the bundle goes to %s, and these submodules come from %s: %s; look that whoever reads the one may read the other", remote.Host, plainName(host), names(elsewhere[host])))
	}
	return out
}

// hostOf is the host of a repository's address, in lower case, or "" for a
// path and for what is no address.
func hostOf(address string) string {
	a, err := ParseAddress(address, "/")
	if err != nil || a.Loopback() {
		return ""
	}
	return strings.ToLower(a.Host)
}

// names lists a few names on one line.
func names(list []string) string {
	const most = 8
	var plain []string
	for _, n := range list[:min(most, len(list))] {
		plain = append(plain, plainName(n))
	}
	text := strings.Join(plain, ", ")
	if len(list) > most {
		text += fmt.Sprintf(" and %d more", len(list)-most)
	}
	return text
}
