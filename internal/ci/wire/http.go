package wire

import (
	"net/url"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

const httpFlags = "-X --request -H --header -d --data --data-raw --data-binary --data-urlencode -o --output -u --user -T --upload-file -F --form -w --write-out -A --user-agent --retry --retry-delay --connect-timeout --max-time -m -x --proxy -b --cookie -c --cookie-jar -e --referer --cacert --cert --key -O --output-document -P --directory-prefix --json -K --tries -t --timeout --post-data --method --body-data"

// http states what curl and wget get, and what they send to the service.
func (j *job) http(s *shell, c call) {
	valued := httpFlags
	if c.args[0] == "curl" {
		valued = strings.Replace(valued, " -O ", " ", 1)
	}
	f := parseFlags(c.args[1:], valued)
	body := strings.Join(f.all("-d", "--data", "--data-raw", "--data-binary", "--json", "--post-data", "--body-data"), "\n")
	if name, ok := strings.CutPrefix(body, "@"); ok {
		body = c.input
		if name != "-" {
			body, _ = j.smallFile(s.join(name))
		}
	}
	method := f.get("-X", "--request", "--method")
	for _, a := range append(f.args, f.all("--url")...) {
		switch {
		case strings.Contains(a, "/repos/") && (strings.Contains(a, "api.github.com") || !known(a)):
			j.api(a, body, nil, method, c.at, c.sure)
		case strings.Contains(a, "://"):
			j.gets(a, c.at, c.sure)
		}
	}
}

// gets states what an address that is read gives: a file of a release, of a
// branch, or of a repository.
func (j *job) gets(address string, line, sure int) {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return
	}
	rest, _, _ = strings.Cut(rest, "?")
	if _, after, ok := strings.Cut(rest, "@"); ok && !strings.Contains(rest[:len(rest)-len(after)], "/") {
		rest = after
	}
	parts := strings.Split(rest, "/")
	for i, p := range parts {
		if u, err := url.PathUnescape(p); err == nil {
			parts[i] = u
		}
	}
	switch {
	case len(parts) >= 6 && parts[0] == "github.com" && parts[3] == "releases":
		name := parts[len(parts)-1]
		tag := ""
		if parts[4] == "download" {
			tag = parts[5]
		}
		if len(parts) >= 7 && fixed(name) {
			j.emit(fact{role: read, kind: wiring.ReleaseAsset, name: name, repo: j.x.shortOf(parts[1] + "/" + parts[2]), place: wiring.Place{Version: versionOf(tag)}}, line, sure)
		}
	case len(parts) >= 5 && parts[0] == "raw.githubusercontent.com", len(parts) >= 6 && parts[0] == "github.com" && (parts[3] == "raw" || parts[3] == "archive"):
		slug, ref := parts[1]+"/"+parts[2], parts[3]
		if parts[0] == "github.com" {
			ref = parts[4]
		}
		if ref == "refs" && len(parts) > 6 {
			ref = parts[5]
		}
		ref = strings.TrimSuffix(strings.TrimSuffix(ref, ".tar.gz"), ".zip")
		if !known(parts[1]) || !fixed(slug) {
			return
		}
		j.readsBranch(slug, ref, line, sure)
		if !j.isOwn(slug) {
			j.emit(fact{role: read, kind: wiring.Repository, name: shown(slug), place: wiring.Place{Version: versionOf(ref), Note: shown(path.Base(rest))}}, line, sure)
		}
	}
}
