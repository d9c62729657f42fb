package report

import (
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// Size is what the bundle weighs, by kind of file. The manifest itself is not
// in it.
func Size(m bundle.Manifest) string {
	type group struct {
		name         string
		files        int
		bytes, large int64
	}
	var groups []*group
	at := map[string]*group{}
	total := group{name: "all"}
	for _, f := range m.Files {
		name := f.Name
		if folder, _, nested := strings.Cut(f.Name, "/"); nested {
			name = folder + "/"
		}
		g := at[name]
		if g == nil {
			g = &group{name: name}
			at[name] = g
			groups = append(groups, g)
		}
		for _, g := range []*group{g, &total} {
			g.files++
			g.bytes += f.Size
			if f.Large {
				g.large += f.Size
			}
		}
	}
	t := newTable("file", "files", "size", "of it apart from the branch")
	for _, g := range append(groups, &total) {
		apart := ""
		if g.large > 0 {
			apart = megabytes(g.large)
		}
		t.row(code(g.name), fmt.Sprint(g.files), megabytes(g.bytes), apart)
	}
	return "### Size\n\n" + t.String()
}

// megabytes is a size for people; small ones are in kilobytes.
func megabytes(n int64) string {
	if n < 100_000 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
