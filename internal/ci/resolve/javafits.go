package resolve

import "slices"

// fits says whether a value of type a can be passed as a p, and whether it
// has to be boxed for that.
func (j *javaFamily) fits(a, p javaParam) (f fitness, boxed bool) {
	top := p.kind == javaVariable || p.kind == javaOther && p.text == "Object"
	switch {
	case p.kind == javaAny || a.kind == javaAny && !top:
		return maybe, false
	case a.kind == javaPrimitive:
		return fitsPrimitive(a, p, top)
	case top:
		if a.kind == javaLambda {
			return never, false
		}
		return always, false
	}
	switch a.kind {
	case javaNull:
		return unless(p.kind == javaPrimitive), false
	case javaLambda: // for an interface
		if p.kind == javaOwn && j.w.def(p.at).Kind == "interface" || p.kind == javaOther && !javaClosed(p.text) {
			return maybe, false
		}
		return never, false
	case javaVariable:
		return maybe, false
	case javaArray:
		if p.kind == javaArray {
			return j.fitsArray(*a.of, *p.of), false
		}
		return unless(p.kind != javaOther || javaClosed(p.text)), false
	case javaOwn:
		return j.fitsOwn(a, p), false
	}
	return fitsOther(a.text, p)
}

// fitsArray is fits for arrays of a and p.
func (j *javaFamily) fitsArray(a, p javaParam) fitness {
	if a.kind == javaPrimitive || p.kind == javaPrimitive {
		if a.kind == javaAny {
			return maybe
		}
		return unless(a.kind != p.kind || a.text != p.text)
	}
	f, _ := j.fits(a, p)
	return f
}

func unless(wrong bool) fitness {
	if wrong {
		return never
	}
	return always
}

func fitsPrimitive(a, p javaParam, top bool) (f fitness, boxed bool) {
	switch {
	case p.kind == javaPrimitive:
		return unless(!javaWidens[a.text][p.text]), false
	case top:
		return always, true
	case p.kind == javaOther:
		return unless(!javaFits[javaBoxes[a.text]][p.text]), true
	}
	return never, false
}

// fitsOwn is fits for a class of the workspace.
func (j *javaFamily) fitsOwn(a, p javaParam) fitness {
	switch {
	case p.kind == javaOwn:
		return unless(!j.heritage.extends(a.at, p.at))
	case p.kind != javaOther || javaClosed(p.text):
		return never
	case j.states(a.at, p.text):
		return always
	case j.heritage.partly(a.at) || j.w.def(a.at).Kind != "class":
		return maybe
	}
	return never
}

// states reports whether a class says, itself or further up, that it extends
// something of that name.
func (j *javaFamily) states(class Ref, base string) bool {
	seen := make(map[Ref]bool)
	var look func(Ref) bool
	look = func(c Ref) bool {
		if seen[c] {
			return false
		}
		seen[c] = true
		for _, b := range j.heritage.stated[c] {
			if b.Name == base {
				return true
			}
		}
		return slices.ContainsFunc(j.heritage.of(c), look)
	}
	return look(class)
}

// fitsOther is fits for a class of elsewhere. It extends nothing of the
// workspace.
func fitsOther(a string, p javaParam) (f fitness, boxed bool) {
	switch {
	case p.kind == javaPrimitive:
		for primitive, box := range javaBoxes {
			if box == a {
				return unless(!javaWidens[primitive][p.text]), true
			}
		}
		return never, false
	case p.kind != javaOther:
		return never, false
	case a == p.text || javaFits[a][p.text]:
		return always, false
	case javaFits[a] != nil || javaClosed(p.text):
		return never, false
	}
	return maybe, false
}

// javaClosed reports whether nothing extends a class of the library.
func javaClosed(name string) bool {
	switch name {
	case "String", "Class", "Boolean", "Character", "Byte", "Short", "Integer", "Long", "Float", "Double":
		return true
	}
	return false
}

// javaFits holds what a value of some types of the library can be passed as,
// beside an Object.
var javaFits = map[string]map[string]bool{
	"String":        wordSet("String CharSequence Comparable Serializable Constable"),
	"Class":         wordSet("Class Type Serializable AnnotatedElement GenericDeclaration TypeDescriptor OfField"),
	"Boolean":       wordSet("Boolean Comparable Serializable"),
	"Character":     wordSet("Character Comparable Serializable"),
	"Byte":          wordSet("Byte Number Comparable Serializable"),
	"Short":         wordSet("Short Number Comparable Serializable"),
	"Integer":       wordSet("Integer Number Comparable Serializable Constable"),
	"Long":          wordSet("Long Number Comparable Serializable Constable"),
	"Float":         wordSet("Float Number Comparable Serializable Constable"),
	"Double":        wordSet("Double Number Comparable Serializable Constable"),
	"StringBuilder": wordSet("StringBuilder CharSequence Appendable Comparable Serializable"),
	"StringReader":  wordSet("StringReader Reader Readable Closeable AutoCloseable"),
	"StringWriter":  wordSet("StringWriter Writer Appendable Flushable Closeable AutoCloseable"),
	"List":          wordSet("List Collection Iterable SequencedCollection"),
	"Set":           wordSet("Set Collection Iterable"),
	"Collection":    wordSet("Collection Iterable"),
	"Map":           wordSet("Map"),
	"Type":          wordSet("Type"),
}

var javaBoxes = map[string]string{
	"boolean": "Boolean", "char": "Character", "byte": "Byte", "short": "Short",
	"int": "Integer", "long": "Long", "float": "Float", "double": "Double",
}

// javaWidens holds what a primitive value can be passed as without a box.
var javaWidens = map[string]map[string]bool{
	"boolean": wordSet("boolean"),
	"char":    wordSet("char int long float double"),
	"byte":    wordSet("byte short int long float double"),
	"short":   wordSet("short int long float double"),
	"int":     wordSet("int long float double"),
	"long":    wordSet("long float double"),
	"float":   wordSet("float double"),
	"double":  wordSet("double"),
}
