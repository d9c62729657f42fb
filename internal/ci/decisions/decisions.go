// Package decisions finds in a workspace's Markdown documents what was
// decided, why, and what was considered instead: records of architecture
// decisions in their common shapes, proposals, lines that say when something
// was decided, and entries of change logs that say because of what.
package decisions

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/markdown"
	"github.com/marola-dev/marola-routing/internal/ci/secret"
	"github.com/marola-dev/marola-routing/internal/route/decisions"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

// A Finder gathers decisions document by document.
type Finder struct {
	rows    []decisions.Row
	leftOut int
}

// most is how many rows one document gives at the most.
const most = 200

// Add reads one document; its path is from the workspace's root.
func (f *Finder) Add(file string, data []byte) {
	if !index.ValidPath(file) {
		return
	}
	rows := of(file, data)
	if len(rows) > most {
		f.leftOut += len(rows) - most
		rows = rows[:most]
	}
	f.rows = append(f.rows, rows...)
}

// Find gives what was gathered.
func (f *Finder) Find() *decisions.Decisions {
	slices.SortStableFunc(f.rows, func(a, b decisions.Row) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	d := &decisions.Decisions{Schema: decisions.Schema, Rows: []decisions.Row{}, LeftOut: f.leftOut}
	d.Rows = append(d.Rows, f.rows[:min(len(f.rows), decisions.MaxRows)]...)
	d.LeftOut += len(f.rows) - len(d.Rows)
	return d
}

// A reader reads one document.
type reader struct {
	file         string
	doc          *markdown.Document
	title        string
	status, date string
	record       bool
	log          bool
	rows         []decisions.Row
	sections     map[int]int // rows that a section gave
}

func of(file string, data []byte) []decisions.Row {
	r := &reader{file: file, doc: markdown.Parse(data), sections: map[int]int{}}
	base := strings.ToLower(path.Base(file))
	r.log = changeLog.MatchString(base)
	r.head(string(data[:min(len(data), 4<<10)]))
	r.record = !r.log && (r.isRecord() || recordPath(file) && !overview[strings.TrimSuffix(base, path.Ext(base))])
	for i := range r.doc.Blocks {
		if b := &r.doc.Blocks[i]; b.Kind != markdown.Code {
			r.block(b, i)
		}
	}
	if r.record && len(r.rows) == 0 {
		r.summary()
	}
	return r.rows
}

var (
	changeLog  = regexp.MustCompile(`^(changelog|changes|history|news|releases?|release[-_]notes)\b`)
	recordName = regexp.MustCompile(`^(\d{3,5}[-_.]|(adr|rfc|mip|kep|pep|dip|rep|tip|sip)[-_]?\d+)`)
	settings   = regexp.MustCompile(`(?im)^[ \t]*[-*|]?[ \t]*\**(status|date|decided|accepted on)\**[ \t]*[:|][ \t]*\**[ \t]*(.+?)[ \t|*]*$`)
	day        = regexp.MustCompile(`\b(\d{4}-[01]\d-[0-3]\d)\b`)
	decidedOn  = regexp.MustCompile(`(?i)^\**(?:decided|decision)(?: on)?,? \(?(\d{4}-[01]\d-[0-3]\d)\)?[^:.]{0,60}:\**\s*`)
	number     = regexp.MustCompile(`^(?:§\s*)?\d+(?:\.\d+)*[.):]?\s+`)
)

// overview are base names of documents that list records.
var overview = map[string]bool{"readme": true, "index": true, "template": true, "adr-template": true, "0000-template": true, "contributing": true}

func recordPath(file string) bool {
	base := strings.ToLower(path.Base(file))
	for part := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		switch part {
		case "adr", "adrs", "decisions", "decision", "decision-records", "rfc", "rfcs", "text", "mip", "mips", "keps", "peps", "proposals", "enhancements", "architecture-decisions", "design-docs":
			return part != "text" || recordName.MatchString(base)
		}
	}
	return recordName.MatchString(base) && !day.MatchString(base)
}

// isRecord reports a document with the headings of a record.
func (r *reader) isRecord() bool {
	has := map[string]bool{}
	for _, s := range r.doc.Sections {
		if len(s.Heading) > 0 {
			has[partOf(s.Heading[len(s.Heading)-1])] = true
		}
	}
	return has[decisions.Decision] && (has[decisions.Context] || has[decisions.Alternative] || has[decisions.Consequence] || r.status != "")
}

// head reads title, status and date.
func (r *reader) head(top string) {
	for _, s := range r.doc.Sections {
		if len(s.Heading) > 0 {
			r.title = s.Heading[0]
			break
		}
	}
	if r.title == "" {
		r.title = strings.TrimSuffix(path.Base(r.file), path.Ext(r.file))
	}
	for _, m := range settings.FindAllStringSubmatch(top, 8) {
		value := markdown.Plain(m[2])
		switch strings.ToLower(m[1]) {
		case "status":
			status, _, _ := strings.Cut(strings.Trim(value, `"'`), ",")
			r.status = cmp.Or(r.status, strings.ToLower(plaintext.Line(strings.TrimSpace(status), 40)))
		}
		r.date = cmp.Or(r.date, day.FindString(value))
	}
	if r.status != "" {
		return
	}
	for _, b := range r.doc.Blocks {
		if h := r.doc.Sections[b.Section].Heading; len(h) > 0 && strings.EqualFold(number.ReplaceAllString(h[len(h)-1], ""), "status") {
			r.status = strings.ToLower(plaintext.Line(strings.TrimRight(firstSentences(markdown.Plain(b.Text), 1), "."), 40))
			r.date = cmp.Or(r.date, day.FindString(b.Text))
			return
		}
	}
}

// partOf says what a section of this heading holds, or "".
func partOf(heading string) string {
	h := strings.ToLower(strings.TrimRight(number.ReplaceAllString(heading, ""), ".:?!"))
	switch {
	case h == "decision" || h == "decisions" || h == "the decision" || h == "decision outcome" || h == "outcome" || h == "resolution" || h == "what was decided" || h == "decision and rationale" || h == "decision made" || h == "we decided":
		return decisions.Decision
	case strings.Contains(h, "alternative") || h == "considered options" || h == "options considered" || h == "rejected ideas" || h == "rejected options" || h == "options" || strings.Contains(h, "turned down") || strings.Contains(h, "not chosen") || strings.HasPrefix(h, "rejected") || h == "other options":
		return decisions.Alternative
	case h == "consequences" || h == "positive consequences" || h == "negative consequences" || h == "implications" || h == "drawbacks" || h == "what follows" || h == "what it costs" || h == "trade-offs":
		return decisions.Consequence
	case h == "context" || h == "context and problem statement" || h == "problem" || h == "problem statement" || h == "the question" || h == "the problem" || h == "motivation" || h == "summary" || h == "abstract" || h == "why" || h == "rationale" || h == "decision drivers" || h == "background" || h == "reasons" || h == "introduction" || h == "tl;dr":
		return decisions.Context
	}
	return ""
}

// perSection is how many rows a section of a part gives: of what surrounds a
// decision its beginning, of the decision itself nearly all.
var perSection = map[string]int{decisions.Decision: 20, decisions.Alternative: 30, decisions.Consequence: 4, decisions.Context: 4}

// block takes a paragraph or an item.
func (r *reader) block(b *markdown.Block, at int) {
	if m := decidedOn.FindStringSubmatch(b.Text); m != nil {
		r.add(b, decisions.Decision, strings.TrimPrefix(b.Text, m[0]), m[1])
		return
	}
	if r.log {
		if because(b.Text) && b.Kind == markdown.Item {
			r.add(b, decisions.Change, b.Text, "")
		}
		return
	}
	headings := r.doc.Sections[b.Section].Heading
	part, own := "", false
	for i := len(headings) - 1; i >= 0 && part == ""; i-- {
		part, own = partOf(headings[i]), i == len(headings)-1
	}
	if part == "" || !r.record && part != decisions.Alternative || strings.HasPrefix(b.Text, "|") {
		return
	}
	if !r.record && !strings.Contains(strings.ToLower(strings.Join(headings, " ")), "considered") {
		return // not alternatives to a decision, but of a product
	}
	// A heading below alternatives names one, and its first paragraph says it.
	if part == decisions.Alternative && !own {
		if r.sections[b.Section] == 0 {
			r.sections[b.Section]++
			r.add(b, part, headings[len(headings)-1]+": "+b.Text, "")
		}
		return
	}
	// The first paragraph above a list of alternatives only leads to them.
	if part == decisions.Alternative && b.Kind == markdown.Paragraph && !strings.HasPrefix(b.Text, "**") && at+1 < len(r.doc.Blocks) && r.doc.Blocks[at+1].Kind == markdown.Item && strings.HasSuffix(strings.TrimSpace(b.Text), ":") {
		return
	}
	if r.sections[b.Section]++; r.sections[b.Section] <= perSection[part] {
		r.add(b, part, b.Text, "")
	}
}

func because(text string) bool {
	lower := strings.ToLower(text)
	for _, w := range [...]string{"because ", "because\n", "in favor of", "in favour of", "due to the fact", "so that "} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}

// summary is the row of a record of no known shape: how it begins.
func (r *reader) summary() {
	for i := range r.doc.Blocks {
		b := &r.doc.Blocks[i]
		if b.Kind == markdown.Paragraph && len(markdown.Plain(b.Text)) >= 40 && !strings.HasPrefix(b.Text, "|") && !settings.MatchString(b.Text) {
			r.add(b, decisions.Context, b.Text, "")
			return
		}
	}
}

func (r *reader) add(b *markdown.Block, part, text, date string) {
	text = firstSentences(strings.Join(strings.Fields(markdown.Plain(text)), " "), 2)
	text = plaintext.Line(secret.Mask(secret.MaskNamed(text)), decisions.MaxText)
	if len(text) < 8 {
		return
	}
	title := r.title
	switch h := r.doc.Sections[b.Section].Heading; {
	case r.log && len(h) > 0:
		title = strings.Join(h, ": ")
	case !r.record && len(h) > 1:
		title += ": " + h[len(h)-1]
	}
	r.rows = append(r.rows, decisions.Row{File: r.file, Line: b.Line, Title: plaintext.Line(secret.Mask(title), decisions.MaxTitle), Part: part, Text: text,
		Status: plaintext.Line(r.status, 40), Date: cmp.Or(date, r.date)})
}

// firstSentences are the first n sentences of a text on one line.
func firstSentences(text string, n int) string {
	for i := 0; i+1 < len(text); i++ {
		if (text[i] == '.' || text[i] == '!' || text[i] == '?') && text[i+1] == ' ' && i+2 < len(text) && !abbreviated(text[:i]) && !(text[i+2] >= 'a' && text[i+2] <= 'z') {
			if n--; n == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}

func abbreviated(before string) bool {
	word := strings.ToLower(before[strings.LastIndexByte(before, ' ')+1:])
	switch strings.Trim(word, "(\"'") {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "no":
		return true
	}
	return false
}
