package pin

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// readManifest reads the images, charts and repositories that a YAML file
// names: manifests of Kubernetes, compose files, values of charts, pipelines.
// A template that is no YAML is read line by line.
func readManifest(f *file) {
	if !slices.ContainsFunc(manifestWords, func(w []byte) bool { return bytes.Contains(f.data, w) }) {
		return // most YAML is about something else
	}
	f.fetchLines()
	docs, ok := f.documents()
	if !ok {
		f.imageLines()
	}
	for _, d := range docs {
		d.walk(func(n *node) {
			f.imagesIn(n)
			f.repositoryIn(n)
			f.variables(n)
		})
	}
}

// fetchLine is a line of a manifest that fetches by an address. Most
// addresses in YAML only describe something.
var fetchLine = regexp.MustCompile(`\b(?:curl|wget)\b|^\s*(?:-\s+)?["']?\w*(?i:url|uri|source)["']?\s*:|^\s*-\s+["']?https?://`)

func (f *file) fetchLines() {
	if !bytes.Contains(f.data, []byte("/releases/")) && !bytes.Contains(f.data, []byte("raw")) {
		return
	}
	f.code(func(n int, text string) {
		if strings.Contains(text, "://") && len(text) <= maxAddressLine && fetchLine.MatchString(text) {
			f.addresses(text, n)
		}
	})
}

// manifestWords are of what one stands in every file that [readManifest]
// finds something in. To look for each is a tenth of the cost of one pattern.
var manifestWords = bytes.Fields([]byte("image Image IMAGE repoURL repository: GitRepository chart: value: default: curl wget url: http:// https:// _VERSION: Version:"))

// maxYAML is the largest YAML file that is parsed, in bytes; a larger one is
// read line by line, for it is generated.
const maxYAML = 256 << 10

// documents parses the file as YAML. False is a file that is none, or too
// large: what came before the mistake is not used either, so that nothing is
// found twice.
func (f *file) documents() ([]*node, bool) {
	if len(f.data) > maxYAML {
		return nil, false
	}
	docs, err := parseYAML(f.data)
	if err != nil {
		return nil, false
	}
	return docs, true
}

// yamlImage is a line that gives an image, in YAML or a template of YAML.
var yamlImage = regexp.MustCompile(`^\s*(?:-\s+)?["']?([A-Za-z_]*[iI]mage)["']?\s*:\s*(.*)$`)

func (f *file) imageLines() { f.each(f.imageLine) }

func (f *file) imageLine(n int, text string) {
	key, _, pair := strings.Cut(text, ":")
	if len(text) > maxReference || !pair || !strings.HasSuffix(strings.TrimRight(key, "\"' \t"), "mage") {
		return
	}
	if m := yamlImage.FindStringSubmatch(text); m != nil {
		value := m[2]
		if i := strings.Index(value, " #"); i >= 0 {
			value = value[:i]
		}
		f.image(Reads, withDefaults(unquote(strings.TrimSpace(value)), nil), n, "")
	}
}

// imagesIn reads the images that one table of a manifest names.
func (f *file) imagesIn(n *node) {
	if f.machines[n] {
		return
	}
	machine := n.onMachine()
	for _, e := range n.keys {
		v := e.node
		if v == nil {
			continue
		}
		if e.key == "machine" && v.kind == table {
			if f.machines == nil {
				f.machines = map[*node]bool{}
			}
			f.machines[v] = true
		}
		if machine && e.key == "image" {
			continue
		}
		lower := strings.ToLower(e.key)
		switch {
		case lower == "image" && v.kind == scalar:
			f.imageKey(n, v)
		case strings.HasSuffix(e.key, "Image") || strings.HasSuffix(lower, "_image"):
			if s := v.str(); strings.ContainsAny(s, "/:") && !strings.Contains(s, "://") {
				f.image(Reads, withDefaults(s, nil), v.line, "")
			}
		case lower == "image" && v.get("name").str() != "" && v.get("repository") == nil:
			f.splitImage(v, "name")
		case v.kind == scalar && strings.Contains(v.text, "\n"):
			f.embedded(v)
		case e.key == "value" && v.kind == scalar, e.key == "default" && v.kind == scalar:
			f.fullImage(v.text, v.line)
		case v.kind == list:
			for _, i := range v.list {
				if _, value, ok := strings.Cut(i.str(), "="); ok && strings.HasPrefix(i.str(), "-") {
					f.fullImage(value, i.line)
				}
			}
		}
	}
	if n.get("repository").str() != "" && (n.get("tag") != nil || n.get("digest") != nil || n.get("pullPolicy") != nil || n.get("registry") != nil) {
		f.splitImage(n, "repository")
	}
}

// onMachine reports a job of a pipeline that runs on a machine which is no
// container: its image is one of the host's.
func (n *node) onMachine() bool {
	for _, t := range n.get("tags").items() {
		if strings.Contains(t.str(), "macos") {
			return true
		}
	}
	return false
}

// embedded reads the images of a document that stands in another as text.
func (f *file) embedded(n *node) {
	last := n.line + strings.Count(n.text, "\n")
	for i := n.line + 1; i <= last+1; i++ {
		f.imageLine(i, f.line(i))
	}
}

// imageKey reads image: with its tag in the same text or in a key beside.
func (f *file) imageKey(n, v *node) {
	text := withDefaults(v.text, nil)
	if img, ok := parseImage(text); ok && img.version == "" {
		for _, key := range []string{"tag", "imageTag", "image_tag"} {
			if tag := n.get(key).str(); tag != "" {
				text += ":" + tag
				break
			}
		}
	}
	note := ""
	if build := n.get("build"); build != nil {
		note = "built from " + firstOf(build.str(), build.get("context").str(), ".")
		f.image(Declares, text, v.line, note)
		return
	}
	f.image(Reads, text, v.line, note)
}

// splitImage reads an image whose parts are keys of their own.
func (f *file) splitImage(n *node, key string) {
	name := n.get(key)
	text := name.str()
	if registry := n.get("registry").str(); registry != "" && !strings.HasPrefix(text, registry) {
		text = registry + "/" + text
	}
	if tag := firstOf(n.get("tag").str(), n.get("version").str()); tag != "" {
		text += ":" + strings.TrimPrefix(tag, ":")
	}
	if digest := n.get("digest").str(); digest != "" {
		if !strings.Contains(digest, ":") {
			digest = "sha256:" + digest
		}
		text += "@" + digest
	}
	f.image(Reads, text, name.at(), "")
}

// fullImage reads text that can be nothing but an image: it has its registry
// and a tag or digest.
func (f *file) fullImage(text string, line int) {
	if img, ok := parseImage(text); ok && img.host && img.version != "" && strings.ContainsAny(img.name[strings.IndexByte(img.name, '/'):], "abcdefghijklmnopqrstuvwxyz") &&
		(len(img.version) <= 3 || strings.Trim(img.version, "0123456789") != "") { // else a port
		f.image(Reads, text, line, "")
	}
}

// repositoryIn reads what an object of a cluster fetches: the source of an
// application, a chart of a release, a repository that is watched.
func (f *file) repositoryIn(n *node) {
	if url := n.get("repoURL"); url.str() != "" {
		version := n.get("targetRevision").str()
		if chart := n.get("chart").str(); chart != "" {
			f.add(Fact{Role: Reads, Kind: Chart, Name: chart, Home: url.text, Version: version, Line: n.get("chart").at()})
		} else {
			f.repository(Reads, url.text, version, url.line, n.get("path").str())
		}
	}
	if n.get("kind").str() == "GitRepository" {
		spec := n.get("spec")
		ref := spec.get("ref")
		version := firstOf(ref.get("commit").str(), ref.get("tag").str(), ref.get("semver").str(), ref.get("branch").str())
		f.repository(Reads, spec.get("url").str(), version, spec.get("url").at(), "")
	}
	if c := n.get("chart"); c.kindOf() == table && c.get("spec", "chart").str() != "" {
		spec := c.get("spec")
		f.add(Fact{Role: Reads, Kind: Chart, Name: spec.get("chart").str(), Home: spec.get("sourceRef", "name").str(), Version: spec.get("version").str(), Line: spec.get("chart").at()})
	}
}

func (n *node) kindOf() nodeKind {
	if n == nil {
		return scalar
	}
	return n.kind
}

// firstOf is the first text that is not empty.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
