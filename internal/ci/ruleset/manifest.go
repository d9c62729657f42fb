package ruleset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// ManifestName is what the file is called that maps rulesets to
// repositories.
const ManifestName = "manifest.yaml"

// manifestVersion is the version of the format that is read.
const manifestVersion = 1

// A Manifest says which ruleset files are for whom.
type Manifest struct {
	Version  int
	Extras   string            // file of extras beside the manifest, or ""
	Apps     map[string]string // the ids of Apps by their slugs, in digits
	Rulesets []Assignment
}

// An Assignment says whom a ruleset file is for.
type Assignment struct {
	File         string
	Repositories []Target
	Organization Target // when it is that organisation's own ruleset
	AllOf        Target // when it is for each repository of that organisation
	Forks        bool   // of those, also forks

	line int
}

// forNobody reports that the manifest leaves it to the command line.
func (a Assignment) forNobody() bool {
	return len(a.Repositories) == 0 && a.Organization.Owner == "" && a.AllOf.Owner == ""
}

// written is the file's form.
type written struct {
	Version  int                  `yaml:"version"`
	Extras   string               `yaml:"extras"`
	Apps     map[string]yaml.Node `yaml:"apps"`
	Rulesets []yaml.Node          `yaml:"rulesets"`
}

type writtenAssignment struct {
	File         string      `yaml:"file"`
	Repositories []yaml.Node `yaml:"repositories"`
	Organization string      `yaml:"organization"`
	AllOf        string      `yaml:"all-repositories-of"`
	Forks        bool        `yaml:"include-forks"`
}

var (
	slugForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,99}$`)
	idForm   = regexp.MustCompile(`^[1-9][0-9]{0,18}$`)
	yamlLine = regexp.MustCompile(`\bline (\d+)`)
)

// ParseManifest reads a manifest. What it does not know is refused: a
// misspelt member would leave repositories without their rules.
func ParseManifest(file string, data []byte) (Manifest, []Finding) {
	l := &findings{file: file}
	var m Manifest
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	switch {
	case len(data) > MaxSize:
		l.error(1, "the file is larger than 4 MiB")
		return m, l.list
	case !utf8.Valid(data):
		l.error(1, "the file is not UTF-8")
		return m, l.list
	}
	var w written
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	err := decoder.Decode(&w)
	if err == nil {
		if err = decoder.Decode(new(yaml.Node)); errors.Is(err, io.EOF) {
			err = nil
		} else if err == nil {
			err = errors.New("something follows the end of the document")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		l.list = append(l.list, yamlError(file, err))
		return m, l.list
	}
	if w.Version != manifestVersion {
		l.error(1, "the manifest must say version: %d", manifestVersion)
	}
	m = Manifest{Version: w.Version, Extras: w.Extras, Apps: map[string]string{}}
	if m.Extras != "" && !beside(m.Extras) {
		l.error(1, "extras: %q is not the name of a file beside the manifest", short(m.Extras))
	}
	for _, slug := range slices.Sorted(maps.Keys(w.Apps)) {
		id := w.Apps[slug]
		if !slugForm.MatchString(slug) || !idForm.MatchString(id.Value) {
			l.error(id.Line, "apps: %s: %s is not an App's slug and its id", short(slug), short(id.Value))
		}
		m.Apps[slug] = id.Value
	}
	if len(w.Rulesets) == 0 {
		l.error(1, "the manifest lists no rulesets")
	}
	for i := range w.Rulesets {
		m.assign(l, &w.Rulesets[i])
	}
	return m, l.list
}

func (m *Manifest) assign(l *findings, node *yaml.Node) {
	var w writtenAssignment
	// A node is decoded without the strictness of the decoder it came from.
	data, err := yaml.Marshal(node)
	if err == nil {
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		decoder.KnownFields(true)
		err = decoder.Decode(&w)
	}
	if err != nil {
		f := yamlError(l.file, err)
		f.Line = node.Line
		l.list = append(l.list, f)
		return
	}
	a := Assignment{File: w.File, Forks: w.Forks, line: node.Line}
	if !beside(w.File) || !strings.HasSuffix(w.File, ".json") {
		l.error(a.line, "file: %q is not the name of a JSON file beside the manifest", short(w.File))
		return
	}
	if slices.ContainsFunc(m.Rulesets, func(o Assignment) bool { return o.File == a.File }) {
		l.error(a.line, "%s is listed twice; give it all of its repositories at once", a.File)
	}
	for _, n := range w.Repositories {
		t, err := ParseRepository(n.Value)
		if err != nil {
			l.error(a.line, "%v", err)
			continue
		}
		if slices.ContainsFunc(a.Repositories, t.Same) {
			l.error(a.line, "%s lists %s twice", a.File, t)
		}
		a.Repositories = append(a.Repositories, t)
	}
	for _, one := range []struct {
		text string
		into *Target
	}{{w.Organization, &a.Organization}, {w.AllOf, &a.AllOf}} {
		if one.text == "" {
			continue
		}
		if *one.into, err = ParseOrganization(one.text); err != nil {
			l.error(a.line, "%v", err)
		}
	}
	switch {
	case w.Organization != "" && (len(w.Repositories) > 0 || w.AllOf != ""):
		l.error(a.line, "%s is either an organisation's ruleset or its repositories', not both", a.File)
	case w.Forks && w.AllOf == "":
		l.error(a.line, "include-forks goes with all-repositories-of")
	}
	m.Rulesets = append(m.Rulesets, a)
}

// beside reports the plain name of a file in the same directory.
func beside(name string) bool {
	return name != "" && name == filepath.Base(name) && filepath.IsLocal(name) && name != "." && !strings.ContainsAny(name, `/\:`)
}

func yamlError(file string, err error) Finding {
	f := Finding{File: file, Text: short(strings.TrimPrefix(err.Error(), "yaml: "))}
	if typed := (*yaml.TypeError)(nil); errors.As(err, &typed) && len(typed.Errors) > 0 {
		f.Text = short(typed.Errors[0])
	}
	if m := yamlLine.FindStringSubmatch(f.Text); m != nil {
		f.Line, _ = strconv.Atoi(m[1])
		f.Text = strings.TrimPrefix(f.Text, m[0]+": ")
	}
	f.Text = strings.Replace(f.Text, "not found in type ruleset.writtenAssignment", "is not known here", 1)
	f.Text = strings.Replace(f.Text, "not found in type ruleset.written", "is not known here", 1)
	return f
}

// YAML is the manifest as a file, each ruleset with remarks above it.
func (m Manifest) YAML(remarks func(file string) []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "version: %d\n", manifestVersion)
	if m.Extras != "" {
		fmt.Fprintf(&b, "extras: %s\n", quote(m.Extras))
	}
	if len(m.Apps) > 0 {
		b.WriteString("apps:\n")
		for _, slug := range slices.Sorted(maps.Keys(m.Apps)) {
			fmt.Fprintf(&b, "  %s: %s\n", slug, m.Apps[slug])
		}
	}
	b.WriteString("rulesets:\n")
	for _, a := range m.Rulesets {
		for _, line := range remarks(a.File) {
			fmt.Fprintf(&b, "  # %s\n", short(line))
		}
		fmt.Fprintf(&b, "  - file: %s\n", quote(a.File))
		if a.Organization.Owner != "" {
			fmt.Fprintf(&b, "    organization: %s\n", quote(a.Organization.Owner))
			continue
		}
		b.WriteString("    repositories:\n")
		for _, t := range a.Repositories {
			fmt.Fprintf(&b, "      - %s\n", quote(t.String()))
		}
	}
	return b.Bytes()
}
