package evidence

import "github.com/marola-dev/marola-routing/internal/skillrouter/skill"

// The rules of the states, over the last window verdicts that are not neutral.
const (
	window       = 20
	archiveAfter = 3    // harmful ones in a row
	returnAfter  = 3    // helpful ones in a row bring an archived skill back on trial
	leastForRate = 5    // fewer say nothing of a rate
	mostHarmful  = 3    // more make a skill suspect
	suspectFrom  = 0.30 // so does a larger share
	clearedAt    = 0.15 // a suspect is cleared at this share and below,
	clearedWith  = 1    // with at most so many harmful ones
)

// A state is what verdicts make of a skill. The zero value is that of a skill
// without any.
type state struct {
	status  skill.Status
	harmful int // in a row, last
	helpful int // in a row, last
	recent  []Label
}

// after is the state after one more verdict.
func (s state) after(l Label) state {
	if s.status == "" {
		s.status = skill.Active
	}
	switch l {
	case Helpful:
		s.helpful, s.harmful = s.helpful+1, 0
	case Harmful:
		s.helpful, s.harmful = 0, s.harmful+1
	default:
		return s // neither breaks a row nor makes it longer
	}
	recent := append(s.recent[:len(s.recent):len(s.recent)], l)
	s.recent = recent[max(0, len(recent)-window):]
	s.status = s.next()
	return s
}

func (s state) next() skill.Status {
	if s.harmful >= archiveAfter {
		return skill.Archived
	}
	if s.status == skill.Archived {
		if s.helpful >= returnAfter {
			return skill.Suspect
		}
		return skill.Archived
	}
	n, bad := len(s.recent), 0
	for _, l := range s.recent {
		if l == Harmful {
			bad++
		}
	}
	share := float64(bad) / float64(max(1, n))
	switch {
	case n < leastForRate:
		return s.status
	case bad > mostHarmful || share > suspectFrom:
		return skill.Suspect
	case s.status == skill.Suspect && share <= clearedAt && bad <= clearedWith:
		return skill.Active
	}
	return s.status
}
