package resolve

import (
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// methods finds the methods of a name in a class or what it extends: those
// that can be called so, or else all. args is as package extract writes it,
// "" for any.
func (j *javaFamily) methods(class Ref, name, args string, above bool) []Ref {
	types, told := arguments(args)
	fitting := j.heritage.among(class, name, above, func(r Ref) bool {
		d := j.w.def(r)
		return isJavaMethod(d.Kind) && (!told || takes(d, types))
	})
	if len(fitting) > 0 {
		return best(j.w, fitting, types)
	}
	if len(types) == 0 && strings.Contains(j.w.def(class).Signature, "record ") { // reads a part
		part := slices.DeleteFunc(j.w.members(class, name), func(r Ref) bool { return j.w.def(r).Kind != extract.Field })
		if len(part) > 0 {
			return part
		}
	}
	return j.heritage.among(class, name, above, func(r Ref) bool { return isJavaMethod(j.w.def(r).Kind) })
}

// fitting keeps the methods that can be called so, or else all methods.
func (j *javaFamily) fitting(refs []Ref, args string) []Ref {
	types, told := arguments(args)
	refs = slices.DeleteFunc(refs, func(r Ref) bool { return !isJavaMethod(j.w.def(r).Kind) })
	if !told {
		return refs
	}
	var out []Ref
	for _, r := range refs {
		if takes(j.w.def(r), types) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return refs
	}
	return best(j.w, out, types)
}

// arguments splits "(String, ?)".
func arguments(args string) (types []string, told bool) {
	if len(args) < 2 || args[0] != '(' {
		return nil, false
	}
	inner, ok := strings.CutSuffix(args[1:], ")")
	if !ok {
		return nil, false
	}
	if inner == "" {
		return nil, true
	}
	return strings.Split(inner, ", "), true
}

// best chooses among methods of one name those whose parameters have the
// arguments' very types most often.
func best(w *workspace, refs []Ref, types []string) []Ref {
	if len(refs) < 2 {
		return refs
	}
	most := -1
	var out []Ref
	for _, r := range refs {
		params, _, ok := parameters(w.def(r))
		if !ok {
			return refs
		}
		n := 0
		for i, t := range types {
			if i < len(params) && t == params[i] {
				n++
			}
		}
		switch {
		case n > most:
			most, out = n, []Ref{r}
		case n == most:
			out = append(out, r)
		}
	}
	return out
}

// takes reports whether a method can be called with arguments of these types,
// as far as its signature tells.
func takes(d *extract.Definition, types []string) bool {
	params, variadic, ok := parameters(d)
	switch {
	case !ok:
		return true
	case variadic:
		return len(types) >= len(params)-1
	case len(types) != len(params):
		return false
	}
	for i, t := range types {
		if as, closed := javaFits[t]; closed && !as[params[i]] && len(params[i]) > 1 { // T: a type parameter by custom
			return false
		}
	}
	return true
}

// parameters gives the types of a method's parameters, without what they are
// made of; ok is false when the signature was cut.
func parameters(d *extract.Definition) (types []string, variadic, ok bool) {
	i := strings.Index(d.Signature, d.Name+"(")
	if i < 0 {
		return nil, false, false
	}
	list := d.Signature[i+len(d.Name)+1:]
	depth, start := 0, 0
	for k := 0; k < len(list); k++ {
		switch list[k] {
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			if depth--; depth < 0 {
				if one := strings.TrimSpace(list[start:k]); one != "" {
					types = append(types, parameterType(one))
				}
				return types, strings.Contains(list[:k], "..."), true
			}
		case ',':
			if depth == 0 {
				types = append(types, parameterType(list[start:k]))
				start = k + 1
			}
		}
	}
	return nil, false, false
}

// parameterType is "Map" of `@Nullable final Map<K, V> name`.
func parameterType(text string) string {
	if i := strings.IndexByte(text, '<'); i >= 0 {
		text = text[:i] + " name"
	}
	words := strings.Fields(text)
	if len(words) < 2 {
		return ""
	}
	return words[len(words)-2]
}

// javaFits holds what a value of a type that nothing extends can be passed
// as.
var javaFits = map[string]map[string]bool{
	"String":  wordSet("String Object CharSequence Comparable Serializable Constable"),
	"Class":   wordSet("Class Object Type Serializable AnnotatedElement GenericDeclaration TypeDescriptor OfField"),
	"boolean": wordSet("boolean Boolean Object Comparable Serializable"),
	"char":    wordSet("char Character Object Comparable Serializable int long float double"),
	"int":     wordSet("int Integer Number Object Comparable Serializable long float double byte short char"),
	"long":    wordSet("long Long Number Object Comparable Serializable float double"),
	"double":  wordSet("double Double Number Object Comparable Serializable"),
}
