package skillsvendor

import (
	"bytes"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// HookCommand is what a session's start runs. Where the file is missing, as
// on a branch from before, it is silent.
const HookCommand = `f="${CLAUDE_PROJECT_DIR:-.}/.claude/skills/routing/scripts/session-check.sh"; [ ! -f "$f" ] || bash "$f"`

// hookScript is how an entry of ours is known, however it is written.
const hookScript = ".claude/skills/routing/scripts/session-check.sh"

// hookText is the hook's entry as the element of a list, with one \t for each
// level of indent.
func hookText(level int) string {
	in := strings.Repeat("\t", level)
	command := `"` + strings.ReplaceAll(HookCommand, `"`, `\"`) + `"`
	return "{\n" + in + "\t\"hooks\": [\n" + in + "\t\t{\n" + in + "\t\t\t\"type\": \"command\",\n" + in + "\t\t\t\"command\": " + command + ",\n" +
		in + "\t\t\t\"timeout\": 5\n" + in + "\t\t}\n" + in + "\t]\n" + in + "}"
}

// newSettings is the file where there is none.
func newSettings() []byte {
	return []byte(untab("{\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t"+hookText(3)+"\n\t\t]\n\t}\n}\n", "  ", "\n"))
}

func untab(text, indent, newline string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\t", indent), "\n", newline)
}

func badSettings(reason string) error {
	return stopf("put the entry of docs/vendored-skill.md there by hand", "%s cannot be merged into: %s", settingsName, reason)
}

// settingsName is the client's committed settings of a repository.
const settingsName = ".claude/settings.json"

// withHook is the settings with the hook's entry, and every other byte as it
// was: comments, order, blanks.
func withHook(text []byte) ([]byte, error) {
	place, err := hookPlace(text)
	if err != nil || place.there {
		return text, err
	}
	return place.insert(text), nil
}

// A place is where an entry goes: at the end of an object or a list.
type place struct {
	there bool   // that an entry of ours is there already
	open  int    // the bracket that opens the container
	last  int    // where its last value ends, or -1
	body  string // what goes there, with tabs
	level int    // of the container's content
	ind   string
	nl    string
}

func hookPlace(text []byte) (place, error) {
	p := place{ind: indentOf(text), nl: "\n", last: -1}
	if bytes.Contains(text, []byte("\r\n")) {
		p.nl = "\r\n"
	}
	// Comments are blanks of the same length, so places hold in both.
	plain := jsonplace.Blank(text)
	if bytes.HasPrefix(plain, []byte("\xef\xbb\xbf")) {
		plain = append([]byte("   "), plain[3:]...)
	}
	if err := strictjson.Check(plain); err != nil {
		return p, badSettings(err.Error())
	}
	top := bytes.IndexByte(plain, '{')
	all, err := jsonplace.Members(plain, max(top, 0))
	if err != nil {
		return p, badSettings("it is not an object")
	}
	p.open, p.level, p.body = top, 1, "\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t"+hookText(3)+"\n\t\t]\n\t}"
	for _, step := range []struct {
		name  string
		body  string
		level int
	}{{"hooks", "\"SessionStart\": [\n\t\t\t" + hookText(3) + "\n\t\t]", 2}, {"SessionStart", hookText(3), 3}} {
		found := -1
		for i, m := range all {
			if m.Name == step.name {
				found = i
			} else if strings.EqualFold(m.Name, step.name) {
				return p, badSettings("its key " + m.Name + " is " + step.name + " but for case")
			}
			p.last = m.To
		}
		if found < 0 {
			return p, nil
		}
		m := all[found]
		p.open, p.last, p.level, p.body = m.From, -1, step.level, step.body
		if step.name == "hooks" {
			all, err = jsonplace.Members(plain, m.From)
		} else {
			p.there = bytes.Contains(plain[m.From:m.To], []byte(hookScript))
			all, err = jsonplace.Elements(plain, m.From)
		}
		if err != nil {
			return p, badSettings(step.name + " is not what it is for the client")
		}
	}
	for _, m := range all {
		p.last = m.To
	}
	return p, nil
}

// insert puts the body at the end of the container. A comma and a comment
// behind the last value stay behind it.
func (p place) insert(text []byte) []byte {
	in := p.nl + strings.Repeat(p.ind, p.level)
	body := untab(p.body, p.ind, p.nl)
	if p.last < 0 {
		return splice(text, p.open+1, in+body)
	}
	rest := text[p.last:]
	comma := bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(","))
	at := p.last
	if comma {
		at += bytes.IndexByte(rest, ',') + 1
	}
	end := at
	if tail := bytes.TrimLeft(text[at:], " \t"); bytes.HasPrefix(tail, []byte("//")) {
		end = len(text) - len(tail)
		if i := bytes.IndexAny(tail, "\r\n"); i >= 0 {
			end += i
		} else {
			end = len(text)
		}
	}
	if comma {
		return splice(text, end, in+body+",")
	}
	return splice(splice(text, end, in+body), p.last, ",")
}

func splice(text []byte, at int, what string) []byte {
	out := append([]byte{}, text[:at]...)
	out = append(out, what...)
	return append(out, text[at:]...)
}

// indentOf is the blank before the first key, or two spaces.
func indentOf(text []byte) string {
	for line := range bytes.Lines(text) {
		if rest := bytes.TrimLeft(line, " \t"); len(rest) < len(line) && bytes.HasPrefix(rest, []byte(`"`)) {
			return string(line[:len(line)-len(rest)])
		}
	}
	return "  "
}

// withoutHook is the settings as they were before [withHook]. ok is false
// when the entry is there in another form than it was put there.
func withoutHook(text []byte) (before []byte, ok bool) {
	p, err := hookPlace(text)
	if err != nil || !p.there {
		return text, err == nil
	}
	for _, f := range []struct {
		level int
		body  string
	}{
		{1, "\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t" + hookText(3) + "\n\t\t]\n\t}"},
		{2, "\"SessionStart\": [\n\t\t\t" + hookText(3) + "\n\t\t]"},
		{3, hookText(3)},
	} {
		for _, ind := range []string{p.ind, "  "} {
			what := p.nl + strings.Repeat(ind, f.level) + untab(f.body, ind, p.nl)
			at := bytes.Index(text, []byte(what))
			if at < 0 {
				continue
			}
			for _, c := range cuts(text, at, at+len(what)) {
				if again, err := withHook(c); err == nil && bytes.Equal(again, text) {
					return c, true
				}
			}
		}
	}
	return text, false
}

// cuts are the texts without what stands from from to to: as it is, without a
// comma behind it, and without one of the last commas before it, for a
// comment may stand between.
func cuts(text []byte, from, to int) (all [][]byte) {
	join := func(parts ...[]byte) { all = append(all, bytes.Join(parts, nil)) }
	join(text[:from], text[to:])
	if bytes.HasPrefix(text[to:], []byte(",")) {
		join(text[:from], text[to+1:])
	}
	const most = 40
	for i := from - 1; i >= 0 && len(all) < most; i-- {
		if text[i] == ',' {
			join(text[:i], text[i+1:from], text[to:])
		}
	}
	return all
}
