package publish

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// A fake is a remote without a protocol: it shows that the planner needs
// nothing of git, and does what no real server does on demand.
type fake struct {
	refs  map[string]string
	holds map[string]Published // by commit
	move  []func(f *fake, old, commit string) error
	large []func(f *fake, old, commit string) error // likewise for the large ref
	list  []error                                   // for the first listings; nil lets one pass
	moves int
}

func newFake() *fake { return &fake{refs: map[string]string{}, holds: map[string]Published{}} }

// put publishes sample(n) in the fake, from outside.
func (f *fake) put(n int) {
	s := sample(n)
	b, err := bundle.ParseBuild(s["build.json"])
	if err != nil {
		panic(err)
	}
	f.refs[refName(branch)] = head(5000 + n)
	f.holds[head(5000+n)] = Published{Tree: head(6000 + n), Build: b}
}

// theirs makes the published bundle one of another address.
func (f *fake) theirs(url string) {
	p := f.holds[f.tip()]
	p.Build.URL = url
	f.holds[f.tip()] = p
}

func (f *fake) tip() string { return f.refs[refName(branch)] }

func (f *fake) List(context.Context, string) (map[string]string, error) {
	if len(f.list) > 0 {
		err := f.list[0]
		f.list = f.list[1:]
		if err != nil {
			return nil, err
		}
	}
	refs := map[string]string{}
	for k, v := range f.refs {
		refs[k] = v
	}
	return refs, nil
}

func (f *fake) Read(_ context.Context, commit string) (Published, error) {
	p, ok := f.holds[commit]
	if !ok {
		return p, &Moved{}
	}
	return p, nil
}

func (f *fake) Name(ctx context.Context, s *Snapshot, _ string) (string, error) {
	return f.Prepare(ctx, s)
}

func (f *fake) Prepare(_ context.Context, s *Snapshot) (string, error) {
	if strings.HasPrefix(s.Message, "routing-bundle-large") {
		return oursLarge, nil
	}
	f.holds[ours] = Published{Tree: s.Tree, Build: s.Build}
	return ours, nil
}

var ours = head(9999)

func (f *fake) Move(_ context.Context, ref, old, commit string) error {
	if ref != refName(branch) {
		return f.moveLarge(old, commit)
	}
	f.moves++
	if len(f.move) > 0 {
		m := f.move[0]
		f.move = f.move[1:]
		return m(f, old, commit)
	}
	return apply(f, old, commit)
}

func apply(f *fake, old, commit string) error {
	if f.tip() != old {
		return &Moved{}
	}
	f.refs[refName(branch)] = commit
	return nil
}

func TestPlanner(t *testing.T) {
	broken := &Transient{Err: errors.New("the connection broke")}
	tests := []struct {
		name    string
		prepare func(f *fake)
		options func(o *Options)
		changed bool
		tries   int
		moves   int
		notice  string
		err     string
	}{
		{name: "first", changed: true, tries: 1, moves: 1},
		{name: "newer over older", prepare: func(f *fake) { f.put(1) }, changed: true, tries: 1, moves: 1},
		{name: "older after newer", prepare: func(f *fake) { f.put(3) }, tries: 1, notice: "newer than"},
		{name: "older after newer, meant", prepare: func(f *fake) { f.put(3) }, options: func(o *Options) { o.AllowRewind = true }, changed: true, tries: 1, moves: 1, notice: "--allow-rewind"},
		{name: "same content in another commit", prepare: func(f *fake) {
			f.put(1)
			f.holds[f.tip()] = Published{Tree: "", Bad: errors.New("unread")}
			f.move = nil
		}, options: func(o *Options) { o.First = true }, changed: true, tries: 1, moves: 1, notice: "--first"},
		{name: "a published bundle that cannot be read", prepare: func(f *fake) {
			f.put(1)
			f.holds[f.tip()] = Published{Bad: errors.New("it has no build.json")}
		}, tries: 1, err: "cannot be compared: it has no build.json"},
		{name: "another workspace's bundle", prepare: func(f *fake) { f.put(1); f.theirs("https://example.org/o/other") }, tries: 1, err: "is of https://example.org/o/other"},
		{name: "another workspace's bundle, meant", prepare: func(f *fake) { f.put(1); f.theirs("https://example.org/o/other") }, options: func(o *Options) { o.OtherSpace = true }, changed: true, tries: 1, moves: 1},
		{name: "dry run", prepare: func(f *fake) { f.put(1) }, options: func(o *Options) { o.DryRun = true }, tries: 1, notice: "dry run: the branch would move from"},
		{name: "dry run of an older one", prepare: func(f *fake) { f.put(3) }, options: func(o *Options) { o.DryRun = true }, tries: 1, notice: "newer than"},
		{name: "applied, but the answer is lost", prepare: func(f *fake) {
			f.move = append(f.move, func(f *fake, old, commit string) error { _ = apply(f, old, commit); return broken })
		}, changed: true, tries: 1, moves: 1},
		{name: "applied, the answer is lost, and so is the look back", prepare: func(f *fake) {
			f.move = append(f.move, func(f *fake, old, commit string) error { _ = apply(f, old, commit); return broken })
			f.list = []error{nil, broken}
		}, changed: true, tries: 2, moves: 1},
		{name: "P11 a move that is called done, but is not", prepare: func(f *fake) {
			lie := func(*fake, string, string) error { return nil }
			f.move = append(f.move, lie, lie, lie)
		}, tries: 3, moves: 3, err: "took the push, but routing-bundle did not move"},
		{name: "P11 the same once", prepare: func(f *fake) {
			f.move = append(f.move, func(*fake, string, string) error { return nil })
		}, changed: true, tries: 2, moves: 2},
		{name: "published, and replaced by a newer one before the look back", prepare: func(f *fake) {
			f.move = append(f.move, func(f *fake, old, commit string) error { _ = apply(f, old, commit); f.put(3); return nil })
		}, changed: true, tries: 2, moves: 1, notice: "replaced since by the newer bundle"},
		{name: "published, and replaced by an older one before the look back", prepare: func(f *fake) {
			f.move = append(f.move, func(f *fake, old, commit string) error { _ = apply(f, old, commit); f.put(1); return nil })
		}, changed: true, tries: 2, moves: 2},
		{name: "the race lost to an older one", prepare: func(f *fake) {
			f.move = append(f.move, func(f *fake, old, commit string) error { f.put(1); return apply(f, old, commit) })
		}, changed: true, tries: 2, moves: 2},
		{name: "P02 the race lost to a newer one", prepare: func(f *fake) {
			f.move = append(f.move, func(f *fake, old, commit string) error { f.put(3); return apply(f, old, commit) })
		}, tries: 2, moves: 1, notice: "newer than"},
		{name: "P01 the race lost to the very same bundle", prepare: func(f *fake) {
			f.move = append(f.move, func(f *fake, old, commit string) error { f.refs[refName(branch)] = commit; return &Moved{} })
		}, tries: 1, moves: 1, notice: "this very bundle is published already"},
		{name: "the race lost three times", prepare: func(f *fake) {
			for n := range 3 {
				f.move = append(f.move, func(f *fake, old, commit string) error {
					f.put(1)
					f.refs[refName(branch)] = head(7000 + n)
					f.holds[head(7000+n)] = f.holds[head(5001)]
					return apply(f, old, commit)
				})
			}
		}, tries: 3, moves: 3, err: "not published after 3 tries"},
		{name: "moved while reading", prepare: func(f *fake) {
			f.put(1)
			delete(f.holds, f.tip())
		}, tries: 3, err: "moved by somebody else"},
		{name: "a lost connection before anything", prepare: func(f *fake) { f.list = []error{broken, broken} }, changed: true, tries: 3, moves: 1},
		{name: "a lost connection three times", prepare: func(f *fake) { f.list = []error{broken, broken, broken} }, tries: 3, err: "not published after 3 tries: the connection broke"},
		{name: "a refusal", prepare: func(f *fake) {
			f.move = append(f.move, func(*fake, string, string) error { return &Refused{Reason: "no", Server: []string{"GH013"}} })
		}, tries: 1, moves: 1, err: "the remote refused: no: GH013"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			if tt.prepare != nil {
				tt.prepare(f)
			}
			change := tt.options
			if change == nil {
				change = func(*Options) {}
			}
			before := f.tip()
			result, err := tryPublish(t, f, snapshot(t, sample(2)), change)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if result.Changed != tt.changed || result.Tries != tt.tries || f.moves != tt.moves || !contained(result.Notice, tt.notice) || !contained(text, tt.err) {
				t.Errorf("%+v after %d moves; error %q", result, f.moves, text)
			}
			if !tt.changed && f.moves == 0 && f.tip() != before {
				t.Error("the branch moved")
			}
		})
	}
}

func TestProgressNamesEachStep(t *testing.T) {
	var steps []string
	f := newFake()
	f.put(1)
	publish(t, f, snapshot(t, sample(2)), func(o *Options) { o.Progress = func(s string) { steps = append(steps, s) } })
	if text := strings.Join(steps, "|"); !strings.HasPrefix(text, "looking at the remote|reading the published bundle|publishing ") {
		t.Errorf("steps %q", steps)
	}
}

func TestAnInterruptEndsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFake()
	f.list = []error{&Transient{Err: errors.New("the connection broke")}}
	o := options()
	o.Sleep = func(context.Context, time.Duration) error { cancel(); return context.Canceled }
	result, err := Publish(ctx, f, snapshot(t, sample(1)), o)
	if err == nil || !strings.Contains(err.Error(), "interrupted") || result.Tries != 1 {
		t.Errorf("%v, %+v", err, result)
	}
}

func TestSleep(t *testing.T) {
	if err := sleep(t.Context(), time.Millisecond); err != nil {
		t.Errorf("a short sleep: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a sleep that was cut: %v", err)
	}
}

var oursLarge = head(9998)

func (f *fake) moveLarge(old, commit string) error {
	if len(f.large) > 0 {
		m := f.large[0]
		f.large = f.large[1:]
		return m(f, old, commit)
	}
	return f.set(largeName, old, commit)
}

func (f *fake) Return(_ context.Context, ref, from, to string) error { return f.set(ref, from, to) }

func (f *fake) set(ref, old, commit string) error {
	if f.refs[ref] != old {
		return &Moved{}
	}
	f.refs[ref] = commit
	return nil
}
