package pin

import (
	"regexp"
	"strings"
)

// RepositoryName makes host/owner/name of an address of a git repository in
// any of the ways tools write one, and gives the ref that the address has.
func RepositoryName(address string) (name, ref string, ok bool) {
	s := strings.TrimSpace(address)
	s, fragment, _ := strings.Cut(s, "#")
	s, query, _ := strings.Cut(s, "?")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "git::"), "git+")
	for _, short := range [][2]string{{"github:", "github.com/"}, {"gitlab:", "gitlab.com/"}, {"bitbucket:", "bitbucket.org/"}, {"sourcehut:", "git.sr.ht/"}} {
		if rest, found := strings.CutPrefix(s, short[0]); found && !strings.HasPrefix(rest, "//") {
			parts := strings.SplitN(rest, "/", 3)
			if len(parts) == 3 { // a flake's owner/repo/ref
				ref = parts[2]
				rest = parts[0] + "/" + parts[1]
			}
			s = short[1] + rest
		}
	}
	if i := strings.Index(s, "://"); i >= 0 {
		s = s[i+3:]
	}
	if at := strings.IndexByte(s, '@'); at >= 0 && !strings.Contains(s[:at], "/") { // user:password@
		s = s[at+1:]
	}
	s, _, _ = strings.Cut(s, "//") // what follows is a folder in the repository
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		s, ref = s[:at], s[at+1:]
	}
	if host, path, colon := strings.Cut(s, ":"); colon && !strings.Contains(host, "/") {
		// git's scp-like form, or a port.
		if bare := strings.TrimLeft(path, "0123456789"); strings.HasPrefix(bare, "/") {
			path = bare
		}
		s = host + "/" + strings.TrimLeft(path, "/")
	}
	for part := range strings.SplitSeq(query, "&") {
		if key, value, found := strings.Cut(part, "="); found && (key == "ref" || key == "rev" || key == "tag" || key == "branch") {
			ref = value
		}
	}
	if fragment != "" {
		fragment = strings.TrimPrefix(fragment, "commit=")
		fragment = strings.TrimPrefix(fragment, "semver:")
		if !strings.Contains(fragment, "=") {
			ref = fragment
		}
	}
	s = strings.TrimSuffix(strings.TrimRight(s, "/"), ".git")
	host, path, found := strings.Cut(s, "/")
	if !found || !strings.Contains(host, ".") || !repositoryPath.MatchString(path) {
		return "", "", false
	}
	if knownHosts[host] { // what follows owner/repo is a page of it
		parts := strings.SplitN(path, "/", 4)
		if len(parts) < 2 {
			return "", "", false
		}
		if len(parts) == 4 && (parts[2] == "tree" || parts[2] == "commit") && ref == "" {
			ref = parts[3]
		}
		path = strings.TrimSuffix(parts[0]+"/"+parts[1], ".git")
	}
	return strings.ToLower(host) + "/" + path, ref, true
}

// knownHosts hold repositories as owner/name and nothing deeper.
var knownHosts = map[string]bool{"github.com": true, "bitbucket.org": true, "codeberg.org": true, "git.sr.ht": true}

var repositoryPath = regexp.MustCompile(`^[A-Za-z0-9_.~{}$-]+(/[A-Za-z0-9_.~{}$-]+)+$`)

// repository notes that a line fetches a repository. It reports whether the
// address is one's.
func (f *file) repository(role Role, address, version string, line int, note string) bool {
	name, ref, ok := RepositoryName(address)
	if !ok {
		return false
	}
	f.add(Fact{Role: role, Kind: Repository, Name: name, Version: firstOf(version, ref), Line: line, Note: note})
	return true
}

// fetched are the addresses of things that a repository's host gives out:
// files of releases, raw files, archives of source.
var fetched = []struct {
	pattern *regexp.Regexp
	kind    Kind
}{
	{regexp.MustCompile(`https?://([A-Za-z0-9.-]+)/(` + slugPart + `)/(` + slugPart + `)/releases/download/([^/\s"'` + "`" + `]+)/((?:` + madeVariable + `|[^\s"'` + "`" + `|;)<>\\,])+|[^\s"'` + "`" + `|;\\,]*<[a-z_]+>[^\s"'` + "`" + `|;\\,]*)`), Asset},
	{regexp.MustCompile(`https?://([A-Za-z0-9.-]+)/(` + slugPart + `)/(` + slugPart + `)/releases/(latest)/download/([^\s"'` + "`" + `|;)<>\\,]+)`), Asset},
	{regexp.MustCompile(`https?://raw\.(github)usercontent\.com/(` + slugPart + `)/(` + slugPart + `)/((?:refs/(?:heads|tags)/)?[^/\s"'` + "`" + `]+)/([^\s"'` + "`" + `|;)<>\\,]+)`), File},
	{regexp.MustCompile(`https?://([A-Za-z0-9.-]+)/(` + slugPart + `)/(` + slugPart + `)/(?:-/)?raw/((?:refs/(?:heads|tags)/)?[^/\s"'` + "`" + `]+)/([^\s"'` + "`" + `|;)<>\\,]+)`), File},
	{regexp.MustCompile(`https?://([A-Za-z0-9.-]+)/(` + slugPart + `)/(` + slugPart + `)/archive/(?:refs/(?:tags|heads)/)?([^\s"'` + "`" + `|;)<>\\,]+?)()(?:\.tar\.gz|\.zip|\.tgz)`), Archive},
	{regexp.MustCompile(`https?://codeload\.(github)\.com/(` + slugPart + `)/(` + slugPart + `)/(?:tar\.gz|zip|legacy\.tar\.gz)/(?:refs/(?:tags|heads)/)?([^\s"'` + "`" + `|;)<>\\,]+)()`), Archive},
}

// madeVariable is a variable of a makefile, and what it makes of another.
const madeVariable = `\$\((?:[^()]|\([^()]*\)){1,120}\)`

const slugPart = `(?:\$\{\{[^}]*\}\}|\$\{[^}]*\}|#\{[^}]*\}|[A-Za-z0-9_.$-])+`

// maxAddressLine is how long a line may be to be searched for addresses:
// longer ones are generated or minified.
const maxAddressLine = 2000

// addresses notes what a line fetches by its address.
func (f *file) addresses(text string, line int) {
	if len(text) > maxAddressLine || !strings.Contains(text, "://") {
		return
	}
	for _, kind := range fetched {
		for _, m := range kind.pattern.FindAllStringSubmatch(text, 20) {
			host, owner, repo, ref, path := m[1], m[2], m[3], m[4], m[5]
			if host == "github" {
				host = "github.com"
			}
			home := strings.ToLower(host) + "/" + owner + "/" + strings.TrimSuffix(repo, ".git")
			ref = strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/tags/")
			fact := Fact{Role: Reads, Kind: kind.kind, Name: home, Home: home, Version: ref, Line: line}
			switch kind.kind {
			case Asset:
				fact.Name = AssetName(path[strings.LastIndexByte(path, '/')+1:], ref)
				if strings.Trim(strings.ReplaceAll(fact.Name, "<tag>", ""), "._-") == "" { // a name that tells nothing
					fact.Kind, fact.Name, fact.Note = Repository, home, "a file of a release"
				}
			case File:
				if isPicture(strings.ToLower(path)) && !isData(path) {
					continue
				}
				fact.Name = path
			}
			if strings.ContainsAny(home, "${") {
				fact.Certainty = uncertain
			}
			f.add(fact)
		}
	}
}

// gitClone is a clone of a repository by its address.
var gitClone = regexp.MustCompile(`\bgit clone\s+(?:-{1,2}\S+\s+|\S+\s+)*?["']?((?:https?|ssh)://[^\s"']+|git@[^\s"']+)`)

// clones notes the repositories that a line clones.
func (f *file) clones(text string, line int) {
	if len(text) > maxAddressLine || !strings.Contains(text, "git clone") {
		return
	}
	if m := gitClone.FindStringSubmatch(text); m != nil {
		f.repository(Reads, m[1], "", line, "git clone")
	}
}

// isData reports a raw file that code can have a use for, though it is no
// program.
func isData(path string) bool {
	for _, ext := range []string{".json", ".yaml", ".yml", ".go", ".gz", ".tar", ".html"} {
		if strings.HasSuffix(strings.ToLower(path), ext) {
			return true
		}
	}
	return false
}

// AssetName is the name of a release's file with <tag> for everything that
// varies: variables, and the version of the tag that it is fetched at.
func AssetName(name, tag string) string {
	masked, _ := maskVariables(name)
	masked = strings.ReplaceAll(masked, variable, "<tag>")
	version := strings.TrimLeft(tag, "v")
	if strings.ContainsAny(version, "0123456789") && !strings.ContainsAny(version, "${<%") {
		masked = strings.ReplaceAll(masked, tag, "<tag>")
		if len(version) >= 3 {
			masked = strings.ReplaceAll(masked, version, "<tag>")
		}
	}
	return masked
}
