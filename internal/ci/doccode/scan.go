package doccode

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/markdown"
	"github.com/marola-dev/marola-routing/internal/route/doccode"
)

// A document is what one file says.
type document struct {
	repo     int
	path     string
	sections []markdown.Section
	mentions []mention
	contexts []context
	defines  map[string]bool // names that its blocks of code define themselves
	fits     map[fit][]*candidate
}

// A mention is a place that may name code.
type mention struct {
	how     string // as in doccode.Link
	text    string
	path    string // what may be a path, or ""
	role    bool   // what stands before says that it is a name of the code
	name    name   // what may be a name, or empty
	lang    string // of a block of code
	from    string // the line of code that imports it, or ""
	section int
	line    int
	context int
}

// A context is what else stands around a mention: it may tell which of
// several namesakes is meant.
type context struct {
	block   []string // names, paths and targets of the same paragraph
	words   string   // its words
	heading string   // the headings above

	saysKind   bool // the words say that something is a type
	saysMember bool // or a function
}

func scan(r Repo, repo int, file string, data []byte) *document {
	parsed := markdown.Parse(data)
	d := &document{repo: repo, path: file, sections: parsed.Sections, defines: map[string]bool{}, fits: map[fit][]*candidate{}}
	for _, b := range parsed.Blocks {
		if len(d.mentions) >= maxMentions {
			break
		}
		c := context{heading: strings.Join(parsed.Sections[b.Section].Heading, " ")}
		first := len(d.mentions)
		if b.Kind == markdown.Code {
			d.code(b)
		} else {
			d.text(r, b, &c)
		}
		if len(d.mentions) > first {
			d.contexts = append(d.contexts, c)
		}
	}
	return d
}

func (d *document) add(m mention) {
	m.context = len(d.contexts)
	if len(d.mentions) < maxMentions {
		d.mentions = append(d.mentions, m)
	}
}

// text reads a paragraph or an item.
func (d *document) text(r Repo, b markdown.Block, c *context) {
	var words strings.Builder
	role, label := false, -1 // label is the number of mentions before the brackets of a link
	for _, p := range markdown.Inline(b.Text, b.Line) {
		m := mention{text: strings.Join(strings.Fields(p.Text), " "), role: role, section: b.Section, line: p.Line}
		role = p.Kind == markdown.Text && roles.MatchString(p.Text)
		switch p.Kind {
		case markdown.Text:
			words.WriteString(p.Text + " ")
			label = d.prose(p, b.Section, label)
		case markdown.Span:
			c.block = append(c.block, m.text)
			if isPath(m.text) {
				m.path = m.text
			}
			m.name = parseName(m.text)
			m.how = doccode.Name
			if m.path != "" && strings.Contains(m.path, "/") {
				m.how = doccode.Path
			}
			if m.path != "" || m.name.last != "" {
				d.add(m)
			}
		case markdown.Target, markdown.Address:
			if to := d.target(r, m.text); to != "" {
				m.how, m.path = doccode.Ref, to
				c.block = append(c.block, to)
				d.add(m)
			} else if p.Kind == markdown.Target && label >= 0 && strings.Contains(m.text, "://") {
				d.mentions = d.mentions[:label] // what it says is of elsewhere
			}
			label = -1
		}
	}
	c.words = words.String()
	c.saysKind, c.saysMember = typeWords.MatchString(c.words), memberWords.MatchString(c.words)
}

// roles is what MyST documents write before the name of something of the
// code, typeWords what sentences say of a type, memberWords of a function.
var (
	roles       = regexp.MustCompile(`\{(py:)?(class|func|meth|attr|exc|data|mod|obj|type)\}$`)
	typeWords   = regexp.MustCompile(`\b(class|struct|interface|trait|enum|component|exception|decorator|subclass|instance|instances|superclass)\b`)
	memberWords = regexp.MustCompile(`\b(function|functions|func|method|methods|field|property|attribute|helper|callback|macro|constructor|calls|calling)\b`)
)

// target is the path in the repository that a link leads to, with a slash
// before it where it begins at the top, or "".
func (d *document) target(r Repo, to string) string {
	to = strings.Trim(to, "<>")
	u, err := url.Parse(to)
	if err != nil {
		return ""
	}
	if u.Scheme == "" && u.Host == "" {
		if u.Path == "" || u.Opaque != "" {
			return ""
		}
		return u.Path
	}
	home := address(r.URL)
	rest, ok := cutFold(u.Host+u.Path, home+"/")
	if home == "" || !ok {
		return ""
	}
	kind, rest, _ := strings.Cut(rest, "/")
	if kind != "blob" && kind != "tree" {
		return ""
	}
	_, rest, ok = strings.Cut(rest, "/") // a branch without a slash in its name
	if !ok || rest == "" {
		return ""
	}
	return "/" + rest
}

// address is where a repository is without scheme, user and ending:
// host/owner/name.
func address(url string) string {
	url = strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")
	_, rest, hasScheme := strings.Cut(url, "://")
	if !hasScheme {
		rest = strings.Replace(url, ":", "/", 1) // git@host:owner/name
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return rest
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

// prose reads words: a name among them counts only where it is written as no
// word is. It returns where the label begins that is still open.
func (d *document) prose(p markdown.Piece, section, label int) int {
	if strings.Contains(p.Text, "]") {
		label = -1
	}
	if open := strings.LastIndexByte(p.Text, '['); open > strings.LastIndexByte(p.Text, ']') {
		d.wordsOf(p.Text[:open], p.Line, section)
		label = len(d.mentions)
		d.wordsOf(p.Text[open+1:], p.Line+strings.Count(p.Text[:open], "\n"), section)
		return label
	}
	d.wordsOf(p.Text, p.Line, section)
	return label
}

func (d *document) wordsOf(text string, line, section int) {
	for rest := text; rest != ""; {
		end := strings.IndexAny(rest, " \t\n")
		word, after, brk := rest, "", false
		if end >= 0 {
			word, after, brk = rest[:end], rest[end+1:], rest[end] == '\n'
		}
		word = strings.Trim(word, "*\"'“”‘’,;:!?[]{}|")
		word = strings.TrimSuffix(strings.TrimLeft(word, "("), ".")
		if strings.HasSuffix(word, ")") && !strings.HasSuffix(word, "()") {
			word = strings.TrimRight(word, ").,")
		}
		m := mention{how: doccode.Prose, text: word, section: section, line: line}
		switch {
		case len(word) < 6 || len(word) > doccode.MaxText || strings.ContainsAny(word, `\_<>=@`) && !strings.Contains(word, "_"):
		case strings.Contains(word, "/") && path.Ext(word) != "" && isPath(word) && !strings.Contains(word, "://"):
			m.path = word
			d.add(m)
		default:
			if n := parseName(word); n.last != "" && n.unlikeWord() {
				m.name = n
				d.add(m)
			}
		}
		rest = after
		if brk {
			line++
		}
	}
}

// isPath reports what may be a path of a file: no spaces, nothing that
// stands for something else.
func isPath(s string) bool {
	if len(s) < 3 || len(s) > 300 || strings.ContainsAny(s, " \t*<>{}$()|\"'`,;=!^~\\") || strings.Contains(s, "...") || strings.Contains(s, "://") {
		return false
	}
	return !strings.HasPrefix(s, "-") && (strings.Contains(s, "/") || path.Ext(s) != "" && path.Ext(s) != s)
}
