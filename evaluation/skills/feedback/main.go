// Feedback measures what verdicts do to rankings: the same prompts, round after
// round, with evidence and without.
//
//	go run ./evaluation/skills/feedback                # words, and vectors made of words
//	go run ./evaluation/skills/feedback -model PATH    # a pack or a model's directory
//
// The pool has ten skills that are right, a trap beside each of five of them
// that speaks more like the prompt and whose advice is wrong, skills that
// compete and do not help, and noise. All texts are ours.
//
// Who answers is simulated: it opens the three skills that it was shown, best
// first, until one is right. A trap is harmful, a competing one neutral, the
// right one helpful; the reasons are in skills.txt. Its reply goes the whole
// way of a real one: tags, admission, store.
package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/evidence"
	"github.com/marola-dev/marola-routing/internal/skillrouter/lexical"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

//go:embed skills.txt prompts.txt
var data embed.FS

// rounds is how often each prompt is asked.
const rounds = 6

// shown is how many skills the one who answers is shown.
const shown = 3

func main() {
	path := flag.String("model", "", "rank with this pack or model's directory")
	asJSON := flag.Bool("json", false, "print JSON")
	flag.Parse()
	if err := run(context.Background(), *path, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "feedback:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path string, asJSON bool) error {
	var m router.Model = hashed{}
	if path != "" {
		c, err := config.Load(os.Getenv)
		if err != nil {
			return err
		}
		c.Model = path
		if path, err = models.Find(c); err != nil {
			return err
		}
		pack, err := router.OpenModel(path)
		if err != nil {
			return err
		}
		defer pack.Close()
		m = pack
	}
	results := map[string][]Round{}
	for _, with := range []bool{true, false} {
		list, err := Simulate(ctx, m, with)
		if err != nil {
			return err
		}
		results[map[bool]string{true: "with", false: "without"}[with]] = list
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(results)
	}
	fmt.Println("| round | top 3, with evidence | without | first, with | without | gap to the trap, with | without |\n|---|---|---|---|---|---|---|")
	for i, r := range results["with"] {
		w := results["without"][i]
		fmt.Printf("| %d | %.0f %% | %.0f %% | %.0f %% | %.0f %% | %+.3f | %+.3f |\n", i+1, 100*r.Hits, 100*w.Hits, 100*r.First, 100*w.First, r.Gap, w.Gap)
	}
	return nil
}

// A Round is what one pass over the prompts showed, before its verdicts.
type Round struct {
	Hits  float64 `json:"hits"`  // share of the prompts with a right skill among the first three
	First float64 `json:"first"` // share of those where it is the first
	Gap   float64 `json:"gap"`   // mean score of the right skill less that of its trap
}

// A text is a skill of skills.txt.
type text struct{ kind, topic, name, description, body, reason string }

type ask struct{ topic, prompt string }

func rows(name string, fields int) (list [][]string, err error) {
	f, err := data.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		row := strings.Split(s.Text(), "|")
		if len(row) != fields {
			return nil, fmt.Errorf("%s: %q has %d fields, not %d", name, s.Text(), len(row), fields)
		}
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		list = append(list, row)
	}
	return list, nil
}

// Simulate plays all rounds in a home of its own.
func Simulate(ctx context.Context, m router.Model, with bool) (out []Round, err error) {
	home, err := os.MkdirTemp("", "feedback")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	c, err := config.Load(func(name string) string {
		if name == "HOME" || name == "USERPROFILE" {
			return home
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	p := play{config: c, with: with, texts: map[string]text{}}
	table, err := rows("skills.txt", 6)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(home, "skills")
	for _, r := range table {
		t := text{r[0], r[1], r[2], r[3], r[4], r[5]}
		p.texts[t.name] = t
		if err := os.MkdirAll(filepath.Join(root, t.name), 0o755); err != nil {
			return nil, err
		}
		front := fmt.Sprintf("---\nname: %s\ndescription: %q\n---\n%s\n", t.name, t.description, t.body)
		file := filepath.Join(root, t.name, skill.FileName)
		if err := os.WriteFile(file, []byte(front), 0o644); err != nil {
			return nil, err
		}
		old := time.Now().Add(-time.Hour) // the index reads a new file again and again
		if err := os.Chtimes(file, old, old); err != nil {
			return nil, err
		}
	}
	if table, err = rows("prompts.txt", 2); err != nil {
		return nil, err
	}
	for _, r := range table {
		p.asks = append(p.asks, ask{r[0], r[1]})
	}
	p.roots = []skill.Root{{Dir: root, Scope: skill.User}}
	p.router = router.Open(c, m, "")
	for i := range rounds {
		r, err := p.round(ctx, i)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

type play struct {
	config *config.Config
	router *router.Router
	roots  []skill.Root
	texts  map[string]text
	asks   []ask
	with   bool
}

// round asks every prompt once. Each is answered before the next is asked, and
// measured before its own answer.
func (p *play) round(ctx context.Context, n int) (Round, error) {
	var r Round
	gold, trapped := 0, 0
	o := rank.Defaults()
	o.TopK, o.Dynamic, o.Blend = shown, false, p.with
	for i, a := range p.asks {
		v, err := p.router.Look(ctx, p.roots, router.Work{Heads: -1, Bodies: -1})
		if err != nil {
			return r, err
		}
		ranking, err := p.router.Rank(ctx, v, a.prompt, o)
		if err != nil {
			return r, err
		}
		if a.topic == "" {
			continue // nothing is asked of it, and nothing is said
		}
		gold++
		scores := map[string]float64{}
		var top []string
		for j, k := range ranking.Picks {
			t := p.texts[k.Skill.Name]
			if t.topic == a.topic && t.kind != "competing" {
				scores[t.kind] = k.Score
			}
			if j < ranking.Show {
				top = append(top, t.name)
				if t.topic == a.topic && t.kind == "real" {
					r.Hits++
					if j == 0 {
						r.First++
					}
				}
			}
		}
		if trap, ok := scores["trap"]; ok {
			r.Gap += scores["real"] - trap
			trapped++
		}
		if p.with {
			if err := p.judge(ctx, fmt.Sprintf("round-%d-%d", n, i), a, top); err != nil {
				return r, err
			}
		}
	}
	r.Hits /= float64(gold)
	r.First /= float64(gold)
	r.Gap /= float64(trapped)
	return r, nil
}

// judge is the reply of the one who answers, and what becomes of it.
func (p *play) judge(ctx context.Context, session string, a ask, top []string) error {
	var reply strings.Builder
	for _, name := range top {
		t := p.texts[name]
		if t.topic != a.topic {
			continue // not opened: it says that it is about something else
		}
		label := map[string]evidence.Label{"real": evidence.Helpful, "trap": evidence.Harmful, "competing": evidence.Neutral}[t.kind]
		fmt.Fprintf(&reply, "<skill-used name=%q verdict=%q reason=%q/>\n", t.name, label, t.reason)
		if t.kind == "real" {
			break
		}
	}
	finder := evidence.Finder{Roots: p.roots}
	admission := evidence.Admission{Gate: evidence.GateOf(p.config), Shown: top, Find: finder.Find}
	admitted, dropped := admission.Judge(evidence.Tags(reply.String()))
	if len(dropped) > 0 {
		return fmt.Errorf("a verdict does not count: %+v", dropped)
	}
	s, err := evidence.Open(ctx, evidence.Place(p.config))
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.Write(ctx, evidence.Turn{Session: session, Host: skill.Codex, ID: "1", At: time.Now()}, admitted, nil, p.roots)
	return err
}

// hashed is a model without weights: a text's vector counts its words.
type hashed struct{}

const dimensions = 512

func (hashed) ID() string { return "hashed-words" }

func (hashed) Embed(_ context.Context, texts []string, _ bool) (out [][]float32, _ error) {
	for _, s := range texts {
		v := make([]float32, dimensions)
		v[0] = 0.1 // never without direction
		lexical.Words(s, func(w string) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(w)) // never fails
			v[h.Sum32()%dimensions]++
		})
		out = append(out, v)
	}
	return out, nil
}
