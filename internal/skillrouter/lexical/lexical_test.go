package lexical

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Validate webhook signatures", "validat webhook signatur"},
		{"validateWebhookSignature", "validat webhook signatur"},
		{"we're hitting 429s on Supabase", "hit 429s supabas"},
		{"C++ and C# and node.js.", "c++ c# node.js"},
		{"what is 2 plus 2", "2 plus 2"},
		{"HTTP API", "http api"},
		{"über naïve", "über naïve"},
		{"", ""},
		{strings.Repeat("x", 100), ""},
		{"the of and", ""},
	} {
		var got []string
		Words(tt.text, func(w string) { got = append(got, w) })
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%.40q: %q, want %q", tt.text, s, tt.want)
		}
	}
}

func pool(texts ...string) *Scorer {
	var profiles []Profile
	for i, s := range texts {
		name, description, _ := strings.Cut(s, ": ")
		profiles = append(profiles, NewProfile(name, description, fmt.Sprintf("filler%d", i)))
	}
	return NewScorer(profiles)
}

func bestOf(s *Scorer, prompt string) int {
	scores := s.Scores(prompt)
	return slices.Index(scores, slices.Max(scores))
}

func TestScores(t *testing.T) {
	s := pool("replit-webhooks: Handle events of Replit.", "linear-webhooks: Handle events of Linear.", "linear-security: Rotate keys.", "pdf: Fill forms.")
	for prompt, want := range map[string]int{"events from replit": 0, "linear webhook events": 1, "rotate our Linear keys": 2, "fill a form": 3} {
		if got := bestOf(s, prompt); got != want {
			t.Errorf("%q: %d, want %d: %v", prompt, got, want, s.Scores(prompt))
		}
	}
	if got := s.Scores("who painted the mona lisa"); slices.Max(got) != 0 {
		t.Errorf("strange words score %v", got)
	}
	for _, x := range s.Scores(strings.Repeat("linear webhooks replit pdf security ", 100)) {
		if x < 0 || x >= 1 {
			t.Errorf("score %v", x)
		}
	}
}

func TestNameCountsMoreThanBody(t *testing.T) {
	s := NewScorer([]Profile{NewProfile("a", "Does things.", "quagga quagga quagga"), NewProfile("quagga", "Does things.", "x"), NewProfile("b", "Does other things.", "")})
	if got := bestOf(s, "quagga"); got != 1 {
		t.Errorf("the best is %d", got)
	}
}

func TestLateWordsOfABodyDoNotCount(t *testing.T) {
	p := NewProfile("a", "d", strings.Repeat("word ", bodyWords)+"late")
	if p.weight("late") != 0 || p.weight("word") == 0 {
		t.Errorf("%+v", p.Words)
	}
}

// TestScoresStay: however often a pool was asked, and by however many at once,
// a text scores the same.
func TestScoresStay(t *testing.T) {
	s := pool("replit-webhooks: Handle events of Replit.", "linear-webhooks: Handle events of Linear.", "linear-security: Rotate keys.", "pdf: Fill forms.")
	const prompt = "rotate the keys of the Linear webhook events"
	first := s.Scores(prompt)
	var group sync.WaitGroup
	for range 3 * fewTexts {
		group.Go(func() {
			if got := s.Scores(prompt); !slices.Equal(got, first) {
				t.Errorf("%v, first %v", got, first)
			}
		})
	}
	group.Wait()
	if s.postings.Load() == nil {
		t.Error("the words are never sorted by word")
	}
}

func TestEmptyPool(t *testing.T) {
	if got := NewScorer(nil).Scores("anything"); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("C++ node.js 429s caf\xe9 ｆｕｌｌ")
	f.Fuzz(func(t *testing.T, text string) {
		Words(text, func(w string) {
			if w == "" || len(w) > 2*maxWord {
				t.Errorf("the word %q", w)
			}
		})
		NewProfile(text, text, text)
	})
}

func BenchmarkScores(b *testing.B) {
	var profiles []Profile
	for i := range 500 {
		profiles = append(profiles, NewProfile(fmt.Sprintf("skill-%d", i), fmt.Sprintf("Does thing %d for product%d with care and tests.", i, i%40), strings.Repeat(fmt.Sprintf("word%d text body more ", i%90), 40)))
	}
	s := NewScorer(profiles)
	for b.Loop() {
		s.Scores("set up product7 with tests and body text for thing 9")
	}
}
