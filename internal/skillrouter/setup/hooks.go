package setup

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
)

// The keys by which entries of ours are known. Hosts pass over keys that they
// do not know.
const (
	codexMark = "_mega_tron_managed"
	jsonMark  = "_megaTronManaged"
)

// marks are all keys that an entry of ours, or of a forerunner, may carry.
var marks = []string{codexMark, jsonMark, "_megaOptimusManaged", "_mega_optimus_managed"}

// markVersion is the value of a mark: the form of an entry, not the program's
// version, so that an upgrade changes no file.
const markVersion = "1"

// A hook is one entry of a host's hooks.
type hook struct {
	event   string
	command string
	timeout int    // in the host's unit
	matcher string // which of the event's kinds start it; "" is all
}

// A group is what stands in the list of an event.
type group struct {
	marked   bool
	handlers []json.RawMessage
	ours     []bool
}

func (g group) own() bool {
	for _, o := range g.ours {
		if o {
			return true
		}
	}
	return g.marked && len(g.ours) == 0
}

// alone reports whether nothing of somebody else is in it.
func (g group) alone() bool {
	for _, o := range g.ours {
		if !o {
			return false
		}
	}
	return true
}

// readGroup reads an entry. The handlers of a marked one are ours when they
// call mega-tron, or when it has no more than one, for that is what setup puts
// there: the command may be any that a person has named.
func readGroup(raw json.RawMessage) group {
	var members map[string]json.RawMessage
	var g group
	if json.Unmarshal(raw, &members) != nil {
		return g
	}
	for _, m := range marks {
		_, has := members[m]
		g.marked = g.marked || has
	}
	if json.Unmarshal(members["hooks"], &g.handlers) != nil {
		g.handlers = nil
	}
	for _, h := range g.handlers {
		var x struct {
			Command string `json:"command"`
		}
		read := json.Unmarshal(h, &x) == nil
		marked := g.marked && len(g.handlers) == 1 && !strings.Contains(x.Command, "mega-optimus")
		g.ours = append(g.ours, marked || read && ourCommand.MatchString(x.Command))
	}
	return g
}

// entry is the group of a hook, in compact JSON.
func (h hook) entry(mark string) json.RawMessage {
	text, _ := json.Marshal(h.command) // a string always has a form
	matcher := ""
	if h.matcher != "" {
		matcher = fmt.Sprintf(`"matcher":%q,`, h.matcher)
	}
	return json.RawMessage(fmt.Sprintf(`{%q:%q,%s"hooks":[{"type":"command","command":%s,"timeout":%d}]}`, mark, markVersion, matcher, unescape(text), h.timeout))
}

// unescape writes &, < and > as they are.
func unescape(text []byte) []byte {
	var s string
	if json.Unmarshal(text, &s) != nil {
		return text
	}
	return jsonplace.Quote(s)
}

// withHooks is a text of hooks with ours, each once. One that is there already
// is left where it is: Codex knows hooks by their places.
func withHooks(text []byte, mark string, hooks []hook) ([]byte, error) {
	e, err := jsonplace.Edit(text)
	if err != nil {
		return nil, err
	}
	for _, h := range hooks {
		path := []string{"hooks", h.event}
		want := h.entry(mark)
		groups, err := groupsOf(e, h.event)
		if err != nil {
			return nil, err
		}
		done := false
		for i := len(groups) - 1; i >= 0; i-- {
			g := groups[i]
			switch {
			case !g.own():
			case !g.alone():
				stripGroup(e, path, i, g)
			case !done && !earlier(groups[:i]):
				if !jsonplace.Same(g.raw, want) {
					e.SetElement(path, i, want)
				}
				done = true
			default:
				e.DeleteElement(path, i)
			}
		}
		if !done {
			e.Append(path, want)
		}
	}
	return e.Bytes()
}

// earlier reports whether a group of ours alone stands among them.
func earlier(groups []placed) bool {
	for _, g := range groups {
		if g.own() && g.alone() {
			return true
		}
	}
	return false
}

type placed struct {
	group
	raw json.RawMessage
}

func groupsOf(e *jsonplace.Editor, event string) ([]placed, error) {
	raw, ok := e.Get("hooks", event)
	if !ok {
		return nil, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil, fmt.Errorf("hooks.%s is no list", event)
	}
	var all []placed
	for _, r := range list {
		all = append(all, placed{readGroup(r), r})
	}
	return all, nil
}

// withoutHooks is a text of hooks without any of ours, and without what is
// empty because of that.
func withoutHooks(text []byte) ([]byte, error) {
	e, err := jsonplace.Edit(text)
	if err != nil {
		return nil, err
	}
	raw, ok := e.Get("hooks")
	var events map[string]json.RawMessage
	if !ok || json.Unmarshal(raw, &events) != nil {
		return text, nil
	}
	left := len(events)
	changed := false
	for event := range events {
		groups, err := groupsOf(e, event)
		if err != nil {
			continue // not a list: none of ours
		}
		n := len(groups)
		for i := len(groups) - 1; i >= 0; i-- {
			if g := groups[i]; g.own() {
				changed = true
				if g.alone() {
					e.DeleteElement([]string{"hooks", event}, i)
					n--
				} else {
					stripGroup(e, []string{"hooks", event}, i, g)
				}
			}
		}
		if n == 0 && len(groups) > 0 {
			e.Delete("hooks", event)
			left--
		}
	}
	if !changed {
		return text, nil
	}
	if left == 0 {
		e.Delete("hooks")
	}
	return e.Bytes()
}

// stripGroup takes our handlers out of a group that somebody else's share, and
// the mark.
func stripGroup(e *jsonplace.Editor, path []string, i int, g placed) {
	var members map[string]json.RawMessage
	if json.Unmarshal(g.raw, &members) != nil {
		return
	}
	sub, err := jsonplace.Edit(g.raw)
	if err != nil {
		return
	}
	for k := len(g.handlers) - 1; k >= 0; k-- {
		if g.ours[k] {
			sub.DeleteElement([]string{"hooks"}, k)
		}
	}
	for _, m := range marks {
		sub.Delete(m)
	}
	if text, err := sub.Bytes(); err == nil {
		e.SetElement(path, i, text)
	}
}
