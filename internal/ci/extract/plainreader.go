package extract

import (
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract/grammar"
)

// A plainReader is what the readers of languages share that tell definitions
// first and uses after, so that a body can be read when all types of fields
// are known.
type plainReader struct {
	*treeReader
	todo   []pending
	others []grammar.Node // readings of a broken file that did not count
}

// A pending is a body that is still to be read.
type pending struct {
	from  int
	class string
	read  func()
}

// newPlainReader parses the file. A text that a grammar stumbles over is
// given to it again as each of easier makes it, one after the other, and the
// reading with the least trouble counts; they must keep the text's length.
func newPlainReader(c *collector, lang grammar.Language, easier ...func([]byte) []byte) (*plainReader, error) {
	t, err := newTreeReader(c, lang)
	if err != nil {
		return nil, err
	}
	r := &plainReader{treeReader: t}
	src := c.src
	for _, ease := range easier {
		if !c.file.Broken {
			break
		}
		if src = ease(src); len(src) != len(c.src) {
			break
		}
		again, err := grammar.Parse(lang, src, limitOf(src)/4)
		if err != nil {
			break
		}
		again.Over(c.src)
		worse := again.Root()
		if again.Trouble() < t.root.Tree().Trouble() {
			worse, t.root = t.root, worse
			c.file.Broken = again.Broken()
		}
		r.others = append(r.others, worse)
	}
	if !c.file.Broken {
		r.others = nil
	}
	return r, nil
}

// later reads something as part of definition i, once all definitions are
// known.
func (r *plainReader) later(i int, read func()) {
	r.todo = append(r.todo, pending{i, r.class, read})
}

// bodies reads what waits, and what waits behind that.
func (r *plainReader) bodies() {
	for len(r.todo) > 0 {
		p := r.todo[0]
		r.todo = r.todo[1:]
		class := r.class
		r.class = p.class
		r.push()
		r.within(p.from, p.read)
		r.pop()
		r.class = class
	}
}

// in reads what stands in definition i, which is a type.
func (r *plainReader) in(i int, read func()) {
	class := r.class
	if i >= 0 {
		r.class = r.file.Definitions[i].Qualified()
	}
	read()
	r.class = class
}

// variable is what the file tells of a name that stands alone: of a local
// one, of a field of the classes around, of a variable of the file.
func (r *plainReader) variable(name string) (v value, known bool) {
	if v, ok := r.lookup(name); ok {
		return v, true
	}
	for class := r.class; class != ""; class, _ = cutLast(class) {
		if v, ok := r.fields[class][name]; ok {
			return v, true
		}
	}
	v, known = r.fields[""][name]
	return v, known
}

// call tells a call of name on an object: "" for none. v is what the object
// is known to be; local says that it begins with a local name.
func (r *plainReader) call(name grammar.Node, text, object string, v value, local bool) {
	if object == "" && r.local(text) {
		return
	}
	r.refer(Reference{From: r.from, Relation: Calls, Name: text, Line: name.Line(),
		Qualifier: object, Type: v.typ, Via: v.via, Local: local && v == (value{})})
}

// documented yields the named children of a node that are no comments, each
// with the text of the comment that belongs to it: the one right above, or
// the one behind it on its line.
func documented(n grammar.Node, comments ...string) func(yield func(grammar.Node, string) bool) {
	return func(yield func(grammar.Node, string) bool) {
		var above []grammar.Node
		line := 0
		for c := range n.Children() {
			if c.Is(comments...) {
				if c.Line() != line {
					above = append(above, c)
				}
				continue
			}
			doc := blockDoc(c, above)
			if doc == "" && !c.Get("body").Ok() {
				doc = docBehind(c, comments)
			}
			if !yield(c, doc) {
				return
			}
			above = above[:0]
			line = c.EndLine()
		}
	}
}

// docBehind is the first sentence of a comment on the line that a node ends
// on.
func docBehind(n grammar.Node, comments []string) string {
	for c := n.Next(); c.Ok() && c.Line() == n.EndLine(); c = c.Next() {
		if c.Is(comments...) {
			return firstSentence(plainJavadoc(uncommentMember(clip(c.Text(), 16*maxDoc))))
		}
		if c.Named() {
			return ""
		}
	}
	return ""
}

// uncommentMember removes the mark "<" with which a comment says that it is
// about what stands before it.
func uncommentMember(raw string) string {
	return strings.TrimSpace(strings.TrimPrefix(uncomment(raw), "<"))
}

// blockDoc is the first sentence of the comments right above a node.
func blockDoc(n grammar.Node, comments []grammar.Node) string {
	if len(comments) == 0 {
		return ""
	}
	last := comments[len(comments)-1]
	var text string
	switch {
	case !strings.HasPrefix(last.Text(), "/*"):
		text = commentsAbove(n, comments)
	case last.EndLine() < n.Line()-1:
		return ""
	default:
		text = uncomment(clip(last.Text(), 16*maxDoc))
	}
	if legal(text) && !strings.HasPrefix(last.Text(), "/**") {
		return ""
	}
	if _, after, ok := strings.Cut(text, "<summary>"); ok {
		text, _, _ = strings.Cut(after, "</summary>")
		text = xmlReference.ReplaceAllString(text, "$1")
	}
	text = doxygenBrief.ReplaceAllString(strings.TrimSpace(plainJavadoc(text)), "")
	return firstSentence(cutTags("\n" + text))
}

// doxygenBrief is the mark before the sentence that we look for.
var doxygenBrief = regexp.MustCompile(`^[@\\](?:brief|short|details)\s+`)

// xmlReference is a mention of a name in a comment of XML.
var xmlReference = regexp.MustCompile(`<(?:see|seealso|paramref|typeparamref)\s+\w+="(?:[A-Z]:)?([^"]*)"\s*/>`)

// headDoc is the first sentence of the comment that a file begins with, when
// an empty line or another kind of text is behind it.
func headDoc(root grammar.Node, comments ...string) string {
	for c := range root.Children() {
		if !c.Is(comments...) {
			return ""
		}
		if text := uncomment(clip(c.Text(), 16*maxDoc)); !legal(text) {
			next := c.Next()
			if next.Ok() && next.Line() <= c.EndLine()+1 && !next.Is(comments...) {
				return ""
			}
			return firstSentence(cutTags("\n" + plainJavadoc(text)))
		}
	}
	return ""
}

// headText is the source of a definition from the first of its parts that is
// none of skip, up to an offset.
func headText(n grammar.Node, end int, skip ...string) string {
	start := n.Start()
	for c := range n.All() {
		if !c.Is(skip...) {
			start = c.Start()
			break
		}
	}
	if end <= start {
		end = n.End()
	}
	text := n.Tree().Slice(start, min(end, start+4*maxSignature))
	return strings.TrimRight(strings.TrimSpace(text), " \t\n{=")
}
