package extract

import (
	"strings"
)

// A cssReader turns a style sheet into a File: CSS, SCSS or Less. Each class
// and id is defined once, by the first rule that names it: a sheet that lists
// a class in twenty rules has one class. Elements, pseudo-classes and
// properties are words, no definitions.
type cssReader struct {
	*lexReader
	known   map[string]bool
	modules map[string]bool // names under which @use makes other sheets known; false is one of the language's own
}

func parseCSS(c *collector) error {
	l := lexis{blocks: true, texts: `"'`, escapes: true, single: true, inWord: "-", urls: true}
	if c.file.Lang != "css" {
		l.comments = "//"
	}
	r := &cssReader{newLexReader(c, l), make(map[string]bool), make(map[string]bool)}
	c.file.Doc = r.head()
	r.rules(0, len(r.tokens), "", 0)
	return nil
}

// maxRules bounds how deep rules stand in each other.
const maxRules = 100

// rules reads what stands in a block or the sheet; around is the class that
// & means there.
func (r *cssReader) rules(i, end int, around string, depth int) {
	for i < end && depth < maxRules {
		if r.is(i, ";", "}") {
			i++
			continue
		}
		head := i
		for i < end && !r.is(i, ";", "{", "}") || r.interpolation(i) {
			if r.is(i, "(", "[", "{") {
				i = r.pair(i, end)
			}
			i++
		}
		i = min(i, end)
		if !r.is(i, "{") {
			r.declaration(head, i)
			continue
		}
		closed := r.pair(i, end)
		inner := around
		if r.is(head, "@") {
			if name := r.text(head + 1); r.at(head, name, i, closed) {
				i = closed + 1
				continue
			}
		} else if r.kind(head) == wordToken && r.is(head+1, ":") && (head+2 == i || strings.HasPrefix(r.text(head), "--")) {
			r.declaration(head, i) // nested properties, or a custom one
			i = closed + 1
			continue
		} else {
			inner = r.selectors(head, i, closed, around)
		}
		r.rules(i+1, closed, inner, depth+1)
		i = closed + 1
	}
}

// interpolation reports whether a brace is that of #{…} or @{…}.
func (r *cssReader) interpolation(i int) bool {
	return i > 0 && r.is(i, "{") && r.is(i-1, "#", "@") && r.tokens[i].start == r.tokens[i-1].end
}

// at reads a rule that begins with @, up to its block; it reports whether the
// block holds no rules.
func (r *cssReader) at(head int, name string, open, closed int) (done bool) {
	name = strings.ToLower(name)
	switch {
	case strings.HasSuffix(name, "keyframes") && r.kind(head+2) != markToken:
		r.once(Keyframes, r.bare(head+2), head+2, head, closed, r.span(head, open-1))
		return true
	case name == "mixin" || name == "function":
		kind := Mixin
		if name == "function" {
			kind = Function
		}
		i := r.declare(-1, kind, r.text(head+2), head+2, head, closed, r.span(head, open-1))
		r.within(i, func() { r.rules(open+1, closed, "", 1) })
		return true
	case name == "property" || name == "layer" && r.kind(head+2) == wordToken:
		if name == "property" {
			r.once(Variable, r.text(head+2), head+2, head, closed, r.span(head, open-1))
		}
		return name == "property"
	}
	if name == "include" {
		r.declaration(head, open)
	} else {
		r.values(head+2, open)
	}
	return false
}

// once defines a name of one kind the first time it is met.
func (r *cssReader) once(kind Kind, name string, at, first, last int, sig string) {
	key := string(kind) + " " + name
	if name == "" || r.known[key] {
		return
	}
	r.known[key] = true
	r.declare(-1, kind, name, at, first, last, sig)
}

// selectors defines the classes and ids of a rule and returns the last class,
// which & in the rule's block is short for.
func (r *cssReader) selectors(i, open, closed int, around string) string {
	first, last := i, around
	mixin := r.is(i, ".") && r.is(i+2, "(") && r.file.Lang == "less"
	for ; i < open; i++ {
		joined := i > 0 && r.tokens[i].start == r.tokens[i-1].end
		switch {
		case r.is(i, "(") && !r.is(i-1, "not", "is", "where", "has", "host", "slotted", "global", "deep", "v-deep", "matches"), r.is(i, "["), r.interpolation(i):
			i = r.pair(i, open)
		case r.is(i, ".", "%", "#") && r.kind(i+1) == wordToken && r.tokens[i+1].start == r.tokens[i].end && i+1 < open:
			i++
			name := r.text(i)
			if '0' <= name[0] && name[0] <= '9' || r.interpolation(i+2) && r.is(i+1, "#", "@") && r.tokens[i+1].start == r.tokens[i].end {
				continue
			}
			kind := Selector
			if mixin || r.is(i-1, "%") {
				kind = Mixin
			}
			r.once(kind, name, i, first, closed, r.span(first, open-1))
			if r.is(i-1, ".") {
				last = name
			}
		case joined && r.kind(i) == wordToken && r.is(i-1, "&") && around != "": // &__part, &-part
			name := around + r.text(i)
			r.once(Selector, name, i, first, closed, r.span(first, open-1))
			last = name
		}
	}
	return last
}

// declaration reads what ends with a semicolon: a property, a variable, an
// import, a use of a mixin.
func (r *cssReader) declaration(i, end int) {
	if i >= end {
		return
	}
	name := r.text(i + 1)
	switch {
	case r.kind(i) == wordToken && strings.HasPrefix(r.text(i), "--") && r.is(i+1, ":"):
		r.once(Variable, r.text(i), i, i, end-1, r.span(i, end-1))
	case r.is(i, "$") && r.is(i+2, ":") && r.kind(i+1) == wordToken:
		if r.from < 0 {
			r.once(Variable, "$"+name, i, i, end-1, r.span(i, end-1))
		}
		i += 2
	case r.is(i, "@") && r.is(i+2, ":") && r.file.Lang == "less":
		if r.from < 0 {
			r.once(Variable, "@"+name, i, i, end-1, r.span(i, end-1))
		}
		i += 2
	case r.is(i, "@") && r.is(i+1, "import", "use", "forward", "config", "plugin", "reference"):
		r.imports(i+1, end)
		return
	case r.is(i, "@") && r.is(i+1, "include") && r.kind(i+2) == wordToken:
		i = r.included(i+2, end)
	case r.is(i, "@") && r.is(i+1, "extend") && r.kind(i+3) == wordToken:
		r.mention(References, r.text(i+3), "", i+3)
		return
	case r.is(i, ".") && r.file.Lang == "less" && r.kind(i+1) == wordToken:
		r.mention(Calls, name, "", i+1)
	}
	r.values(i, end)
}

// included reads @include a or @include module.a.
func (r *cssReader) included(i, end int) int {
	if r.is(i+1, ".") && r.kind(i+2) == wordToken && i+2 < end {
		i += 2
	}
	r.used(Calls, r.text(i), i)
	return i + 1
}

// used tells the use of a name at token i, of a module where one stands
// before it. The names of modules are the file's own, so what is found through
// one is found in what the file imports.
func (r *cssReader) used(rel, name string, i int) {
	if r.is(i-1, ".") && r.kind(i-2) == wordToken {
		if ours, ok := r.modules[r.text(i-2)]; !ok || !ours {
			return
		}
	}
	r.mention(rel, name, "", i)
}

// imports reads the paths of @import, @use and @forward, and the name that
// @use gives its module.
func (r *cssReader) imports(word, end int) {
	for i := word + 1; i < end; i++ {
		path := ""
		switch {
		case r.kind(i) == textToken:
			path = r.bare(i)
		case r.is(i, "("):
			i = r.pair(i, end)
		case strings.HasPrefix(r.text(i), "url("):
			path = strings.Trim(r.text(i)[len("url("):], `"') `)
		}
		if path == "" || strings.Contains(path, "//") {
			continue
		}
		imp := Import{Path: path, Line: r.line(i), Export: r.is(word, "forward")}
		name := strings.TrimPrefix(path[strings.LastIndexAny(path, "/:")+1:], "_")
		if r.is(i+1, "as") && r.kind(i+2) == wordToken {
			imp.Alias, name = r.text(i+2), r.text(i+2)
		}
		if r.modules[name] = !strings.Contains(path, ":"); r.modules[name] {
			r.bring(imp)
		}
	}
}

// values tells the variables and functions that a value uses.
func (r *cssReader) values(i, end int) {
	for ; i < end; i++ {
		switch {
		case r.is(i, "var") && r.is(i+1, "(") && r.kind(i+2) == wordToken:
			r.mention(References, r.text(i+2), "", i+2)
		case r.is(i, "$") && r.kind(i+1) == wordToken && i+1 < end:
			r.used(References, "$"+r.text(i+1), i)
			i++
		case r.is(i, "@") && r.file.Lang == "less" && r.kind(i+1) == wordToken && i+1 < end:
			r.mention(References, "@"+r.text(i+1), "", i+1)
			i++
		case r.kind(i) == wordToken && r.is(i+1, "(") && r.file.Lang == "scss" && !cssFunctions[r.text(i)]:
			r.used(Calls, r.text(i), i)
		}
	}
}

// cssFunctions are those that the language has itself.
var cssFunctions = names(`attr calc clamp color-mix counter cubic-bezier env fit-content format hsl hsla image-set inset lab lch linear-gradient
	local matrix max min minmax not is where has nth-child nth-last-child nth-of-type oklch perspective polygon radial-gradient
	repeating-linear-gradient repeat rgb rgba rotate rotateX rotateY rotateZ scale scaleX scaleY scale3d skew steps translate translateX
	translateY translateZ translate3d url var blur brightness contrast drop-shadow grayscale saturate sepia invert opacity layer supports
	conic-gradient circle ellipse path if and or lighten darken mix percentage round floor ceil map-get map-merge nth length unquote quote
	type-of unit index append join lang dir host slotted first-child last-child`)
