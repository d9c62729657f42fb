package evidence

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// An Admission decides which tags of a reply count. It is the one place that
// does.
type Admission struct {
	Gate Gate

	// Shown are the skills that the session was shown or has looked up.
	Shown []string

	// Find gives the skill of a name, written in any case.
	Find func(name string) (*skill.Skill, bool)

	// Used reports an operational trace: that the session opened the skill,
	// or ran one of its scripts. It is asked only for what was not shown; nil
	// is never.
	Used func(*skill.Skill) bool
}

// A Drop is a tag that does not count.
type Drop struct {
	Tag Tag
	Why string
}

// Judge sorts tags. Of several with one name, the last counts.
func (a Admission) Judge(tags []Tag) (admitted []Admitted, dropped []Drop) {
	shown := map[string]bool{}
	for _, name := range a.Shown {
		shown[strings.ToLower(name)] = true
	}
	for _, t := range last(tags) {
		k, why := a.admit(t, shown)
		if why != "" {
			dropped = append(dropped, Drop{t, why})
			continue
		}
		admitted = append(admitted, Admitted{Skill: k, File: FileOf(k), Label: t.Label, Reason: t.Reason})
	}
	return admitted, dropped
}

func (a Admission) admit(t Tag, shown map[string]bool) (*skill.Skill, string) {
	if t.Label == "" {
		return nil, "it has no verdict"
	}
	if why := a.Gate.Refuse(t.Label, t.Reason); why != "" {
		return nil, why
	}
	k, ok := a.Find(t.Name)
	if !ok {
		return nil, "there is no skill of this name"
	}
	if !shown[strings.ToLower(t.Name)] && !shown[strings.ToLower(k.Name)] && (a.Used == nil || !a.Used(k)) {
		return nil, "the session was not shown it, did not look it up, and did not use it"
	}
	return k, ""
}
