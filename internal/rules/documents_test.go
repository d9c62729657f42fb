package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents are the Markdown files of the module.
func documents(t *testing.T) []string {
	t.Helper()
	return tree(t, func(p string) bool { return strings.HasSuffix(p, ".md") })
}

// A block is a fenced block of a document.
type block struct {
	lang string
	line int // of its first line, from 1
	text string
}

func blocks(doc string) (found []block) {
	var b *block
	for i, line := range strings.Split(doc, "\n") {
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && b == nil:
			b = &block{lang: strings.TrimSpace(fence), line: i + 2}
		case isFence:
			found = append(found, *b)
			b = nil
		case b != nil:
			b.text += line + "\n"
		}
	}
	return found
}

func TestBlocks(t *testing.T) {
	got := blocks("a\n```sh\nroute status\n```\n\n- x\n  ```\n  y\n  ```\n")
	want := []block{{"sh", 3, "route status\n"}, {"", 8, "  y\n"}}
	if !slices.Equal(got, want) {
		t.Errorf("blocks are %+v, want %+v", got, want)
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// links are the targets of a document's links, code left out.
func links(doc string) (targets []string) {
	outside := true
	for line := range strings.Lines(doc) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			outside = !outside
		} else if outside {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				targets = append(targets, m[1])
			}
		}
	}
	return targets
}

func TestLinksLeadSomewhere(t *testing.T) {
	checked := 0
	for _, doc := range documents(t) {
		for _, target := range links(read(t, doc)) {
			file, _, _ := strings.Cut(target, "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") || file == "" {
				continue
			}
			checked++
			if to := path.Join(path.Dir(doc), file); !exists(t, to) {
				t.Errorf("%s links to %s, but there is no %s", doc, target, to)
			}
		}
	}
	if checked == 0 {
		t.Error("no link was found: the test does not see them")
	}
}

func TestIndexNamesEveryPage(t *testing.T) {
	var indexed []string
	for _, target := range links(read(t, "docs/README.md")) {
		indexed = append(indexed, path.Join("docs", target))
	}
	for _, doc := range documents(t) {
		if strings.HasPrefix(doc, "docs/") && doc != "docs/README.md" && !slices.Contains(indexed, doc) {
			t.Errorf("docs/README.md does not name %s", doc)
		}
	}
}

var required = regexp.MustCompile(`(?m)^(?:require |\t)(\S+) v`)

// TestEveryDependencyIsExplained: what the module's own packages and tests
// import stands in docs/dependencies.md.
func TestEveryDependencyIsExplained(t *testing.T) {
	page := read(t, "docs/dependencies.md")
	var modules []string
	for _, m := range required.FindAllStringSubmatch(read(t, "go.mod"), -1) {
		modules = append(modules, m[1])
	}
	explained := map[string]bool{}
	for _, p := range list(t, nil, "./...") {
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if wing(imported) != "elsewhere" {
				continue
			}
			mod := ""
			for _, m := range modules {
				if (imported == m || strings.HasPrefix(imported, m+"/")) && len(m) > len(mod) {
					mod = m
				}
			}
			if mod == "" {
				t.Errorf("%s imports %s, which go.mod does not require", p.ImportPath, imported)
			} else if !explained[mod] && !strings.Contains(page, "\n| `"+mod+"` | ") {
				t.Errorf("docs/dependencies.md does not explain %s", mod)
			}
			explained[mod] = true
		}
	}
	if len(explained) == 0 {
		t.Error("no dependency was found: the test does not see them")
	}
}
