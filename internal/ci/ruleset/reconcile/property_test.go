package reconcile_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/ruleset"
	"github.com/marola-dev/marola-routing/internal/ci/ruleset/reconcile"
	"github.com/marola-dev/marola-routing/internal/testkit/rulesets"
)

// TestPlanIsTheDifference: for random rulesets and random changes of the live
// one, a strict plan is empty exactly when the canonical forms are equal; and
// after apply, check is in sync, or apply said that it could not be
// confirmed.
func TestPlanIsTheDifference(t *testing.T) {
	schema, err := rulesets.Describe()
	if err != nil {
		t.Fatal(err)
	}
	same, differ, unconfirmed := 0, 0, 0
	for seed := range uint64(200) {
		g := generator{rand.New(rand.NewPCG(seed, 6)), schema}
		b := newBench(t)
		if g.IntN(4) == 0 {
			b.service.DropActors = []string{"User"}
		}
		if g.IntN(3) == 0 {
			b.service.Adds = map[string]rulesets.Object{"update": {"zz_new": true}, "pull_request": {"zz_new": []any{}}}
		}
		file := g.ruleset()
		b.add("o/r", string(encode(t, file)))
		for range g.IntN(4) {
			b.service.Change("o/r", "x", g.change)
		}
		target := ruleset.Target{Owner: "o", Repository: "r"}
		have, err := b.client.Get(t.Context(), target, "101")
		if err != nil {
			t.Fatal(err)
		}
		want := parse(t, string(encode(t, file))).Body()
		equal := bytes.Equal(ruleset.Canonical(want).JSON(), ruleset.Canonical(have).JSON())
		strict := b.run("o/r", reconcile.Options{Strict: true}, string(want.JSON()))[0]
		lenient := b.run("o/r", look, string(want.JSON()))[0]
		if (len(strict.Changes) == 0) != equal || (strict.Status == reconcile.InSync) != equal {
			t.Errorf("seed %d: equal is %v, and the plan is %+v\n%s\n%s", seed, equal, strict.Changes, want.JSON(), have.JSON())
		}
		if len(lenient.Changes) > len(strict.Changes) || equal && lenient.Status != reconcile.InSync {
			t.Errorf("seed %d: what counts always counts when strict: %+v, %+v", seed, lenient.Changes, strict.Changes)
		}
		if equal {
			same++
		} else {
			differ++
		}
		o := reconcile.Options{Write: true, Yes: true, Strict: g.IntN(2) == 0}
		applied := b.run("o/r", o, string(want.JSON()))[0]
		o.Write = false
		checked := b.run("o/r", o, string(want.JSON()))[0]
		if applied.Code == reconcile.CodeUnconfirmed {
			unconfirmed++
		}
		if checked.Code != reconcile.CodeDone && applied.Code != reconcile.CodeUnconfirmed {
			t.Errorf("seed %d: applied is %s %d, checked is %s: %+v", seed, applied.Status, applied.Code, checked.Status, checked.Changes)
		}
	}
	if same < 40 || differ < 40 || unconfirmed < 5 {
		t.Errorf("%d the same, %d different, %d unconfirmed: the test sees too little", same, differ, unconfirmed)
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A generator makes random rulesets, and changes them at random.
type generator struct {
	*rand.Rand
	schema *rulesets.Schema
}

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

func (g generator) ruleset() rulesets.Object {
	o := rulesets.Object{"name": "x", "enforcement": pick(g, "active", "evaluate", "disabled"), "rules": g.some(g.rule), "bypass_actors": g.some(g.actor)}
	if g.IntN(2) == 0 {
		o["target"] = "branch"
	}
	if g.IntN(8) > 0 {
		o["conditions"] = rulesets.Object{"ref_name": rulesets.Object{"include": g.some(g.pattern), "exclude": g.some(g.pattern)}}
	}
	return o
}

func (g generator) some(one func() any) []any {
	list := []any{}
	for range g.IntN(4) {
		list = append(list, one())
	}
	return list
}

func (g generator) pattern() any {
	return pick(g, "refs/heads/a", "refs/heads/b*", "~ALL", "~DEFAULT_BRANCH")
}

func (g generator) rule() any {
	if g.IntN(4) == 0 {
		return rulesets.Object{"type": pick(g, "zz_one", "zz_two"), "parameters": rulesets.Object{"k": []any{g.IntN(3), rulesets.Object{"x": nil}}, "b": g.IntN(2) == 0}}
	}
	return g.schema.Sample(pick(g, g.schema.Rules()...))
}

func (g generator) actor() any {
	kind := pick(g, "Integration", "RepositoryRole", "Team", "User", "OrganizationAdmin", "DeployKey")
	a := rulesets.Object{"actor_type": kind, "bypass_mode": pick(g, "always", "pull_request", "exempt"), "actor_id": 1 + g.IntN(5)}
	if kind == "OrganizationAdmin" || kind == "DeployKey" {
		a["actor_id"] = nil
	}
	return a
}

// change changes a ruleset: half of the changes mean nothing.
func (g generator) change(o rulesets.Object) {
	rules, actors := o["rules"].([]any), o["bypass_actors"].([]any)
	shuffle := func(list []any) { g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] }) }
	switch g.IntN(10) {
	case 0, 1:
		shuffle(rules)
		shuffle(actors)
	case 2:
		o["node_id"], o["created_at"] = "other", "2020-01-01"
	case 3:
		for _, a := range actors {
			if actor := a.(rulesets.Object); actor["actor_type"] == "OrganizationAdmin" {
				actor["actor_id"] = pick[any](g, nil, 0, 1)
			}
		}
	case 4:
		for _, r := range rules {
			if rule := r.(rulesets.Object); rule["parameters"] == nil {
				rule["parameters"] = rulesets.Object{}
			}
		}
	case 5:
		o["enforcement"] = pick(g, "active", "evaluate", "disabled")
	case 6:
		o["rules"] = append(rules, g.rule())
	case 7:
		if len(rules) > 0 {
			o["rules"] = rules[1:]
		}
	case 8:
		o["bypass_actors"] = append(actors, g.actor())
	case 9:
		g.scalar(rules)
	}
}

// scalar changes one value somewhere in a list of rules.
func (g generator) scalar(rules []any) {
	if len(rules) == 0 {
		return
	}
	parameters, _ := pick(g, rules...).(rulesets.Object)["parameters"].(rulesets.Object)
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		switch v := parameters[name].(type) {
		case bool:
			parameters[name] = !v
		case json.Number:
			parameters[name] = json.Number(pick(g, "7", "7.0", "70e-1", "8"))
		case string:
			parameters[name] = v + "x"
		case []any:
			parameters[name] = append(v, v...)
		}
		return
	}
}
