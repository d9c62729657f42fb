// Package rank decides which skills help with a prompt, if any. It is the one
// ranking: search, hooks and daemon all ask it.
package rank

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/lexical"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// An Item is a skill and what the index knows of it.
type Item struct {
	Skill   skill.Skill
	Content *index.Content
}

// A Pool is what prompts are ranked against. It is safe for concurrent use.
type Pool struct {
	items  []Item
	words  *lexical.Scorer
	byName map[string]int
	background
}

// NewPool takes the skills that an index has read. Its vectors of the [Idle]
// prompts, where it has them, tell what chance gives.
func NewPool(skills []skill.Skill, x *index.Index) *Pool {
	p := &Pool{byName: map[string]int{}}
	var profiles []lexical.Profile
	for i := range skills {
		c := x.Of(&skills[i])
		if c == nil {
			continue
		}
		p.byName[strings.ToLower(skills[i].Name)] = len(p.items)
		known := *c // the index goes on learning while prompts are ranked
		p.items = append(p.items, Item{skills[i], &known})
		profiles = append(profiles, c.Profile)
	}
	p.words = lexical.NewScorer(profiles)
	p.background = p.backgroundOf(skills, x)
	return p
}

// Len is the number of skills.
func (p *Pool) Len() int { return len(p.items) }

// A Question is a prompt as it is ranked.
type Question struct {
	Prompt  string
	Vector  index.Vector // empty without a model
	Options Options
	Past    Past
}

// A Pick is a skill with its score and what it is made of.
type Pick struct {
	Skill *skill.Skill
	Score float64
	Terms Terms

	content *index.Content
}

// Terms are the parts of a score; see docs/skill-routing.md for the formula.
type Terms struct {
	Head      float64 `json:"head"`     // cosine with name and description, or with the name
	Body      float64 `json:"body"`     // cosine with the section that is nearest
	Words     float64 `json:"words"`    // shared words, 0 to 1
	Part      float64 `json:"part"`     // shared words of the part of the prompt that fits best
	Semantic  float64 `json:"semantic"` // these four, weighted
	Bonus     float64 `json:"bonus"`    // of past verdicts, −0.5 to 0.5
	Context   float64 `json:"context"`  // likeness to past reasons, its own
	Related   float64 `json:"related"`  // likeness to reasons in the store
	Silence   float64 `json:"silence"`  // penalty of being shown and never judged; counts for how many are shown
	Factor    float64 `json:"factor"`   // of its status
	Mentioned bool    `json:"mentioned"`
}

// A Ranking is all skills, best first, and how many of them to show.
type Ranking struct {
	Picks  []Pick
	Show   int
	Reason string // why so many
	Need   Need
}

// Rank orders the pool for a prompt.
func (p *Pool) Rank(q Question) Ranking {
	o := q.Options.withDefaults()
	picks := make([]Pick, len(p.items))
	words, parts := make([]float64, len(p.items)), make([]float64, len(p.items))
	if o.Lexical {
		words = p.words.Scores(q.Prompt)
		parts = slices.Clone(words)
		for _, part := range partsOf(q.Prompt) {
			for i, x := range p.words.Scores(part) {
				parts[i] = max(parts[i], x)
			}
		}
	}
	model := !q.Vector.Empty()
	mentioned := p.mentions(q.Prompt)
	related := q.Past.related(q.Vector)
	heads := make([]float64, len(p.items))
	known, sum := 0, 0.0
	for i := range p.items {
		if c := p.items[i].Content; model && !c.Head.Empty() {
			heads[i] = max(q.Vector.Cosine(c.Head), q.Vector.Cosine(c.Name)-nameHandicap)
			sum += heads[i]
			known++
		}
	}
	semantic := make([]float64, len(p.items))
	for i := range p.items {
		it := &p.items[i]
		t := Terms{Words: words[i], Part: parts[i], Factor: 1, Mentioned: mentioned[i]}
		if model && known > 0 {
			if it.Content.Head.Empty() {
				heads[i] = sum / float64(known) // not embedded yet: neither near nor far
			}
			t.Head = heads[i]
			t.Body = t.Head
			for k, s := range it.Content.Sections {
				if c := q.Vector.Cosine(s); k == 0 || c > t.Body {
					t.Body = c
				}
			}
			t.Semantic = weighted(o.Lexical, t)
		} else {
			t.Semantic = weightedWords(t)
		}
		semantic[i] = t.Semantic
		picks[i] = Pick{&it.Skill, t.Semantic, t, it.Content}
	}
	least := nthBest(semantic, o.Prefilter)
	for i := range picks {
		t, score, m := &picks[i].Terms, &picks[i].Score, picks[i].Skill.Meta
		if o.Blend {
			t.Bonus = bonus(m)
			t.Context = q.Past.context(q.Vector, m, o.Weights.Harm)
			t.Related = related[picks[i].Skill.Name]
			if t.Semantic >= least {
				*score += o.Weights.Count*t.Bonus + o.Weights.Context*t.Context + o.Weights.Related*t.Related
			}
			switch m.Status {
			case skill.Suspect:
				t.Factor = suspectFactor
				*score *= t.Factor
			case skill.Archived:
				t.Factor, *score = -1, -1
			}
			t.Silence = q.Past.silence(picks[i].Skill.Name, m, o.Weights.Silence)
		}
		if t.Mentioned {
			*score += mentionBonus
		}
	}
	order(picks)
	r := Ranking{Picks: picks, Need: p.need(q.Prompt, picks, model && known > 0)}
	r.Show, r.Reason = show(r.Need, picks, o)
	return r
}

// nthBest is the n-th largest value, or less than all when there is none.
func nthBest(values []float64, n int) float64 {
	if n <= 0 || n > len(values) {
		return math.Inf(-1)
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)-n]
}

// order sorts picks by score, equal ones by name.
func order(picks []Pick) {
	slices.SortFunc(picks, func(a, b Pick) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Skill.Name, b.Skill.Name))
	})
}

// weighted is the mean of the four likenesses of a prompt and a skill.
func weighted(words bool, t Terms) float64 {
	sum, weights := headWeight*t.Head+bodyWeight*t.Body, headWeight+bodyWeight
	if words {
		sum += wordsWeight*t.Words + partWeight*t.Part
		weights += wordsWeight + partWeight
	}
	return sum / weights
}

func weightedWords(t Terms) float64 {
	return (wordsWeight*t.Words + partWeight*t.Part) / (wordsWeight + partWeight)
}

// bonus is the smoothed share of helpful verdicts above a half, whole after
// ten of them.
func bonus(m skill.Meta) float64 {
	n := float64(m.Helpful + m.Harmful)
	if n == 0 {
		return 0
	}
	return (float64(m.Helpful+1)/(n+2) - 0.5) * math.Min(1, n/10)
}

// joints are where a prompt that wants several things is cut.
var joints = lazy(`(?i)\s*(?:\+|[,;:]\s|—| - |\bplus\b|\band then\b|\bthen\b|\band\b|\bas well as\b|\bwith\b)\s*`)

// maxParts bounds the parts of a prompt that are scored by themselves.
const maxParts = 8

// partsOf cuts a prompt into what it wants. One that wants one thing has none.
func partsOf(prompt string) []string {
	var parts []string
	for _, s := range joints().Split(prompt, maxParts+1) {
		has := false
		lexical.Words(s, func(string) { has = true })
		if has {
			parts = append(parts, s)
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts[:min(len(parts), maxParts)]
}

// asked finds names after $, after / where no path goes on, and before or
// behind the word skill.
var asked = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?:^|[\s(,"'])\$([A-Za-z0-9][\w:-]*)`),
		regexp.MustCompile(`(?:^|[\s(,"'])/([A-Za-z0-9][\w:-]*)(?:[\s),."'?!]|$)`),
		regexp.MustCompile("(?i)\\b(?:use|using|with|via|run|invoke|apply|follow|through)\\s+(?:the\\s+|my\\s+|our\\s+)?[\"'`]?([a-z0-9][\\w:-]*)[\"'`]?\\s+skill\\b"),
		regexp.MustCompile("(?i)\\bskill\\s+(?:named\\s+|called\\s+)?[\"'`]([a-z0-9][\\w:-]*)[\"'`]"),
	}
})

// mentions tells which skills the prompt asks for by name.
func (p *Pool) mentions(prompt string) []bool {
	found := make([]bool, len(p.items))
	for _, re := range asked() {
		for _, m := range re.FindAllStringSubmatch(prompt, -1) {
			if i, ok := p.byName[strings.ToLower(m[1])]; ok {
				found[i] = true
			}
		}
	}
	return found
}
