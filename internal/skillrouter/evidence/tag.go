package evidence

import (
	"strings"
	"unicode"
)

// A Tag is what a model says that it used, before anything is believed.
type Tag struct {
	Name   string // as written
	Label  Label  // "" without a verdict: no signal
	Reason string
}

// NewTag is what somebody says by other means than a reply.
func NewTag(name, verdict, reason string) Tag {
	return Tag{normalName(name), LabelOf(verdict), clean(reason, maxReason)}
}

// Bounds on what is read of a reply.
const (
	maxReply = 256 << 10 // the end of it, in bytes: tags stand there
	maxTag   = 4 << 10
	maxTags  = 64
)

// Tags reads the tags of a reply, in order:
//
//	<skill-used name="webhook-signer" verdict="HELPFUL" reason="…"/>
//
// The element is skill-used or skill_used in any case, attributes stand in any
// order in either quotes, the slash may be missing, and the five entities of
// XML are decoded. <skill name="X"/> and [skill: X — reason] are read too, and
// have no verdict. A fenced block counts when it holds nothing but tags: one
// with more in it is about tags.
func Tags(reply string) (tags []Tag) {
	if len(reply) > maxReply {
		reply = reply[len(reply)-maxReply:]
	}
	reply = withoutExamples(reply)
	for len(tags) < maxTags {
		at := strings.IndexAny(reply, "<[")
		if at < 0 {
			return tags
		}
		reply = reply[at:]
		tag, length := readTag(reply[:min(len(reply), maxTag)])
		if tag.Name != "" {
			tags = append(tags, tag)
		}
		reply = reply[max(1, length):]
	}
	return tags
}

// withoutExamples leaves out fenced blocks that hold more than tags.
func withoutExamples(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	var out, block strings.Builder
	fence, plain := "", true
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		mark := ""
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			mark = t[:3]
		}
		switch {
		case fence == "" && mark != "":
			fence, plain = mark, true
			block.Reset()
		case fence == "":
			out.WriteString(line)
		case mark == fence:
			if fence = ""; plain {
				out.WriteString(block.String())
			}
		default:
			plain = plain && (t == "" || hasFold(t, "<skill"))
			block.WriteString(line)
		}
	}
	if fence != "" && plain { // a fence that is never closed is the end of the reply
		out.WriteString(block.String())
	}
	return out.String()
}

// readTag reads the tag that a text begins with, and how long it is; a text
// that begins otherwise gives a Tag without a name.
func readTag(text string) (tag Tag, length int) {
	if text[0] == '[' {
		return readBracket(text)
	}
	rest, used := cutFold(text[1:], "skill-used", "skill_used")
	if !used {
		named := false
		if rest, named = cutFold(text[1:], "skill"); !named {
			return Tag{}, 1
		}
	}
	if rest == "" || !isSpace(rest[0]) {
		return Tag{}, 1
	}
	for {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if end, ok := strings.CutPrefix(rest, "/"); ok {
			rest = strings.TrimLeftFunc(end, unicode.IsSpace)
		}
		if strings.HasPrefix(rest, ">") {
			length = len(text) - len(rest) + 1
			tag.Name = normalName(tag.Name)
			if !used {
				tag.Label, tag.Reason = "", ""
			}
			return tag, length
		}
		key, value, more, ok := attribute(rest)
		if !ok {
			return Tag{}, 1
		}
		rest = more
		switch key {
		case "name":
			tag.Name = value
		case "verdict":
			tag.Label = LabelOf(value)
		case "reason":
			tag.Reason = clean(value, maxReason)
		}
	}
}

// attribute reads key="value".
func attribute(text string) (key, value, rest string, ok bool) {
	n := 0
	for n < len(text) && (text[n] == '_' || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	key, rest = strings.ToLower(text[:n]), strings.TrimLeftFunc(text[n:], unicode.IsSpace)
	rest, ok = strings.CutPrefix(rest, "=")
	rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	if !ok || n == 0 || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", "", "", false
	}
	value, rest, ok = strings.Cut(rest[1:], rest[:1])
	return key, entities.Replace(value), rest, ok
}

var entities = strings.NewReplacer("&quot;", `"`, "&apos;", "'", "&#39;", "'", "&lt;", "<", "&gt;", ">", "&amp;", "&")

// readBracket reads [skill: X — reason].
func readBracket(text string) (tag Tag, length int) {
	rest, ok := cutFold(text[1:], "skill:")
	if !ok {
		return Tag{}, 1
	}
	inside, _, ok := strings.Cut(rest, "]")
	if !ok || strings.ContainsAny(inside, "\n[") {
		return Tag{}, 1
	}
	name, _, _ := strings.Cut(inside, "—")
	name, _, _ = strings.Cut(name, " - ")
	return Tag{Name: normalName(name)}, len(text) - len(rest) + len(inside) + 1
}

// normalName takes away how a host marks a name.
func normalName(s string) string {
	return clean(strings.TrimLeft(strings.TrimSpace(s), "/$@"), maxName)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// cutFold takes the first of the prefixes that a text begins with away.
func cutFold(s string, prefixes ...string) (rest string, ok bool) {
	for _, p := range prefixes {
		if hasFold(s, p) {
			return s[len(p):], true
		}
	}
	return s, false
}

// last leaves one tag of each name, in the order of their last verdicts: a
// model that says two things means the later. A verdict without a reason takes
// that of a tag which has nothing else.
func last(tags []Tag) (out []Tag) {
	reasons := map[string]string{}
	at := map[string]int{}
	for _, t := range tags {
		key := strings.ToLower(t.Name)
		if t.Label == "" {
			if t.Reason != "" {
				reasons[key] = t.Reason
			}
			if _, ok := at[key]; !ok {
				at[key] = len(out)
				out = append(out, t)
			}
			continue
		}
		if i, ok := at[key]; ok {
			out[i].Name = "" // said again later
		}
		at[key] = len(out)
		out = append(out, t)
	}
	kept := out[:0]
	for _, t := range out {
		if t.Name == "" {
			continue
		}
		if t.Label != "" && t.Reason == "" {
			t.Reason = reasons[strings.ToLower(t.Name)]
		}
		kept = append(kept, t)
	}
	return kept
}
