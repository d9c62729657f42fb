package extract

import "slices"

// clean makes plain text of every name and keeps every line inside the file:
// a grammar that recovers from an error can take several lines for a name,
// and a reader may count other ends of lines than files do.
func (c *collector) clean() {
	f := c.file
	f.Module = whole(f.Module, maxPath)
	f.Doc = oneLine(f.Doc)
	for i := range f.Definitions {
		d := &f.Definitions[i]
		d.Name, d.Container = oneLine(d.Name), oneLine(d.Container)
		d.Signature, d.Doc = oneLine(d.Signature), oneLine(d.Doc)
		d.Result = whole(d.Result, maxName)
		d.Line, d.EndLine = min(d.Line, c.lines), min(d.EndLine, c.lines)
	}
	f.Imports = slices.DeleteFunc(f.Imports, func(i Import) bool { return i.Line > c.lines || oneLine(i.Path) == "" && !i.Export })
	for n := range f.Imports {
		i := &f.Imports[n]
		i.Path, i.Name, i.Alias = oneLine(i.Path), whole(i.Name, maxName), whole(i.Alias, maxName)
	}
	f.References = slices.DeleteFunc(f.References, func(r Reference) bool { return r.Line > c.lines })
}

// whole is s on one line, or "" when it is too long to be told: a part of a
// type's name would be another type.
func whole(s string, most int) string {
	if len(s) > most {
		return ""
	}
	return oneLine(s)
}
