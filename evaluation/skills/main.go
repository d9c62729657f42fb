// Skills measures how mega-tron routes prompts of our own to skills of our
// own, and fits when it shows none.
//
//	go run ./evaluation/skills                   # words alone
//	go run ./evaluation/skills -model PATH       # a pack or a model's directory
//	go run ./evaluation/skills -model PATH -fit  # and fit the weights of a need
//	go run ./evaluation/skills -size 500         # beside made-up skills; or of the first 50
//
// The prompts are in two halves. Weights are fitted on one; what is reported
// of them is of the other.
package main

import (
	"bufio"
	"context"
	"embed"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/models"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/router"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

//go:embed skills.txt prompts.txt
var data embed.FS

// A prompt is asked; skills are those that help, none of them for most small
// talk.
type prompt struct {
	half, text string
	skills     []string
}

// ownSkills is how many skills.txt has.
const ownSkills = 113

func main() {
	model := flag.String("model", "", "rank with this pack or model's directory, too")
	fit := flag.Bool("fit", false, "fit the weights of a need on one half")
	size := flag.Int("size", ownSkills, "rank so many skills")
	flag.Parse()
	if err := run(context.Background(), *model, *size, *fit); err != nil {
		fmt.Fprintln(os.Stderr, "skills:", err)
		os.Exit(1)
	}
}

// rows reads a file of " | "-separated fields.
func rows(name string, fields int) (list [][]string, err error) {
	f, err := data.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.SplitN(line, " | ", fields)
		if len(row) != fields {
			return nil, fmt.Errorf("%s: %q has %d fields, not %d", name, line, len(row), fields)
		}
		list = append(list, row)
	}
	return list, nil
}

func run(ctx context.Context, modelPath string, size int, fit bool) error {
	dir, err := os.MkdirTemp("", "skills")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	skills, err := pool(size)
	if err != nil {
		return err
	}
	if err := layOut(filepath.Join(dir, "pool"), skills); err != nil {
		return err
	}
	list, err := rows("prompts.txt", 3)
	if err != nil {
		return err
	}
	var prompts []prompt
	for _, r := range list {
		p := prompt{half: r[0], text: r[2]}
		if r[1] != "none" {
			p.skills = strings.Split(r[1], ", ")
		}
		prompts = append(prompts, p)
	}
	prompts = within(prompts, skills)
	env := map[string]string{"HOME": dir, "USERPROFILE": dir, "XDG_CACHE_HOME": filepath.Join(dir, "cache"), "MEGA_EMBEDDER_MODEL": modelPath}
	c, err := config.Load(func(name string) string { return env[name] })
	if err != nil {
		return err
	}
	roots := []skill.Root{{Dir: filepath.Join(dir, "pool")}}
	if err := measure(ctx, c, nil, roots, prompts, fit); err != nil || modelPath == "" {
		return err
	}
	path, err := models.Find(c)
	if err != nil {
		return err
	}
	m, err := router.OpenModel(path)
	if err != nil {
		return err
	}
	defer m.Close()
	return measure(ctx, c, m, roots, prompts, fit)
}

// An answer is what the router made of a prompt.
type answer struct {
	prompt
	need  rank.Need
	shown []string
	order []string
	took  time.Duration
}

func measure(ctx context.Context, c *config.Config, m router.Model, roots []skill.Root, prompts []prompt, fit bool) error {
	name := "words alone"
	if m != nil {
		name = m.ID()
	}
	r := router.Open(c, m, "")
	start := time.Now()
	v, err := r.Look(ctx, roots, router.Work{Heads: -1, Bodies: -1})
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d skills read in %.1f s\n", name, len(v.Catalogue.Skills), time.Since(start).Seconds())
	var answers []answer
	for _, p := range prompts {
		start := time.Now()
		rk, err := r.Rank(ctx, v, p.text, rank.Defaults())
		if err != nil {
			return err
		}
		a := answer{prompt: p, need: rk.Need, took: time.Since(start)}
		for i, k := range rk.Picks {
			if i < rk.Show {
				a.shown = append(a.shown, k.Skill.Name)
			}
			a.order = append(a.order, k.Skill.Name)
		}
		answers = append(answers, a)
	}
	for _, half := range []string{"fit", "report"} {
		report(half, slices.DeleteFunc(slices.Clone(answers), func(a answer) bool { return a.half != half }))
	}
	if fit {
		fitted(answers, m != nil)
	}
	return nil
}

// report prints coverage (the share of a prompt's skills that are shown; 1
// for nothing shown where none helps), its two parts, the first pick's F1,
// and recall.
func report(half string, answers []answer) {
	var in, null, shown, first, ranked, recall3, recall5 float64
	var ins, nulls int
	var times []time.Duration
	for _, a := range answers {
		times = append(times, a.took)
		shown += float64(len(a.shown))
		if len(a.shown) > 0 {
			ranked++
		}
		if len(a.skills) == 0 {
			nulls++
			if len(a.shown) == 0 {
				null++
			}
			continue
		}
		ins++
		in += share(a.skills, a.shown)
		recall3 += share(a.skills, a.order[:min(3, len(a.order))])
		recall5 += share(a.skills, a.order[:min(5, len(a.order))])
		if len(a.shown) > 0 && slices.Contains(a.skills, a.shown[0]) {
			first++
		}
	}
	slices.Sort(times)
	fmt.Printf("  %-6s coverage %.3f  with skills %.3f  none %.3f  shown %.2f  first pick F1 %.3f  recall@3 %.3f  @5 %.3f  median %s\n", half,
		(in+null)/float64(len(answers)), in/float64(ins), null/float64(nulls), shown/float64(len(answers)), 2*first/(ranked+float64(ins)),
		recall3/float64(ins), recall5/float64(ins), times[len(times)/2].Round(10*time.Microsecond))
}

func share(want, have []string) float64 {
	n := 0
	for _, w := range want {
		if slices.Contains(have, w) {
			n++
		}
	}
	return float64(n) / float64(len(want))
}

// features of a need, in the order of the weights that are printed.
func features(n rank.Need, model bool) []float64 {
	x := []float64{1, min(n.Words, 6), 0, 0}
	switch {
	case n.Task:
		x[2] = 1
	case n.Fact:
		x[3] = 1
	}
	if model {
		x = append(x, n.Head)
	}
	return x
}

// fitted fits a logistic regression on one half and prints what its decisions
// are worth on the other.
func fitted(answers []answer, model bool) {
	const (
		rounds  = 20_000
		speed   = 0.02
		penalty = 0.01 // keeps weights small where the half says little
	)
	var w []float64
	for range rounds {
		var step []float64
		n := 0.0
		for _, a := range answers {
			if a.half != "fit" || a.need.Chat {
				continue
			}
			x := features(a.need, model)
			if w == nil {
				w = make([]float64, len(x))
			}
			if step == nil {
				step = make([]float64, len(x))
			}
			p := 1 / (1 + math.Exp(-dot(w, x)))
			y := 0.0
			if len(a.skills) > 0 {
				y = 1
			}
			for i := range x {
				step[i] += (y - p) * x[i]
			}
			n++
		}
		for i := range w {
			w[i] += speed * (step[i]/n - penalty*w[i])
		}
	}
	fmt.Printf("  fitted: bias %.2f  words %.2f  task %.2f  fact %.2f", w[0], w[1], w[2], w[3])
	if model {
		fmt.Printf("  head %.2f", w[4])
	}
	fmt.Println()
	for _, half := range []string{"fit", "report"} {
		var ins, nulls, inRight, nullRight, inNow, nullNow float64
		for _, a := range answers {
			if a.half != half {
				continue
			}
			shows := !a.need.Chat && dot(w, features(a.need, model)) > 0
			now := !a.need.Chat && a.need.Value() > 0
			if len(a.skills) > 0 {
				ins++
				inRight += count(shows)
				inNow += count(now)
			} else {
				nulls++
				nullRight += count(!shows)
				nullNow += count(!now)
			}
		}
		fmt.Printf("  %-6s shows some where some help %.3f, none where none does %.3f; with the weights in use %.3f, %.3f\n", half, inRight/ins, nullRight/nulls, inNow/ins, nullNow/nulls)
	}
}

func count(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
