package extract

import (
	"bytes"
	"errors"
	"io"
	"regexp"

	"gopkg.in/yaml.v3"
)

// maxDocuments bounds the documents of one YAML file.
const maxDocuments = 1000

func parseYAML(c *collector) error {
	r := &settingsReader{collector: c, from: -1}
	d := yaml.NewDecoder(bytes.NewReader(onlyNewlines(c.src)))
	for range maxDocuments {
		var doc yaml.Node
		err := d.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			c.file.Broken = true
			r.scan()
			return nil
		}
		if len(doc.Content) == 1 {
			r.document(doc.Content[0])
		}
	}
	return nil
}

// onlyNewlines makes spaces of the other ends of lines that YAML knows, so
// that its lines are the file's.
func onlyNewlines(src []byte) []byte {
	if !bytes.Contains(src, []byte{'\n'}) {
		return src // a file of another system, whose lines must end somehow
	}
	for _, end := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(src, []byte(end)) {
			src = bytes.ReplaceAll(src, []byte(end), []byte(" "))
		}
	}
	if bytes.Count(src, []byte{'\r'}) > bytes.Count(src, []byte("\r\n")) {
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte{'\n'})
		src = bytes.ReplaceAll(src, []byte{'\r'}, []byte{' '})
	}
	return src
}

// settingsLine finds a top-level key where the parser gave up, for example
// because another tool's template stands in the file.
var settingsLine = regexp.MustCompile(`(?m)^["']?([A-Za-z_][\w.-]*)["']?:(?:[ \t\r]|$)`)

// scan defines the top-level keys that are not known yet, by their lines.
func (r *settingsReader) scan() {
	line, at := 1, 0
	for _, m := range settingsLine.FindAllSubmatchIndex(r.src, -1) {
		line += bytes.Count(r.src[at:m[0]], []byte{'\n'})
		at = m[0]
		name := string(r.src[m[2]:m[3]])
		if _, ok := r.find(-1, name); !ok {
			r.key(-1, Key, name, &yaml.Node{Line: line}, &yaml.Node{Line: line}, "")
		}
	}
}
