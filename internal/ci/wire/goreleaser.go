package wire

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/wiring"
)

var goreleaserFiles = []string{".goreleaser.yml", ".goreleaser.yaml", "goreleaser.yml", "goreleaser.yaml", ".config/goreleaser.yml", ".config/goreleaser.yaml"}

func isGoreleaser(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	return strings.Contains(base, "goreleaser") && isYAML(base)
}

// nightlyLeaves are the parts of its settings that GoReleaser leaves out of a
// nightly release.
var nightlyLeaves = map[string]bool{"brews": true, "homebrew_casks": true, "scoops": true, "krews": true, "nix": true, "aurs": true}

// goreleaser states what a run of GoReleaser publishes, by its settings and
// the flags it is given.
func (j *job) goreleaser(name string, f flags, line, sure int) {
	skips := strings.Join(f.all("--skip"), ",")
	if f.has["--snapshot"] || f.has["--skip-publish"] || slices.Contains(strings.Split(skips, ","), "publish") {
		return
	}
	slug := j.x.slug(max(j.repo, 0))
	names := goreleaserFiles
	if name != "" {
		names = []string{name}
	}
	var doc node
	for _, n := range names {
		if f := j.fileAt(n); f != nil {
			if docs, _ := readYAML(f.data); len(docs) > 0 {
				doc = docs[0]
				break
			}
		}
	}
	rel, nightly := doc.get("release"), f.has["--nightly"]
	released := rel.get("disable").text() != "true" && (!nightly || doc.get("nightly").get("publish_release").text() == "true")
	if released {
		if gh := rel.get("github"); gh.get("owner").text() != "" {
			slug = goTemplate(gh.get("owner").text()) + "/" + goTemplate(gh.get("name").text())
		}
		j.emit(fact{role: published, kind: wiring.Release, name: slug, place: wiring.Place{Note: "goreleaser"}}, line, sure)
	}
	project := goTemplate(doc.get("project_name").text())
	if project == "" {
		project = baseOf(j.x.slug(max(j.repo, 0)))
	}
	for _, n := range doc.get("npms").items() {
		if name := n.get("name").text(); name != "" {
			j.publishes("npm", []string{goTemplate(name)}, "the settings", "goreleaser", line, min(sure, 95))
		}
	}
	for _, a := range doc.get("archives").items() {
		if !released {
			break
		}
		if t := a.get("name_template").text(); t != "" {
			name := strings.ReplaceAll(goTemplate(t), unknown("ProjectName"), project)
			j.emit(fact{role: published, kind: wiring.ReleaseAsset, name: name + openMark + "ext" + closeMark, repo: j.x.shortOf(slug)}, line, min(sure, 90))
		}
	}
	image := func(n node) {
		if n.text() != "" {
			j.pushes(strings.ReplaceAll(goTemplate(n.text()), unknown("ProjectName"), project), line, min(sure, 95))
		}
	}
	for _, d := range doc.get("dockers").items() {
		for _, t := range d.get("image_templates").texts() {
			image(t)
		}
	}
	for _, d := range doc.get("dockers_v2").items() {
		for _, t := range d.get("images").texts() {
			image(t)
		}
	}
	for _, d := range doc.get("docker_manifests").items() {
		image(d.get("name_template"))
	}
	for _, k := range doc.get("kos").items() {
		image(k.get("repository"))
		for _, t := range k.get("repositories").texts() {
			image(t)
		}
	}
	for _, key := range []string{"brews", "homebrew_casks", "scoops", "winget", "nix", "krews", "aurs"} {
		if nightly && nightlyLeaves[key] {
			continue
		}
		for _, b := range append(doc.get(key).items(), doc.get(strings.TrimSuffix(key, "s")).items()...) {
			repo := b.get("repository")
			for _, k := range []string{"tap", "bucket", "index"} {
				if !repo.there() {
					repo = b.get(k)
				}
			}
			if owner := goTemplate(repo.get("owner").text()); owner != "" {
				j.emit(fact{role: published, kind: wiring.Push, name: owner + "/" + goTemplate(repo.get("name").text()), place: wiring.Place{Note: "goreleaser " + key}}, line, min(sure, 95))
			}
		}
	}
}

// goTemplate puts an unknown part at each {{ … }}, and one at each choice of
// several texts.
func goTemplate(text string) string {
	var b strings.Builder
	depth := 0
	for {
		before, rest, ok := strings.Cut(text, "{{")
		if depth == 0 {
			if strings.HasPrefix(rest, "-") {
				before = strings.TrimRight(before, " \t\n")
			}
			b.WriteString(before)
		}
		if !ok {
			return strings.TrimSpace(b.String())
		}
		expr, after, _ := strings.Cut(rest, "}}")
		if strings.HasSuffix(expr, "-") {
			after = strings.TrimLeft(after, " \t\n")
		}
		text, expr = after, strings.Trim(expr, " -")
		switch first, _, _ := strings.Cut(expr, " "); {
		case first == "if" || first == "with" || first == "range":
			if depth == 0 {
				b.WriteString(unknown("choice"))
			}
			depth++
		case first == "end":
			depth = max(depth-1, 0)
		case depth == 0 && first != "else":
			b.WriteString(unknown(lastName(expr)))
		}
	}
}
