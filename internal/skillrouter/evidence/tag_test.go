package evidence

import (
	"reflect"
	"strings"
	"testing"
)

func TestTags(t *testing.T) {
	const good = `<skill-used name="webhook-signer" verdict="HELPFUL" reason="used it"/>`
	one := []Tag{{"webhook-signer", Helpful, "used it"}}
	for _, c := range []struct {
		name, reply string
		want        []Tag
	}{
		{"as the contract says", "Done.\n" + good, one},
		{"underscore, capitals, other order", `<SKILL_USED reason='used it' verdict="helpful" name='webhook-signer' >`, one},
		{"over lines", "<skill-used\n  name=\"webhook-signer\"\n  verdict = \"HELPFUL\"\n  reason=\"used it\"\n/>", one},
		{"the other quote and > inside", `<skill-used name="a" verdict="HARMFUL" reason="it's x > y"/>`, []Tag{{"a", Harmful, "it's x > y"}}},
		{"entities", `<skill-used name="a" verdict="HARMFUL" reason="says &quot;x &amp;&amp; y&quot;"/>`, []Tag{{"a", Harmful, `says "x && y"`}}},
		{"names as hosts write them", `<skill-used name="/a" verdict="NEUTRAL"/><skill-used name="$b" verdict="NEUTRAL"/>`, []Tag{{"a", Neutral, ""}, {"b", Neutral, ""}}},
		{"no verdict", `<skill-used name="a" reason="r"/>`, []Tag{{"a", "", "r"}}},
		{"a verdict that is none", `<skill-used name="a" verdict="INCONCLUSIVE" reason="r"/>`, []Tag{{"a", "", "r"}}},
		{"the short form has no verdict", `<skill name="a" verdict="HELPFUL"/> and [skill: b — it helped]`, []Tag{{"a", "", ""}, {"b", "", ""}}},
		{"two", good + " " + strings.ReplaceAll(good, "webhook-signer", "b"), []Tag{one[0], {"b", Helpful, "used it"}}},
		{"never closed", `<skill-used name="a" verdict="HELPFUL" reason="never`, nil},
		{"a tag behind one that is never closed", `<skill-used name="a <b> ` + good, one},
		{"no name", `<skill-used verdict="HELPFUL"/>`, nil},
		{"another element", `<skill-useds name="a" verdict="HELPFUL"/> <skills name="b"/>`, nil},
		{"an unquoted value", `<skill-used name=a verdict="HELPFUL"/>`, nil},
		{"a fence with nothing but tags", "```xml\n" + good + "\n```", one},
		{"a fence about tags", "```\nfor example:\n" + good + "\n```\n", nil},
		{"a fence that stays open", "```\n" + good, one},
		{"control characters", "<skill-used name=\"a\x1b[31m\" verdict=\"NEUTRAL\" reason=\"x\u202ey\"/>", []Tag{{"a[31m", Neutral, "xy"}}},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Tags(c.reply); !reflect.DeepEqual(got, c.want) {
				t.Errorf("Tags(%q) = %+v, want %+v", c.reply, got, c.want)
			}
		})
	}
}

func TestTagsReadTheEndOfALongReply(t *testing.T) {
	tag := `<skill-used name="a" verdict="NEUTRAL"/>`
	if got := Tags(tag + strings.Repeat("x ", maxReply) + tag); len(got) != 1 {
		t.Errorf("%d tags, want the one at the end", len(got))
	}
	if got := Tags(strings.Repeat(tag, 10*maxTags)); len(got) != maxTags {
		t.Errorf("%d tags, want at most %d", len(got), maxTags)
	}
}

func TestTheLastVerdictOfANameCounts(t *testing.T) {
	got := last([]Tag{{"a", Helpful, "first"}, {"b", Neutral, ""}, {"A", Harmful, "second"}, {"a", "", "an aside"}, {"b", "", "why b"}, {"c", "", "only words"}})
	want := []Tag{{"b", Neutral, "why b"}, {"A", Harmful, "second"}, {"c", "", "only words"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func FuzzTags(f *testing.F) {
	for _, s := range []string{`<skill-used name="a" verdict="HELPFUL" reason="b"/>`, "```\n<skill-used name='a' verdict=\"x\">\n```", "[skill: a — b]", `<skill_used name="a" reason='&quot;'`, "<skill <skill-used ", "[skill:", "~~~\n```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		for _, tag := range last(Tags(reply)) {
			switch {
			case tag.Name == "" || len(tag.Name) > maxName || len(tag.Reason) > maxReason:
				t.Errorf("bounds: %+v", tag)
			case strings.ContainsFunc(tag.Name+tag.Reason, func(r rune) bool { return r < ' ' || r == 0x7f }):
				t.Errorf("control characters: %q", tag)
			case tag.Label != "" && LabelOf(string(tag.Label)) != tag.Label:
				t.Errorf("label %q", tag.Label)
			}
		}
	})
}
