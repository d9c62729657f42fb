package pin

import (
	"regexp"
	"strings"
)

// readFlakeLock reads flake.lock: the inputs that the flake names, and as
// indirect those that its inputs bring.
func readFlakeLock(f *file) {
	d, _ := parseJSON(f.data)
	root := firstOf(d.get("root").str(), "root")
	direct := map[string]string{}
	for _, e := range d.get("nodes", root, "inputs").entries() {
		if s := e.node.str(); s != "" {
			direct[s] = e.key
		}
	}
	for _, e := range d.get("nodes").entries() {
		locked, original := e.node.get("locked"), e.node.get("original")
		if e.key == root || locked == nil {
			continue
		}
		ref := firstOf(original.get("ref").str(), original.get("rev").str())
		version, note := firstOf(ref, locked.get("rev").str()), "input "+firstOf(direct[e.key], e.key)
		if ref != "" && locked.get("rev").str() != "" && ref != locked.get("rev").str() {
			note += " at " + locked.get("rev").str()[:min(12, len(locked.get("rev").str()))]
		}
		line := firstLine(locked.get("rev").at(), e.line)
		kind, address := Repository, flakeAddress(locked)
		name, _, ok := RepositoryName(address)
		if locked.get("type").str() == "tarball" && strings.Contains(base(address), ".tar") {
			_, name, ok = strings.Cut(address, "://")
			kind = Archive
		}
		if !ok {
			continue
		}
		_, named := direct[e.key]
		f.add(Fact{Role: Pins, Kind: kind, Name: name, Version: version, Line: line, Note: note, Indirect: !named})
	}
}

// flakeAddress is the address of a locked input.
func flakeAddress(n *node) string {
	if url := n.get("url").str(); url != "" {
		return url
	}
	host := map[string]string{"github": "github.com", "gitlab": "gitlab.com", "sourcehut": "git.sr.ht"}[n.get("type").str()]
	host = firstOf(n.get("host").str(), host)
	if host == "" {
		return ""
	}
	return "https://" + host + "/" + n.get("owner").str() + "/" + n.get("repo").str()
}

var (
	flakeURL  = regexp.MustCompile(`(?:\burl|^\s*[A-Za-z0-9_.-]+\.url)\s*=\s*"((?:github|gitlab|sourcehut):[^"]+|git\+[^"]+)"`)
	nixOpen   = regexp.MustCompile(`\b(fetchFrom(?:GitHub|GitLab|Codeberg|Gitea|SourceHut)|fetchgit|fetchGit)\s*\(?\s*(?:rec\s*|finalAttrs:\s*)?\{`)
	nixAttr   = regexp.MustCompile(`\b(owner|repo|rev|ref|tag|url|domain)\s*=\s*([^;]+);`)
	nixText   = regexp.MustCompile(`^\s*(?:(version|rev)|(pname|repo|owner))\s*=\s*"([^"$]+)"\s*;`)
	nixString = regexp.MustCompile(`"([^"]*)"`)
)

// maxFetcher is how many lines the arguments of one fetcher may take.
const maxFetcher = 12

// readNix reads the inputs of a flake and what other Nix files fetch.
func readNix(f *file) {
	version, named := "", map[string]string{}
	f.code(func(n int, text string) {
		for _, m := range flakeURL.FindAllStringSubmatch(text, 10) {
			f.repository(Reads, m[1], "", n, "flake input")
		}
		if m := nixText.FindStringSubmatch(text); m != nil && m[1] != "" {
			version = m[3]
		} else if m != nil {
			named[m[2]] = m[3]
		}
		if m := nixOpen.FindStringSubmatch(text); m != nil {
			f.nixFetch(m[1], n, version, named)
		}
		f.addresses(text, n)
	})
}

// nixFetch reads the arguments of a fetcher that starts on a line.
// named are the texts that names before it have.
func (f *file) nixFetch(fetcher string, line int, version string, named map[string]string) {
	attrs, at := map[string]string{}, line
	for n := line; n < line+maxFetcher; n++ {
		text := f.line(n)
		for _, m := range nixAttr.FindAllStringSubmatch(text, 10) {
			value := strings.TrimSpace(m[2])
			if s := nixString.FindStringSubmatch(value); s != nil {
				value = s[1]
			} else if value == "version" {
				value = version
			} else if named[value] != "" {
				value = named[value]
			} else if m[1] != "rev" && m[1] != "tag" && m[1] != "ref" {
				continue
			}
			attrs[m[1]] = strings.ReplaceAll(value, "${version}", version)
			if m[1] == "rev" || m[1] == "tag" || m[1] == "ref" {
				at = n // what is to be changed
			}
		}
		if strings.Contains(text, "}") && n > line || strings.Contains(text, "};") {
			break
		}
	}
	address := attrs["url"]
	if attrs["owner"] != "" && attrs["repo"] != "" {
		host := map[string]string{"fetchFromGitHub": "github.com", "fetchFromGitLab": "gitlab.com", "fetchFromCodeberg": "codeberg.org", "fetchFromSourceHut": "git.sr.ht"}[fetcher]
		address = "https://" + firstOf(attrs["domain"], host) + "/" + attrs["owner"] + "/" + attrs["repo"]
	}
	f.repository(Pins, address, firstOf(attrs["tag"], attrs["rev"], attrs["ref"]), at, fetcher)
}
