package resolve

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A javaParam is the type of a parameter or of an argument.
type javaParam struct {
	kind     javaParamKind
	text     string     // as written, without what it is made of
	at       Ref        // of javaOwn
	variadic bool       // T...
	of       *javaParam // T of T[]
}

type javaParamKind uint8

const (
	javaAny       javaParamKind = iota // not known
	javaOwn                            // a class of the workspace
	javaOther                          // a class of elsewhere
	javaPrimitive                      // int, boolean, …
	javaArray                          // T[]
	javaVariable                       // a type parameter
	javaNull                           // the argument null
	javaLambda                         // a lambda or method reference as an argument
)

// A fitness says whether an argument can be passed as a parameter.
type fitness int8

const (
	never fitness = iota
	maybe
	always
)

// parameters gives the types of a method's parameters; ok is false when its
// signature was cut.
func (j *javaFamily) parameters(r Ref) (params []javaParam, variadic, ok bool) {
	known, done := j.params[r]
	if !done {
		if texts, whole := parameters(j.w.def(r)); whole {
			known = make([]javaParam, len(texts))
			for i, t := range texts {
				known[i] = j.parameter(r, t)
			}
		}
		j.params[r] = known
	}
	return known, len(known) > 0 && known[len(known)-1].variadic, known != nil
}

func (j *javaFamily) parameter(method Ref, text string) javaParam {
	for _, end := range [...]string{"...", "[]"} {
		if t, ok := strings.CutSuffix(text, end); ok {
			of := j.parameter(method, t)
			return javaParam{kind: javaArray, text: t + "[]", variadic: end == "...", of: &of}
		}
	}
	if bound, variable := j.bound(method, text); variable && bound == "" {
		return javaParam{kind: javaVariable, text: text}
	} else if variable {
		text = bound
	}
	return j.typeOf(Ref{method.Unit, j.w.parent(method)}, text)
}

// typeOf is what a type means as seen from a definition.
func (j *javaFamily) typeOf(from Ref, text string) javaParam {
	switch {
	case text == "":
		return javaParam{}
	case strings.HasSuffix(text, "[]"):
		of := j.typeOf(from, strings.TrimSuffix(text, "[]"))
		return javaParam{kind: javaArray, text: text, of: &of}
	case javaWidens[text] != nil:
		return javaParam{kind: javaPrimitive, text: text}
	}
	m := j.typed(from, text, maxSteps)
	_, last := cutPath(text)
	switch {
	case m.kind == javaType:
		return javaParam{kind: javaOwn, text: last, at: m.at}
	case m.kind == javaForeign || !j.names[last]:
		return javaParam{kind: javaOther, text: last}
	}
	return javaParam{text: last}
}

// argument is the type of a call's argument, as package extract writes it.
func (j *javaFamily) argument(from Ref, text string) javaParam {
	switch text {
	case "?":
		return javaParam{}
	case "null":
		return javaParam{kind: javaNull}
	case "->":
		return javaParam{kind: javaLambda}
	}
	if expr, ok := strings.CutPrefix(text, "="); ok {
		m := j.value(from, expr, maxSteps)
		switch {
		case m.kind == javaInstance:
			return javaParam{kind: javaOwn, text: j.w.def(m.at).Name, at: m.at}
		case m.kind == javaForeign && m.path != "":
			return j.typeOf(m.at, m.path)
		}
		return fromLibrary(expr)
	}
	return j.typeOf(from, text)
}

// fromLibrary is what some calls of the library give, whatever they are
// called on.
func fromLibrary(expr string) javaParam {
	owner, name := cutPath(expr)
	_, of := cutPath(owner)
	switch {
	case name == "valueOf(_)" && (javaClosed(of) || of == "BigDecimal" || of == "BigInteger"):
		return javaParam{kind: javaOther, text: of}
	case name == "toString()" || name == "substring(_)" || name == "substring(_,_)":
		return javaParam{kind: javaOther, text: "String"}
	case name == "getClass()":
		return javaParam{kind: javaOther, text: "Class"}
	case name == "MAX_VALUE" || name == "MIN_VALUE" || name == "NaN" || name == "POSITIVE_INFINITY" || name == "NEGATIVE_INFINITY":
		for primitive, box := range javaBoxes {
			if box == of {
				return javaParam{kind: javaPrimitive, text: primitive}
			}
		}
	case name == "size()" || name == "length()" || name == "hashCode()" || name == "intValue()":
		return javaParam{kind: javaPrimitive, text: "int"}
	case name == "longValue()":
		return javaParam{kind: javaPrimitive, text: "long"}
	case name == "doubleValue()":
		return javaParam{kind: javaPrimitive, text: "double"}
	}
	return javaParam{}
}

// bound says whether a method or a class around it has a type parameter of
// that name, and what it extends, if anything.
func (j *javaFamily) bound(method Ref, name string) (bound string, variable bool) {
	for r := range j.w.enclosing(method) {
		d := j.w.def(r)
		text, before := d.Signature, d.Name+"<"
		if isCallable(d.Kind) {
			text, _, _ = strings.Cut(text, d.Name+"(")
			before = "<"
		}
		if _, list, ok := strings.Cut(text, before); ok {
			if bound, variable = boundOf(list, name); variable {
				return bound, true
			}
		}
	}
	return "", false
}

// boundOf looks for a name among type parameters: "K, V extends A<B>>".
func boundOf(list, name string) (bound string, variable bool) {
	depth, start := 0, 0
	for i := 0; i < len(list) && depth >= 0; i++ {
		switch list[i] {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth < 0 || depth == 0 && list[i] == ',' {
			words := strings.FieldsFunc(list[start:i], func(c rune) bool { return c == ' ' || c == '<' || c == '&' })
			switch {
			case len(words) > 2 && words[0] == name && words[1] == "extends" && words[2] != name:
				return words[2], true
			case len(words) > 0 && words[0] == name:
				return "", true
			}
			start = i + 1
		}
	}
	return "", false
}

// parameters splits the types of a method's parameters off its signature;
// ok is false when that was cut.
func parameters(d *extract.Definition) (types []string, ok bool) {
	i := strings.Index(d.Signature, d.Name+"(")
	if i < 0 {
		return nil, false
	}
	list := d.Signature[i+len(d.Name)+1:]
	types = []string{}
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
				return types, true
			}
		case ',':
			if depth == 0 {
				types = append(types, parameterType(list[start:k]))
				start = k + 1
			}
		}
	}
	return nil, false
}

// parameterType is "Map" of `@Nullable final Map<K, V> name`, "T[]" of
// `T[] name` and of `T name[]`, "T..." of `T... name`.
func parameterType(text string) string {
	array := ""
	switch {
	case strings.Contains(text, "..."):
		array = "..."
	case strings.Contains(text, "[]"), strings.Contains(text, "[ ]"):
		array = "[]"
	}
	text = strings.NewReplacer("...", " ", "[]", " ", "[ ]", " ").Replace(text)
	if i := strings.IndexByte(text, '<'); i >= 0 {
		text = text[:i] + " name"
	}
	words := strings.Fields(text)
	if len(words) < 2 {
		return ""
	}
	return words[len(words)-2] + array
}
