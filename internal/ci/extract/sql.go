package extract

import (
	"bytes"
	"regexp"
	"strings"
)

// A sqlReader finds what the statements of an SQL file create, in whatever
// dialect: statements are told by their words, so that one that nobody has
// heard of costs nothing.
type sqlReader struct {
	*lexReader
	mysql bool
}

var (
	sqlDelimiter = regexp.MustCompile(`(?mi)^[ \t]*delimiter[ \t]+\S+`)
	sqlMySQL     = regexp.MustCompile("(?i)`|\\bengine[ \t]*=|\\bauto_increment\\b")
	sqlCopy      = regexp.MustCompile(`(?mi)^copy [^;\n]*\bfrom stdin[^;\n]*;[^\n]*\n`)
	sqlDo        = regexp.MustCompile(`(?i)\bdo\s+(?:language\s+\w+\s+)?(\$\w*\$)`)
	// sqlVersioned is what MySQL's tools write around words for some versions
	// only.
	sqlVersioned = regexp.MustCompile(`/\*![0-9]*`)
)

func parseSQL(c *collector) error {
	src := sqlPlain(c.src)
	r := &sqlReader{mysql: sqlMySQL.Match(src) || sqlDelimiter.Match(src)}
	l := lexis{comments: "--", blocks: true, texts: "'", names: "\"`[", doubled: true, made: true, escapes: r.mysql, dollars: !sqlDelimiter.Match(src)}
	if r.mysql {
		l.comments = "-- #"
	}
	r.lexReader = &lexReader{collector: c, lexed: lex(src, l), from: -1}
	c.file.Broken = r.broken
	c.file.Doc = r.head()
	for i := 0; i < len(r.tokens); {
		i = r.statement(i)
	}
	return nil
}

// sqlPlain takes out what is no SQL: rows that a COPY brings, and the marks
// around statements that run at once or are for some versions only. Lines and
// offsets stay.
func sqlPlain(src []byte) []byte {
	copied := false
	own := func() {
		if !copied {
			src, copied = bytes.Clone(src), true
		}
	}
	for _, m := range sqlCopy.FindAllIndex(src, -1) {
		end := bytes.Index(src[m[1]-1:], []byte("\n\\."))
		if end < 0 {
			break
		}
		own()
		blank(src[m[1]:min(len(src), m[1]-1+end+3)])
	}
	at := 0
	for _, m := range sqlDo.FindAllSubmatchIndex(src, -1) { // statements that run at once
		if m[0] < at {
			continue
		}
		end := bytes.Index(src[m[3]:], src[m[2]:m[3]])
		if end < 0 {
			break
		}
		own()
		at = m[3] + end + m[3] - m[2]
		blank(src[m[2]:m[3]])
		blank(src[m[3]+end : at])
	}
	if bytes.Contains(src, []byte("/*!")) {
		own()
		at := 0
		for _, m := range sqlVersioned.FindAllIndex(src, -1) {
			if m[0] < at {
				continue
			}
			end := bytes.Index(src[m[1]:], []byte("*/"))
			if end < 0 {
				break
			}
			at = m[1] + end
			blank(src[m[0]:m[1]])
			blank(src[at : at+2])
		}
	}
	return src
}

// sqlObjects maps the word after CREATE to what it creates.
var sqlObjects = map[string]Kind{
	"table": Table, "view": View, "index": Index, "function": Function, "procedure": Function, "proc": Function, "aggregate": Function,
	"trigger": Trigger, "type": Type, "domain": Type, "sequence": Sequence, "schema": Namespace, "database": Namespace,
	"policy": Policy, "event": Trigger, "package": Namespace,
}

// sqlModifiers may stand between CREATE and what is created.
var sqlModifiers = names(`or replace alter global local temp temporary unlogged unique concurrently materialized recursive constraint
	aggregate definer algorithm sql security invoker undefined merge temptable fulltext spatial virtual foreign external clustered
	nonclustered editionable noneditionable force public hypertable = @ . current_user ( )`)

// statement reads one statement and returns where the next one begins.
func (r *sqlReader) statement(i int) int {
	switch {
	case r.is(i, "create"):
		if end, ok := r.create(i); ok {
			return end
		}
	case r.is(i, "alter", "into", "update", "from", "join", "call", "references"):
		return r.uses(i)
	}
	return i + 1
}

// create reads a CREATE statement.
func (r *sqlReader) create(at int) (end int, ok bool) {
	i := at + 1
	for i < at+16 && sqlModifiers[strings.ToLower(r.text(i))] || r.kind(i) == nameToken && i < at+16 {
		if r.is(i, "aggregate") && !r.is(i+1, "function") {
			break
		}
		i++
	}
	word := strings.ToLower(r.text(i))
	if r.is(i, "event") && r.is(i+1, "trigger") {
		i++
	}
	kind, ok := sqlObjects[word]
	if !ok || r.kind(i) != wordToken {
		return 0, false
	}
	i++
	for r.is(i, "if", "not", "exists", "concurrently", "body") {
		i++
	}
	if kind == Index && r.is(i, "on") || word == "schema" && r.is(i, "authorization") {
		return 0, false
	}
	qualifier, name, next := r.name(i)
	if name == "" {
		return 0, false
	}
	end = r.end(next, kind)
	d := r.declare(-1, kind, name, next-1, at, end-1, r.sqlHead(at, next, end, kind == Function))
	r.file.Definitions[d].Container = clip(qualifier, maxName)
	r.within(d, func() { r.inside(d, kind, next, end) })
	return end, true
}

// name reads a name with what it is qualified by. Templates of other tools
// in front of it say nothing.
func (r *sqlReader) name(i int) (qualifier, name string, next int) {
	var parts []string
	for {
		switch {
		case r.kind(i) == holeToken, r.kind(i) == nameToken && strings.Contains(r.text(i), "{{"):
		case r.kind(i) == wordToken || r.kind(i) == nameToken:
			parts = append(parts, r.bare(i))
		default:
			return "", "", i
		}
		i++
		if !r.is(i, ".") {
			break
		}
		i++
	}
	if len(parts) == 0 {
		return "", "", i
	}
	if len(parts) > 1 && strings.EqualFold(parts[0], "public") { // where names without a schema are, too
		parts = parts[1:]
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], "."), parts[last], i
}

// sqlHead is what a statement says of itself: all up to a body. The columns
// of a table are definitions of their own.
func (r *sqlReader) sqlHead(from, name, end int, arguments bool) string {
	to := name
	for to < end && !r.is(to, ";", "as", "begin", "returns") && r.kind(to) != textToken {
		if r.is(to, "(") {
			if !arguments && to == name {
				break
			}
			to = r.pair(to, end)
		}
		to++
	}
	return r.span(from, max(name, to)-1)
}

// end is where a statement ends: behind its semicolon, which those inside a
// body between BEGIN and END are not.
func (r *sqlReader) end(i int, kind Kind) int {
	depth := 0
	body := kind == Function || kind == Trigger
	for ; i < len(r.tokens); i++ {
		switch {
		case r.is(i, "(") && r.tokens[i].pair > 0:
			i = r.pair(i, len(r.tokens))
		case body && r.is(i, "begin", "case"):
			if !r.is(i-1, "end") {
				depth++
			}
		case body && r.is(i, "end") && !r.is(i+1, "if", "loop", "while", "repeat", "for"):
			depth = max(0, depth-1)
		case r.is(i, ";") && depth == 0:
			return i + 1
		case depth == 0 && r.is(i, "create") && i > 0 && (r.is(i-1, "go") || r.line(i) > r.endLine(i-1)):
			return i // a statement without its semicolon
		}
	}
	return i
}

// inside reads what a created thing holds and uses.
func (r *sqlReader) inside(d int, kind Kind, i, end int) {
	switch {
	case kind == Table && r.is(i, "("):
		r.columns(d, i+1, r.pair(i, end))
	case kind == Type && r.is(i, "as"):
		open := r.next(i, end, "(")
		for j := i; j < min(i+4, end); j++ {
			if r.is(j, "(") {
				open = j
				break
			}
		}
		if open >= end {
			break
		}
		if r.is(open-1, "enum") {
			for j := open + 1; j < r.pair(open, end); j++ {
				if r.kind(j) == textToken {
					r.declare(d, EnumCase, r.bare(j), j, j, j, r.text(j))
				}
			}
			break
		}
		if r.is(open-1, "as") {
			r.columns(d, open+1, r.pair(open, end))
		}
	}
	for i < end {
		switch {
		case r.is(i, "references", "from", "join", "into", "update", "call", "inherits"),
			r.is(i, "on") && (kind == Index || kind == Trigger || kind == Policy), r.is(i, "of") && kind == Table:
			i = r.uses(i)
			continue
		case r.is(i, "execute") && r.is(i+1, "function", "procedure"):
			if q, name, next := r.name(i + 2); name != "" {
				r.mention(Calls, name, q, i+2)
				i = next
				continue
			}
		case kind == Function && r.kind(i) == textToken && bytes.HasPrefix(r.source[r.tokens[i].start:], []byte("$")):
			r.body(i)
		}
		i++
	}
}

// sqlConstraints begin what stands between a table's columns and is none.
var sqlConstraints = names(`constraint primary foreign unique check key index exclude like fulltext spatial period partition`)

// columns defines the columns of a table.
func (r *sqlReader) columns(table, i, end int) {
	for i < end {
		next := r.next(i, end, ",")
		if k := r.kind(i); (k == wordToken && !sqlConstraints[strings.ToLower(r.text(i))] || k == nameToken) && i+1 <= next {
			r.declare(table, Field, r.bare(i), i, i, next-1, r.span(i, next-1))
		}
		i = next + 1
	}
}

// body reads the uses in the text of a function.
func (r *sqlReader) body(i int) {
	t := r.tokens[i]
	inner := &sqlReader{mysql: r.mysql, lexReader: &lexReader{
		collector: newCollector("sql", "sql", nil), from: -1,
		lexed: lex(r.source[t.start:t.end], lexis{comments: "--", blocks: true, texts: "'", names: "\"`[", doubled: true, made: true}),
	}}
	for j := 0; j < len(inner.tokens); {
		if inner.is(j, "from", "join", "into", "update", "call", "perform") {
			j = inner.uses(j)
		} else {
			j++
		}
	}
	for _, ref := range inner.file.References {
		ref.From = r.from
		ref.Line += int(t.line) - 1
		r.refer(ref)
	}
}

// sqlNoName are words that may follow FROM, ON and the like where a name
// could stand.
var sqlNoName = names(`select lateral only unnest generate_series set table if not exists delete update insert cascade restrict no using
	on of or and as before after instead when where strict each row statement conflict duplicate current_timestamp true false null commit nothing values with stdin begin end the a an schedule`)

// uses reads the name behind a word that a name follows, and returns where to
// read on.
func (r *sqlReader) uses(i int) int {
	word := strings.ToLower(r.text(i))
	i++
	rel := References
	switch word {
	case "alter":
		if _, ok := sqlObjects[strings.ToLower(r.text(i))]; !ok {
			return i
		}
		i++
	case "call", "perform":
		rel = Calls
	case "inherits":
		if r.is(i, "(") {
			i++
		}
	}
	for r.is(i, "only", "if", "exists") {
		i++
	}
	if r.kind(i) == wordToken && sqlNoName[strings.ToLower(r.text(i))] {
		return i
	}
	q, name, next := r.name(i)
	if name == "" {
		return max(i, next)
	}
	if word == "from" && r.is(next, "(") { // extract(x from f(…)), or a set of rows
		rel = Calls
	}
	r.mention(rel, name, q, i)
	return next
}
