package pin

import (
	"regexp"
	"strings"
)

// readGemfileLock reads Gemfile.lock: its sections are told by their
// indentation.
func readGemfileLock(f *file) {
	section, remote, revision := "", "", ""
	line := 0
	flush := func() {
		if section == "GIT" && remote != "" {
			f.repository(Pins, remote, revision, line, "gem")
		}
		remote, revision = "", ""
	}
	next := ""
	f.each(func(n int, text string) {
		trimmed := strings.TrimSpace(text)
		switch {
		case trimmed == "":
		case text[0] != ' ':
			flush()
			section = trimmed
			next = section
		case section == "RUBY VERSION" && next == section:
			next = ""
			if version, ok := strings.CutPrefix(trimmed, "ruby "); ok {
				f.add(Fact{Role: Pins, Kind: Toolchain, Name: "ruby", Version: version, Line: n})
			}
		case strings.HasPrefix(trimmed, "remote: "):
			remote, line = strings.TrimPrefix(trimmed, "remote: "), n
		case strings.HasPrefix(trimmed, "revision: "):
			revision, line = strings.TrimPrefix(trimmed, "revision: "), n
		case section == "GEM" && strings.HasPrefix(text, "    ") && !strings.HasPrefix(text, "     "):
			if name, version, ok := strings.Cut(trimmed, " ("); ok {
				f.add(Fact{Role: Pins, Kind: Gem, Name: name, Version: strings.TrimSuffix(version, ")"), Line: n, Indirect: true})
			}
		}
	})
	flush()
}

var (
	gemLine    = regexp.MustCompile(`^\s*gem\s*\(?\s*["']([A-Za-z0-9_.-]+)["'](.*)$`)
	gemSource  = regexp.MustCompile(`\b(git|github):\s*["']([^"']+)["']`)
	gemRef     = regexp.MustCompile(`\b(?:ref|tag|branch):\s*["']([^"']+)["']`)
	gemVersion = regexp.MustCompile(`^\s*,\s*["']([^"']+)["']`)
	gemName    = regexp.MustCompile(`^\s*\w+\.name\s*=\s*["']([A-Za-z0-9_.-]+)["']`)
	rubyLine   = regexp.MustCompile(`^\s*ruby\s+["']([^"']+)["']`)
)

// readGemfile reads a Gemfile.
func readGemfile(f *file) {
	f.each(func(n int, text string) {
		if len(text) > maxAddressLine {
			return
		}
		if m := rubyLine.FindStringSubmatch(text); m != nil {
			f.add(Fact{Role: Pins, Kind: Toolchain, Name: "ruby", Version: m[1], Line: n})
		}
		m := gemLine.FindStringSubmatch(text)
		if m == nil {
			return
		}
		ref, version := "", ""
		if r := gemRef.FindStringSubmatch(m[2]); r != nil {
			ref = r[1]
		}
		if v := gemVersion.FindStringSubmatch(m[2]); v != nil {
			version = v[1]
		}
		if s := gemSource.FindStringSubmatch(m[2]); s != nil {
			address := s[2]
			if s[1] == "github" {
				address = "github:" + address
			}
			f.repository(Pins, address, ref, n, "gem "+m[1])
			return
		}
		f.add(Fact{Role: Pins, Kind: Gem, Name: m[1], Version: version, Line: n})
	})
}

// readGemspec reads the name of a gem.
func readGemspec(f *file) {
	f.each(func(n int, text string) {
		if m := gemName.FindStringSubmatch(text); m != nil {
			f.add(Fact{Role: Declares, Kind: Gem, Name: m[1], Line: n})
		}
	})
}

// readComposer reads composer.json.
func readComposer(f *file) {
	d, _ := parseJSON(f.data)
	name := d.get("name")
	f.add(Fact{Role: Declares, Kind: Composer, Name: name.str(), Line: name.at()})
	for _, key := range []string{"require", "require-dev"} {
		for _, e := range d.get(key).entries() {
			fact := Fact{Role: Pins, Kind: Composer, Name: e.key, Version: e.node.str(), Line: e.line}
			if e.key == "php" {
				fact.Kind = Toolchain
			}
			f.add(fact)
		}
	}
	for _, r := range d.get("repositories").items() {
		f.repository(Reads, r.get("url").str(), "", r.get("url").at(), "Composer")
	}
}

// readComposerLock reads composer.lock.
func readComposerLock(f *file) {
	d, _ := parseJSON(f.data)
	for _, key := range []string{"packages", "packages-dev"} {
		for _, p := range d.get(key).items() {
			name := p.get("name")
			f.add(Fact{Role: Pins, Kind: Composer, Name: name.str(), Version: p.get("version").str(), Line: name.at(), Indirect: true})
		}
	}
}
