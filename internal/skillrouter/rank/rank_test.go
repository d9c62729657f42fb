package rank

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A fake model knows a few meanings: words of one line are one direction.
var meanings = []string{"sign verify hmac webhook signature", "release changelog notes version", "database table shard postgres sql", "image photo picture resize",
	"login oauth google account", "cat planet capital painted"}

type fake struct{}

func (fake) Embed(_ context.Context, texts []string, _ bool) ([][]float32, error) {
	var out [][]float32
	for _, s := range texts {
		v := make([]float32, len(meanings)+1)
		v[len(meanings)] = 0.5
		for i, m := range meanings {
			for w := range strings.FieldsSeq(m) {
				v[i] += float32(strings.Count(strings.ToLower(s), w))
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// A world is skills on disk; "name: description" each, with frontmatter and
// body behind further line breaks.
type world struct {
	t      *testing.T
	dir    string
	index  *index.Index
	skills []skill.Skill
}

func newWorld(t *testing.T, model bool, skills ...string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), index: index.New("fake")}
	for _, s := range skills {
		head, more, _ := strings.Cut(s, "\n")
		name, description, _ := strings.Cut(head, ": ")
		d := filepath.Join(w.dir, name)
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, skill.FileName), []byte("---\nname: "+name+"\ndescription: "+description+"\n"+more+"\n---\nBody.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.skills = skill.Discover([]skill.Root{{Dir: w.dir}}, w.index).Skills
	if model {
		no := func(int, int) {}
		for _, err := range []error{w.index.Heads(t.Context(), fake{}, w.skills, -1, no), w.index.Bodies(t.Context(), fake{}, w.skills, -1, no), w.index.Texts(t.Context(), fake{}, Idle, true)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return w
}

func vector(text string) index.Vector {
	v, _ := fake{}.Embed(context.Background(), []string{text}, true)
	return index.NewVector(v[0])
}

func (w *world) rank(prompt string, model bool, change func(*Question)) Ranking {
	q := Question{Prompt: prompt, Options: Defaults()}
	if model {
		q.Vector = vector(prompt)
	}
	if change != nil {
		change(&q)
	}
	return NewPool(w.skills, w.index).Rank(q)
}

func shown(r Ranking) (names []string) {
	for _, k := range r.Picks[:r.Show] {
		names = append(names, k.Skill.Name)
	}
	return names
}

var some = []string{
	"webhook-signer: Sign and verify webhook payloads with HMAC.", "release-notes: Write a changelog for each release from its commits.",
	"database-sharding: Split a large Postgres table over several servers.", "image-resizer: Resize and crop images.", "oauth-login: Let people log in with their Google account.",
	"pdf-forms: Fill forms in PDF files.", "csv-cleaner: Clean and deduplicate CSV files.", "unit-tests: Write unit tests for Go functions.", "docker-compose: Set up services with Docker Compose.",
	"api-mock: Mock an HTTP API for tests.", "spell-check: Check the spelling of documentation.", "log-search: Search the logs of services.",
}

func TestFindsTheSkill(t *testing.T) {
	for _, model := range []bool{true, false} {
		w := newWorld(t, model, some...)
		for prompt, want := range map[string]string{
			"verify the HMAC signature of our webhook": "webhook-signer", "write the changelog for the next release": "release-notes",
			"resize all images in the assets folder": "image-resizer", "split our Postgres table": "database-sharding",
		} {
			if got := shown(w.rank(prompt, model, nil)); len(got) == 0 || got[0] != want {
				t.Errorf("model %t, %q: %q, want %s first", model, prompt, got, want)
			}
		}
	}
}

func TestMeaningWithoutSharedWords(t *testing.T) {
	w := newWorld(t, true, some...)
	r := w.rank("users should sign in with google oauth", true, nil)
	if r.Picks[0].Skill.Name != "oauth-login" {
		t.Errorf("first %s", r.Picks[0].Skill.Name)
	}
}

func TestShowsNothingWhenNothingHelps(t *testing.T) {
	for _, model := range []bool{true, false} {
		w := newWorld(t, model, some...)
		for _, prompt := range []string{"who painted the Mona Lisa", "thanks, that worked", "hello", "what is the tallest building", "tell me about the history of the Roman empire", "tea or coffee"} {
			if r := w.rank(prompt, model, nil); r.Show != 0 {
				t.Errorf("model %t, %q: %q (%s, %+v)", model, prompt, shown(r), r.Reason, r.Need)
			}
		}
	}
}

func TestFixedNumber(t *testing.T) {
	w := newWorld(t, false, some...)
	r := w.rank("who painted the Mona Lisa", false, func(q *Question) { q.Options.Dynamic, q.Options.TopK = false, 7 })
	if r.Show != 7 || len(r.Picks) != len(some) {
		t.Errorf("shows %d of %d", r.Show, len(r.Picks))
	}
	if r := w.rank("x", false, func(q *Question) { q.Options.Dynamic, q.Options.TopK = false, 99 }); r.Show != len(some) {
		t.Errorf("shows %d", r.Show)
	}
}

func TestAskedForByName(t *testing.T) {
	w := newWorld(t, true, some...)
	for _, prompt := range []string{"$pdf-forms do it", "please /pdf-forms now", "use the pdf-forms skill to write a changelog", "run it with the PDF-Forms skill", "the skill called 'pdf-forms' please"} {
		if got := shown(w.rank(prompt, true, nil)); !slices.Equal(got, []string{"pdf-forms"}) {
			t.Errorf("%q: %q", prompt, got)
		}
	}
	for _, prompt := range []string{"read /pdf-forms/readme", "it costs $pdf", "cat pdf-forms.txt"} {
		for _, k := range w.rank(prompt, true, nil).Picks {
			if k.Terms.Mentioned {
				t.Errorf("%q mentions %s", prompt, k.Skill.Name)
			}
		}
	}
}

func TestSeveralThings(t *testing.T) {
	w := newWorld(t, false, some...)
	got := shown(w.rank("verify webhook payloads, resize images and fill PDF forms", false, nil))
	for _, want := range []string{"webhook-signer", "image-resizer", "pdf-forms"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q lacks %s", got, want)
		}
	}
}

func score(r Ranking, name string) (float64, Terms) {
	i := slices.IndexFunc(r.Picks, func(k Pick) bool { return k.Skill.Name == name })
	return r.Picks[i].Score, r.Picks[i].Terms
}

func TestEvidence(t *testing.T) {
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-9 }
	w := newWorld(t, true, append(some,
		"tried-well: Sign webhook payloads.\nmega_meta: {helpful_count: 20}", "tried-badly: Sign webhook payloads again.\nmega_meta: {harmful_count: 4}",
		"doubtful: Sign webhook payloads, too.\nmega_meta: {status: suspect}", "put-away: Sign webhook payloads once more.\nmega_meta: {status: archived}")...)
	const prompt = "sign the webhook payloads"
	r := w.rank(prompt, true, nil)
	well, terms := score(r, "tried-well")
	if want := 21.0/22 - 0.5; !near(terms.Bonus, want) || !near(well, terms.Semantic+0.10*want) {
		t.Errorf("helpful: %v of %+v", well, terms)
	}
	_, terms = score(r, "tried-badly")
	if want := (1.0/6 - 0.5) * 0.4; !near(terms.Bonus, want) {
		t.Errorf("harmful: %+v", terms)
	}
	if s, terms := score(r, "doubtful"); !near(s, terms.Semantic*0.5) {
		t.Errorf("suspect: %v of %+v", s, terms)
	}
	if s, _ := score(r, "put-away"); s != -1 {
		t.Errorf("archived: %v", s)
	}
	if slices.Contains(shown(r), "put-away") {
		t.Error("an archived skill is shown")
	}
	if got := shown(w.rank("$put-away please", true, nil)); !slices.Equal(got, []string{"put-away"}) {
		t.Errorf("an archived skill that is asked for: %q", got)
	}
	r = w.rank(prompt, true, func(q *Question) { q.Options.Blend = false })
	if s, terms := score(r, "tried-well"); s != terms.Semantic || terms.Bonus != 0 {
		t.Errorf("without evidence: %v of %+v", s, terms)
	}
	if s, _ := score(r, "put-away"); s < 0 {
		t.Errorf("without evidence, archived: %v", s)
	}
}

func TestReasonsAndVerdicts(t *testing.T) {
	w := newWorld(t, true, append(some, "a-signer: Sign webhook payloads.\nmega_meta: {helpful_contexts: [\"webhook hmac\"], harmful_contexts: [\"photo\"]}")...)
	q := func(q *Question) {
		q.Past.Reason = vector
		q.Past.Verdicts = []Verdict{{"a-signer", true, vector("sign webhook")}, {"a-signer", false, vector("picture")}, {"webhook-signer", false, vector("sign webhook hmac")}}
		q.Past.Surfaced = map[string]int{"webhook-signer": 9}
	}
	r := w.rank("sign the webhook with hmac", true, q)
	_, own := score(r, "a-signer")
	if own.Context <= 0 || own.Related <= 0 {
		t.Errorf("%+v", own)
	}
	_, other := score(r, "webhook-signer")
	if other.Related >= 0 || other.Context != 0 || math.Abs(other.Silence-0.02*math.Log(10)) > 1e-9 {
		t.Errorf("%+v", other)
	}
}

func TestPrefilter(t *testing.T) {
	w := newWorld(t, true, append(some, "far-away: Crop pictures.\nmega_meta: {helpful_count: 50}")...)
	r := w.rank("sign the webhook with hmac", true, func(q *Question) { q.Options.Prefilter = 1 })
	if s, terms := score(r, "far-away"); s != terms.Semantic {
		t.Errorf("%v of %+v", s, terms)
	}
}

func TestTwins(t *testing.T) {
	w := newWorld(t, false, append(some, "signer-copy: Sign and verify webhook payloads with HMAC.")...)
	got := shown(w.rank("verify webhook payloads with HMAC", false, nil))
	if !slices.Contains(got, "webhook-signer") || slices.Contains(got, "signer-copy") {
		t.Errorf("%q", got)
	}
	all := w.rank("verify webhook payloads with HMAC", false, func(q *Question) { q.Options.Dynamic, q.Options.TopK = false, 20 })
	if all.Show != len(some)+1 {
		t.Errorf("%d of %d are left", all.Show, len(some)+1)
	}
}

func TestSkillsThatTheModelHasNotSeen(t *testing.T) {
	w := newWorld(t, true, some...)
	d := filepath.Join(w.dir, "new-one")
	if err := os.Mkdir(d, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d, skill.FileName), []byte("---\nname: new-one\ndescription: Transcribe podcasts with speakers.\n---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.skills = skill.Discover([]skill.Root{{Dir: w.dir}}, w.index).Skills
	if got := shown(w.rank("transcribe our podcasts with speakers", true, nil)); len(got) == 0 || got[0] != "new-one" {
		t.Errorf("%q", got)
	}
}

func TestEmptyPool(t *testing.T) {
	w := newWorld(t, false)
	if r := w.rank("anything", false, nil); r.Show != 0 || len(r.Picks) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestForms(t *testing.T) {
	for prompt, want := range map[string]form{
		"REST vs RPC tradeoffs":                 {Fact: true},
		"vim or emacs":                          {Fact: true},
		"what does HTTP stand for?":             {Fact: true},
		"who invented the transistor":           {Fact: true},
		"a good book about compilers for kids":  {Fact: true},
		"can you see my screen":                 {Fact: true, Task: true},
		"fun fact about whales":                 {Fact: true},
		"Please write release notes":            {Task: true},
		"can you set up CI for our repository?": {Task: true},
		"we're paying too much for storage":     {Task: true},
		"how do I rotate the keys":              {Task: true},
		"fine-tune a model":                     {Task: true},
		"compare Redis vs Memcached in a table": {Task: true},
		"thanks!":                               {Chat: true},
		"ok go on":                              {Chat: true},
		"yes, and rename the service too":       {Task: true},
		"webhook signature verification":        {},
	} {
		if got := formOf(prompt); got != want {
			t.Errorf("%q: %+v, want %+v", prompt, got, want)
		}
	}
}

func TestSameOrderForEqualScores(t *testing.T) {
	var skills []string
	for i := range 9 {
		skills = append(skills, fmt.Sprintf("s%d: Does it.", 8-i))
	}
	w := newWorld(t, false, skills...)
	r := w.rank("does it", false, func(q *Question) { q.Options.Dynamic, q.Options.TopK = false, 9 })
	for i, k := range r.Picks {
		if k.Skill.Name != fmt.Sprint("s", i) {
			t.Errorf("place %d: %s", i, k.Skill.Name)
		}
	}
}

func FuzzRank(f *testing.F) {
	for _, s := range []string{"", "$a /b use the c skill", "x + y, z and w", "what is \x00 vs \u202e", strings.Repeat("and ", 500)} {
		f.Add(s)
	}
	pool := NewPool(nil, index.New(""))
	f.Fuzz(func(t *testing.T, prompt string) {
		formOf(prompt)
		partsOf(prompt)
		pool.Rank(Question{Prompt: prompt, Options: Defaults()})
	})
}
