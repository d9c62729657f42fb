package extract

import "strings"

// parseHTML finds what scripts and style sheets speak of: elements with an
// id; the elements of components' own; the scripts and sheets that the page
// loads.
func parseHTML(c *collector) error {
	seen := make(map[string]bool)
	for t := range tags(c.src) {
		if t.closing {
			continue
		}
		name := strings.ToLower(t.name)
		if id, ok := t.get("id"); ok {
			c.element(t, name, id, seen)
		}
		switch path := linked(t, name); {
		case path != "" && !strings.Contains(path, "//") && !strings.Contains(path, "{"):
			path, _, _ = strings.Cut(path, "?")
			c.bring(Import{Path: oneLine(validText(path)), Line: t.line})
		case strings.Contains(name, "-"):
			c.refer(Reference{From: -1, Relation: References, Name: oneLine(name), Line: t.line})
		}
	}
	return nil
}

// linked is the path of what a tag loads.
func linked(t tag, name string) string {
	path := ""
	switch name {
	case "script":
		path, _ = t.get("src")
	case "link":
		if rel, _ := t.get("rel"); rel == "stylesheet" || rel == "modulepreload" || rel == "import" {
			path, _ = t.get("href")
		}
	}
	return path
}

// element defines an element by its id, once.
func (c *collector) element(t tag, name, id string, seen map[string]bool) {
	id = oneLine(validText(id))
	switch {
	case id == "" || seen[id] || strings.ContainsAny(id, "{<$ "):
	case len(c.file.Definitions) >= maxSettings:
		c.file.Cut++
	default:
		seen[id] = true
		c.define(-1, Definition{Name: id, Kind: Selector, Line: t.line, EndLine: t.line, Signature: signature(validText("<" + name + ` id="` + id + `">`)), Exported: true})
	}
}
