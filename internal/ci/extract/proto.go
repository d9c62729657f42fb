package extract

import (
	"strings"
)

// A protoReader turns a Protobuf file into a File.
type protoReader struct{ *lexReader }

func parseProto(c *collector) error {
	r := &protoReader{newLexReader(c, lexis{comments: "//", blocks: true, texts: `"'`, escapes: true, single: true, inWord: "."})}
	c.file.Doc = r.head()
	for i := 0; i < len(r.tokens); {
		i = r.statement(i, len(r.tokens), -1)
	}
	return nil
}

// protoBlocks maps the words that open a named block to what they define.
var protoBlocks = map[string]Kind{"message": Class, "enum": Enum, "service": Interface, "group": Class, "oneof": Field}

// statement reads one statement of a file or message and returns where the
// next one begins.
func (r *protoReader) statement(i, limit, parent int) int {
	end := r.semicolon(i, limit)
	switch {
	case r.is(i, "package") && parent < 0 && r.is(i+2, ";"):
		r.file.Module = clip(r.text(i+1), maxName)
	case r.is(i, "import") && parent < 0:
		path := i + 1
		public := r.is(path, "public")
		if r.kind(path) == wordToken {
			path++
		}
		if r.kind(path) == textToken {
			r.bring(Import{Path: r.bare(path), Line: r.line(path), Export: public})
		}
	case r.is(i, "message", "enum", "service", "oneof") && r.kind(i+1) == wordToken && r.is(i+2, "{"):
		return r.block(i, i+1, i+2, limit, parent)
	case r.is(i, "extend") && r.kind(i+1) == wordToken && r.is(i+2, "{"):
		return r.extend(i, limit, parent)
	case r.is(i, "rpc") && r.kind(i+1) == wordToken:
		return r.call(i, end, limit, parent)
	case r.is(i, "option", "reserved", "extensions", "syntax", "edition", ";", "}"):
	case parent >= 0 && r.file.Definitions[parent].Kind == Enum:
		if r.kind(i) == wordToken && r.is(i+1, "=") {
			r.declare(parent, EnumCase, r.text(i), i, i, end-1, r.span(i, end-1))
		}
	case parent >= 0:
		return r.field(i, end, limit, parent)
	}
	return end
}

// semicolon is where a statement ends that begins at i: behind its semicolon
// or its block.
func (r *protoReader) semicolon(i, limit int) int {
	for ; i < limit; i++ {
		switch {
		case r.is(i, ";"):
			return i + 1
		case r.is(i, "{"):
			i = r.pair(i, limit)
			if !r.is(i+1, ";") {
				return i + 1
			}
		case r.is(i, "["), r.is(i, "("):
			i = r.pair(i, limit)
		case r.is(i, "}"):
			return i + 1
		}
	}
	return limit
}

// block reads a message, enum, service or oneof.
func (r *protoReader) block(first, name, open, limit, parent int) int {
	closed := r.pair(open, limit)
	i := r.declare(parent, protoBlocks[strings.ToLower(r.text(first))], r.text(name), name, first, closed, r.span(first, name))
	inner := i
	if r.is(first, "oneof") && parent >= 0 {
		inner = parent // its fields are the message's
	}
	r.within(inner, func() {
		for j := open + 1; j < closed; {
			j = r.statement(j, closed, inner)
		}
	})
	return closed + 1
}

// extend reads the fields that are added to a message of somewhere else.
func (r *protoReader) extend(i, limit, parent int) int {
	r.reference(References, i+1)
	closed := r.pair(i+2, limit)
	for j := i + 3; j < closed; {
		if end := r.semicolon(j, closed); r.is(j, "option", ";") {
			j = end
		} else {
			j = r.field(j, end, closed, parent)
		}
	}
	return closed + 1
}

// call reads one call of a service.
func (r *protoReader) call(i, end, limit, parent int) int {
	head := i + 1
	for head < end-1 && !r.is(head+1, ";", "{") {
		head++
	}
	d := r.declare(parent, Method, r.text(i+1), i+1, i, end-1, r.span(i, head))
	r.within(d, func() {
		for j := i + 2; j <= head; j++ {
			if r.is(j, "(") {
				if j++; r.is(j, "stream") && r.kind(j+1) == wordToken {
					j++
				}
				r.reference(References, j)
			}
		}
	})
	return end
}

// protoScalars are the types that the language has itself.
var protoScalars = names(`double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes`)

// field reads a field: label, type, name, number.
func (r *protoReader) field(i, end, limit, parent int) int {
	first := i
	for r.is(i, "optional", "required", "repeated") && !r.is(i+1, "=") {
		i++
	}
	typ := i
	switch {
	case r.is(i, "map") && r.is(i+1, "<"):
		for i < end && !r.is(i, ">") {
			if r.is(i, ",") {
				typ = i + 1
			}
			i++
		}
		i++
	case r.is(i, "group") && r.is(i+2, "="):
		for open := i; open < end; open++ {
			if r.is(open, "{") {
				return r.block(i, i+1, open, limit, parent)
			}
		}
	default:
		i++
	}
	if r.kind(i) != wordToken || !r.is(i+1, "=") || r.kind(typ) != wordToken {
		return end
	}
	d := r.declare(parent, Field, r.text(i), i, first, end-1, r.span(first, end-1))
	r.within(d, func() { r.reference(References, typ) })
	return end
}

// reference tells the use of a type.
func (r *protoReader) reference(rel string, i int) {
	if r.kind(i) != wordToken || protoScalars[r.text(i)] {
		return
	}
	qualifier, name := cutLast(r.text(i))
	r.mention(rel, name, qualifier, i)
}
