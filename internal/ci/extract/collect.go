package extract

import (
	"bytes"
	"cmp"
	"slices"
)

// A collector gathers what a language's reader finds in one file.
type collector struct {
	variant string
	src     []byte
	file    *File
	lines   int // of the file
	seen    map[Reference]bool
	owners  map[int]string // definition → name of a container that may come later in the file
	byName  map[place]int  // the last definition of a name in a container
}

// A place is a name in a container.
type place struct {
	parent int
	name   string
}

func newCollector(lang, variant string, src []byte) *collector {
	return &collector{
		variant: variant,
		src:     src,
		lines:   bytes.Count(src, []byte{'\n'}) + 1,
		file:    &File{Lang: lang},
		seen:    make(map[Reference]bool),
		owners:  make(map[int]string),
		byName:  make(map[place]int),
	}
}

// define adds d below the definition parent (-1: top level) and returns its
// index, which holds until finish.
func (c *collector) define(parent int, d Definition) int {
	c.byName[place{parent, d.Name}] = len(c.file.Definitions)
	d.Parent = parent
	if parent >= 0 && d.Container == "" {
		d.Container = c.file.Definitions[parent].Qualified()
	}
	d.EndLine = max(d.EndLine, d.Line)
	d.Name = clip(d.Name, maxName)
	d.Container = clip(d.Container, maxName)
	d.Signature = clip(d.Signature, maxSignature)
	d.Doc = clip(d.Doc, maxDoc)
	c.file.Definitions = append(c.file.Definitions, d)
	return len(c.file.Definitions) - 1
}

// find returns the last definition of a name in a container.
func (c *collector) find(parent int, name string) (int, bool) {
	i, ok := c.byName[place{parent, name}]
	return i, ok
}

// replace makes definition i say what d says, and keeps its own comment
// where d has none.
func (c *collector) replace(i int, d Definition) {
	old := c.file.Definitions[i]
	d.Parent, d.Container, d.Name = old.Parent, old.Container, old.Name
	d.Exported = d.Exported || old.Exported
	d.EndLine = max(d.EndLine, d.Line)
	d.Signature = clip(d.Signature, maxSignature)
	if d.Doc = clip(d.Doc, maxDoc); d.Doc == "" {
		d.Doc = old.Doc
	}
	if d.Result == "" {
		d.Result = old.Result
	}
	c.file.Definitions[i] = d
}

// adopt says that definition i belongs to the top-level definition of that
// name, wherever in the file it stands.
func (c *collector) adopt(i int, owner string) {
	c.file.Definitions[i].Container = owner
	c.owners[i] = owner
}

// refer adds a use of a name, once.
func (c *collector) refer(r Reference) {
	if r.Name == "" || len(r.Name) > maxName {
		return
	}
	if r.Name = oneLine(r.Name); r.Name == "" {
		return
	}
	r.Qualifier = oneLine(clip(r.Qualifier, maxQualifier))
	r.Type = oneLine(clip(r.Type, maxQualifier))
	r.Via = oneLine(clip(r.Via, maxQualifier))
	key := r
	key.Line = 0
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.file.References = append(c.file.References, r)
}

func (c *collector) bring(i Import) {
	if i.Path == "" && !i.Export || len(i.Path) > maxPath || len(i.Name) > maxName || len(i.Alias) > maxName {
		return
	}
	c.file.Imports = append(c.file.Imports, i)
}

// finish puts everything in order of lines and returns the file.
func (c *collector) finish() *File {
	f := c.file
	if len(c.owners) > 0 {
		types := make(map[string]int)
		for i, d := range f.Definitions {
			if d.Container != "" {
				continue
			}
			// A class comes before a function of its name, which can own
			// methods too, in JavaScript.
			if old, ok := types[d.Name]; !ok || f.Definitions[old].Kind == Function && d.Kind != Function {
				types[d.Name] = i
			}
		}
		for i, owner := range c.owners {
			if p, ok := types[owner]; ok && p != i {
				f.Definitions[i].Parent = p
			}
		}
	}
	c.clean()
	c.order()
	slices.SortStableFunc(f.Imports, func(a, b Import) int { return cmp.Compare(a.Line, b.Line) })
	slices.SortStableFunc(f.References, func(a, b Reference) int { return cmp.Compare(a.Line, b.Line) })
	return f
}

// order sorts the definitions by line and leaves out those without a name,
// which broken source can give: what they held belongs to what is around
// them.
func (c *collector) order() {
	f := c.file
	named := func(i int) int {
		for i >= 0 && f.Definitions[i].Name == "" {
			i = f.Definitions[i].Parent
		}
		return i
	}
	var order []int
	for i, d := range f.Definitions {
		if d.Name != "" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(f.Definitions[a].Line, f.Definitions[b].Line)
	})
	moved := make([]int, len(f.Definitions))
	sorted := make([]Definition, len(order))
	for to, from := range order {
		moved[from] = to
		sorted[to] = f.Definitions[from]
	}
	for i := range sorted {
		if p := named(sorted[i].Parent); p >= 0 {
			sorted[i].Parent = moved[p]
		} else {
			sorted[i].Parent = -1
		}
	}
	for i := range f.References {
		if p := named(f.References[i].From); p >= 0 {
			f.References[i].From = moved[p]
		} else {
			f.References[i].From = -1
		}
	}
	f.Definitions = nil
	if len(sorted) > 0 {
		f.Definitions = sorted
	}
}
