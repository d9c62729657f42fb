package wire

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/wire/pin"
)

// An image is a reference to a container image.
type image struct {
	name        string // with its registry where it has one; parts that are not told as <word>
	tag, digest string
}

// version is the tag, the digest, or both.
func (i image) version() string { return pin.ImageVersion(i.tag, i.digest) }

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
	// Names have one case, though ${{ github.repository }} may have two.
	i.name = pin.ImageName(strings.ToLower(shown(text)))
	return i, true
}
