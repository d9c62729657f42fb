package extract

import (
	"fmt"
	"strings"
)

// listing writes a File one fact a line, for golden files and for eyes.
func listing(f *File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "file %s", f.Lang)
	if f.Module != "" {
		fmt.Fprintf(&b, " module=%s", f.Module)
	}
	if f.Broken {
		b.WriteString(" broken")
	}
	b.WriteByte('\n')
	if f.Doc != "" {
		fmt.Fprintf(&b, "  doc %s\n", f.Doc)
	}
	for _, i := range f.Imports {
		fmt.Fprintf(&b, "import %d %s", i.Line, i.Path)
		if i.Name != "" {
			fmt.Fprintf(&b, " name=%s", i.Name)
		}
		if i.Alias != "" {
			fmt.Fprintf(&b, " as=%s", i.Alias)
		}
		if i.Export {
			b.WriteString(" export")
		}
		b.WriteByte('\n')
	}
	for i, d := range f.Definitions {
		fmt.Fprintf(&b, "%s %d-%d %s", d.Kind, d.Line, d.EndLine, d.Qualified())
		if d.Parent >= 0 && d.Container != f.Definitions[d.Parent].Qualified() {
			fmt.Fprintf(&b, " PARENT=%s", f.Definitions[d.Parent].Qualified())
		}
		if d.Parent < 0 && d.Container != "" {
			b.WriteString(" elsewhere")
		}
		for _, flag := range []struct {
			on   bool
			name string
		}{{d.Exported, "exported"}, {d.Entry, "entry"}, {d.Test, "test"}} {
			if flag.on {
				b.WriteString(" " + flag.name)
			}
		}
		if d.Result != "" {
			fmt.Fprintf(&b, " result=%s", d.Result)
		}
		b.WriteByte('\n')
		if d.Signature != "" {
			fmt.Fprintf(&b, "  sig %s\n", d.Signature)
		}
		if d.Doc != "" {
			fmt.Fprintf(&b, "  doc %s\n", d.Doc)
		}
		listReferences(&b, f, i)
	}
	b.WriteString("uses of the file itself\n")
	listReferences(&b, f, -1)
	return b.String()
}

func listReferences(b *strings.Builder, f *File, from int) {
	for _, r := range f.References {
		if r.From != from {
			continue
		}
		fmt.Fprintf(b, "  %s %d ", r.Relation, r.Line)
		if r.Qualifier != "" {
			b.WriteString(r.Qualifier + " . ")
		}
		b.WriteString(r.Name)
		b.WriteString(r.Args)
		if r.Type != "" {
			fmt.Fprintf(b, " : %s", r.Type)
		}
		if r.Via != "" {
			fmt.Fprintf(b, " via %s", r.Via)
		}
		b.WriteByte('\n')
	}
}
