package pin

import (
	"regexp"
	"strings"
)

// imageReference is [host[:port]/]path[:tag][@digest]. A part may hold
// variables of a shell or a template.
var imageReference = regexp.MustCompile(`^((?:` + imagePart + `(?::[0-9]{1,5})?/)?` + imagePart + `(?:/` + imagePart + `)*)(?::([A-Za-z0-9_` + variable + `][A-Za-z0-9_.` + variable + `-]{0,127}))?(?:@(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}|(?:sha256:)?` + variable + `))?$`)

const (
	// variable stands for what variables are replaced by before matching.
	variable  = "\x01"
	imagePart = `[a-z0-9` + variable + `](?:[a-z0-9._` + variable + `-]*[a-z0-9` + variable + `])?`
)

// maxReference is the length of the longest image reference that is one.
const maxReference = 600

// An image is a reference taken apart.
type image struct {
	name    string // without docker.io and library
	version string // tag, digest or both
	host    bool   // the reference names its registry
}

// parseImage takes an image reference apart. It refuses what is a path of a
// picture, an address, or text.
func parseImage(s string) (image, bool) {
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "docker://")
	s = strings.TrimPrefix(s, "oci://")
	if s == "" || len(s) > maxReference || strings.ContainsAny(s, variable) {
		return image{}, false
	}
	masked, vars := maskVariables(s)
	m := imageReference.FindStringSubmatch(masked)
	if m == nil || isPicture(m[1]) || strings.Trim(m[1], variable) == "" {
		return image{}, false
	}
	name, tag, digest := m[1], m[2], m[3]
	name, vars = unmask(name, vars)
	tag, vars = unmask(tag, vars)
	digest, _ = unmask(digest, vars)
	out := image{name: ImageName(name), version: ImageVersion(tag, digest)}
	out.host = namesHost(name)
	return out, true
}

// hubs are the ways to write the registry that everybody means.
var hubs = []string{"docker.io/", "index.docker.io/", "registry-1.docker.io/", "registry.hub.docker.com/"}

// ImageName is the one way that facts write the name of an image, without tag
// and digest: the registry that everybody means is left out, and so is the
// name space of its official images.
func ImageName(name string) string {
	hub := !namesHost(name)
	for _, h := range hubs {
		if rest, ok := strings.CutPrefix(name, h); ok {
			name, hub = rest, true
			break
		}
	}
	if hub {
		name = strings.TrimPrefix(name, "library/")
	}
	return name
}

// ImageVersion is the one way that facts write the version of an image: tag,
// @digest, or tag@digest; "" where it has neither.
func ImageVersion(tag, digest string) string {
	if digest != "" {
		return strings.TrimPrefix(tag+"@"+digest, "@")
	}
	return tag
}

// namesHost reports whether a name begins with that of its registry.
func namesHost(name string) bool {
	first, _, slash := strings.Cut(name, "/")
	return slash && (strings.ContainsAny(first, ".:") || first == "localhost")
}

func isPicture(name string) bool {
	for _, ext := range []string{".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".avif", ".md", ".html", ".yaml", ".yml", ".json", ".go", ".tar", ".gz", ".qcow2", ".iso"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// maskVariables replaces ${X}, $X, {{ x }}, $(x), <x> and %s by one
// character each.
func maskVariables(s string) (string, []string) {
	if !strings.ContainsAny(s, "${<%") {
		return s, nil
	}
	var out strings.Builder
	var vars []string
	for i := 0; i < len(s); {
		n := variableLength(s[i:])
		if n == 0 {
			out.WriteByte(s[i])
			i++
			continue
		}
		vars = append(vars, s[i:i+n])
		out.WriteString(variable)
		i += n
	}
	return out.String(), vars
}

func unmask(s string, vars []string) (string, []string) {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == variable[0] && len(vars) > 0 {
			out.WriteString(vars[0])
			vars = vars[1:]
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String(), vars
}

// variableLength is the length of the variable that s starts with, 0 for
// none.
func variableLength(s string) int {
	closing := func(open, end string) int {
		if !strings.HasPrefix(s, open) {
			return 0
		}
		if i := strings.Index(s, end); i >= 0 {
			return i + len(end)
		}
		return 0
	}
	for _, pair := range [][2]string{{"${{", "}}"}, {"{{", "}}"}, {"#{", "}"}, {"<", ">"}} {
		if n := closing(pair[0], pair[1]); n > 0 {
			return n
		}
	}
	if strings.HasPrefix(s, "${") || strings.HasPrefix(s, "$(") {
		open, end, depth := s[1], byte('}'), 0
		if open == '(' {
			end = ')'
		}
		for i := 1; i < len(s) && i < maxReference; i++ {
			switch s[i] {
			case open:
				depth++
			case end:
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return 0
	}
	if s[0] == '$' {
		n := 1
		for n < len(s) && isWord(s[n]) {
			n++
		}
		if n > 1 {
			return n
		}
		return 0
	}
	if s[0] == '{' { // a format's or template literal's field
		if i := strings.IndexByte(s, '}'); i > 0 {
			return i + 1
		}
	}
	if s[0] == '%' && len(s) > 1 && strings.IndexByte("sdv", s[1]) >= 0 {
		return 2
	}
	return 0
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// withDefaults replaces ${X:-text} and ${X-text} by their defaults and $X and
// ${X} by what values has.
func withDefaults(s string, values map[string]string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		n := 0
		if s[i] == '$' {
			n = variableLength(s[i:])
		}
		if n == 0 {
			out.WriteByte(s[i])
			i++
			continue
		}
		whole := s[i : i+n]
		i += n
		name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(whole, "$"), "{"), "}")
		end := 0
		for end < len(name) && isWord(name[end]) {
			end++
		}
		name, rest := name[:end], name[end:]
		value, ok := values[name]
		fallback, has := strings.CutPrefix(strings.TrimPrefix(rest, ":"), "-")
		switch {
		case rest == "" && ok, has && ok && value != "":
			out.WriteString(value)
		case has:
			out.WriteString(fallback)
		default:
			out.WriteString(whole)
		}
		if out.Len() > maxReference {
			return s
		}
	}
	return out.String()
}

// image notes that a line runs or builds on an image. It reports whether the
// text names one.
func (f *file) image(role Role, text string, line int, note string) bool {
	img, ok := parseImage(text)
	if !ok {
		return false
	}
	fact := Fact{Role: role, Kind: Image, Name: img.name, Version: img.version, Line: line, Note: note}
	if strings.ContainsAny(img.name, "${<%") {
		fact.Certainty = uncertain
	}
	f.add(fact)
	return true
}

// uncertain is the certainty of a name that holds a variable nobody could
// resolve.
const uncertain = 50
