package pin

import (
	"strings"
)

// readKustomization reads the images that a kustomization sets, and the
// resources that it takes from elsewhere.
func readKustomization(f *file) {
	docs, ok := f.documents()
	if !ok {
		f.imageLines()
		return
	}
	for _, d := range docs {
		for _, i := range d.get("images").items() {
			name := i.get("newName")
			if name.str() == "" {
				name = i.get("name")
			}
			text := name.str()
			if tag := i.get("newTag").str(); tag != "" {
				text += ":" + tag
			}
			if digest := i.get("digest").str(); digest != "" {
				text += "@" + digest
			}
			line := firstLine(i.get("newTag").at(), i.get("digest").at(), name.at())
			f.image(Pins, text, line, "kustomize")
		}
		for _, key := range []string{"resources", "bases", "components"} {
			for _, r := range d.get(key).items() {
				if s := r.str(); strings.Contains(s, "://") || strings.HasPrefix(s, "github.com/") || strings.HasPrefix(s, "git@") {
					f.resource(s, r.line)
				}
			}
		}
		d.walk(func(n *node) {
			for _, e := range n.keys {
				if e.key == "path" || e.key == "url" {
					f.addresses(e.node.str(), e.node.at())
				}
			}
		})
		for _, c := range d.get("helmCharts").items() {
			f.add(Fact{Role: Reads, Kind: Chart, Name: c.get("name").str(), Home: c.get("repo").str(), Version: c.get("version").str(), Line: c.get("name").at()})
		}
	}
}

// resource notes a remote resource of a kustomization: a file by its address,
// or a folder of a repository.
func (f *file) resource(address string, line int) {
	before := len(f.facts)
	f.addresses(address, line)
	if len(f.facts) == before {
		f.repository(Reads, address, "", line, "kustomize")
	}
}

func firstLine(lines ...int) int {
	for _, n := range lines {
		if n > 0 {
			return n
		}
	}
	return 1
}

// readChart reads Chart.yaml, its lock and the older requirements.yaml.
func readChart(f *file) {
	docs, _ := f.documents()
	if len(docs) == 0 {
		return
	}
	d := docs[0]
	role := Pins
	if f.base == "Chart.yaml" {
		f.add(Fact{Role: Declares, Kind: Chart, Name: d.get("name").str(), Version: d.get("version").str(), Line: d.get("name").at()})
	}
	for _, c := range d.get("dependencies").items() {
		home := c.get("repository").str()
		if strings.HasPrefix(home, "file:") {
			home = ""
		}
		f.add(Fact{Role: role, Kind: Chart, Name: c.get("name").str(), Home: home, Version: c.get("version").str(), Line: firstLine(c.get("version").at(), c.get("name").at())})
	}
}

// readHelmfile reads the charts that a helmfile installs.
func readHelmfile(f *file) {
	docs, ok := f.documents()
	if !ok {
		return
	}
	for _, d := range docs {
		for _, r := range d.get("releases").items() {
			chart := r.get("chart")
			if s := chart.str(); s != "" && !strings.HasPrefix(s, ".") {
				home, name, found := strings.Cut(s, "/")
				if !found {
					home, name = "", s
				}
				f.add(Fact{Role: Reads, Kind: Chart, Name: name, Home: home, Version: r.get("version").str(), Line: chart.line})
			}
		}
		d.walk(f.imagesIn)
	}
}

// readSkaffold reads the images that skaffold builds.
func readSkaffold(f *file) {
	docs, ok := f.documents()
	if !ok {
		f.imageLines()
		return
	}
	for _, d := range docs {
		for _, a := range d.get("build", "artifacts").items() {
			if i := a.get("image"); i != nil {
				f.image(Declares, i.str(), i.line, "built by skaffold from "+firstOf(a.get("context").str(), "."))
			}
		}
	}
}

// readDevcontainer reads devcontainer.json: its image and features.
func readDevcontainer(f *file) {
	d, _ := parseJSON(f.data)
	if i := d.get("image"); i != nil {
		f.image(Reads, i.str(), i.line, "devcontainer")
	}
	for _, e := range d.get("features").entries() {
		if !strings.HasPrefix(e.key, ".") {
			f.image(Reads, e.key, e.line, "devcontainer feature")
		}
	}
}

// readPreCommit reads the repositories of hooks and the revisions they are
// pinned at.
func readPreCommit(f *file) {
	docs, _ := f.documents()
	for _, d := range docs {
		for _, r := range d.get("repos").items() {
			rev := r.get("rev")
			f.repository(Pins, r.get("repo").str(), rev.str(), firstLine(rev.at(), r.get("repo").at()), "pre-commit hooks")
		}
	}
}

// readClaudeSettings reads marketplaces of plugins, the ref they are pinned
// at, and the plugins that are switched on.
func readClaudeSettings(f *file) {
	d, _ := parseJSON(f.data)
	refs := map[string]string{}
	for _, e := range d.get("extraKnownMarketplaces").entries() {
		source := e.node.get("source")
		ref := source.get("ref")
		address := firstOf(source.get("url").str(), source.get("repo").str())
		if address != "" && !strings.Contains(address, ":") {
			address = "github:" + address
		}
		refs[e.key] = ref.str()
		f.repository(Pins, address, ref.str(), firstLine(ref.at(), source.get("repo").at(), e.line), "marketplace "+e.key)
	}
	for _, e := range d.get("enabledPlugins").entries() {
		if e.node.str() == "true" || e.node.kindOf() == list {
			_, market, _ := strings.Cut(e.key, "@")
			f.add(Fact{Role: Reads, Kind: Plugin, Name: e.key, Version: refs[market], Line: e.line})
		}
	}
}

// readMarketplace reads the plugins that a marketplace offers.
func readMarketplace(f *file) {
	d, _ := parseJSON(f.data)
	market := d.get("name").str()
	for _, p := range d.get("plugins").items() {
		name := p.get("name")
		if name.str() == "" || market == "" {
			continue
		}
		f.add(Fact{Role: Declares, Kind: Plugin, Name: name.text + "@" + market, Version: p.get("version").str(), Line: name.line})
		source := p.get("source")
		if repo := firstOf(source.get("url").str(), source.get("repo").str()); repo != "" {
			if !strings.Contains(repo, ":") {
				repo = "github:" + repo
			}
			version := firstOf(source.get("sha").str(), source.get("ref").str())
			f.repository(Pins, repo, version, firstLine(source.get("sha").at(), source.get("ref").at(), source.at()), "source of plugin "+name.text)
		}
	}
}
