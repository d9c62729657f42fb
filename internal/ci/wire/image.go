package wire

import "strings"

// An image is a reference to a container image.
type image struct {
	name        string // with its registry where it has one; parts that are not told as <word>
	tag, digest string
}

// version is the digest, or the tag.
func (i image) version() string {
	if i.digest != "" {
		return i.digest
	}
	return i.tag
}

// imageRef reads a reference. ok is false for text that is none, or of which
// nothing is told.
func imageRef(text string) (image, bool) {
	text = strings.TrimSpace(strings.Trim(strings.TrimSpace(text), `"'`))
	for _, scheme := range []string{"docker://", "oci://", "https://"} {
		text = strings.TrimPrefix(text, scheme)
	}
	if text == "" || text == "scratch" || len(text) > 500 || strings.ContainsAny(text, " \t\n\"'(){},;|&*=\\`!$") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, ".") || strings.HasPrefix(text, "/") {
		return image{}, false
	}
	var i image
	text, i.digest, _ = strings.Cut(text, "@")
	if at := strings.LastIndexByte(text, ':'); at > strings.LastIndexByte(text, '/') {
		text, i.tag = text[:at], shown(text[at+1:])
	}
	i.digest = shown(i.digest)
	if text == "" || !fixed(text) || strings.HasSuffix(text, "/") {
		return image{}, false
	}
	// Names have one case, though ${{ github.repository }} may have two, and
	// one way to be written, though the hub has several.
	i.name = strings.ToLower(shown(text))
	for _, hub := range []string{"docker.io/", "index.docker.io/", "registry.hub.docker.com/"} {
		i.name = strings.TrimPrefix(i.name, hub)
	}
	i.name = strings.TrimPrefix(i.name, "library/")
	return i, true
}
