package decisions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

var sample = Decisions{Schema: 1, Rows: []Row{
	{File: "adr/1.md", Line: 5, Title: "One queue", Part: Decision, Text: "Jobs go through one queue."},
	{File: "adr/1.md", Line: 9, Title: "One queue", Part: Alternative, Text: "Kafka. Too heavy for three jobs a day."},
	{File: "adr/2.md", Line: 5, Title: "Files in git", Part: Decision, Text: "Large files stay in git and not in a bucket."},
	{File: "adr/2.md", Line: 9, Title: "No database", Part: Alternative, Text: "SQLite needs C."},
	{File: "CHANGELOG.md", Line: 7, Title: "1.2", Part: Change, Text: "The queue is smaller because jobs are files."},
}}

func lines(rows []Row) string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%s:%d", r.File, r.Line))
	}
	return strings.Join(out, " ")
}

func TestRank(t *testing.T) {
	for question, want := range map[string]string{
		"why not kafka":                "adr/1.md:9",
		"large files in a bucket":      "adr/2.md:5 CHANGELOG.md:7",
		"why does one queue take jobs": "adr/1.md:5 adr/1.md:9 CHANGELOG.md:7",
		"why no sqlite":                "adr/2.md:9",
		"zebra":                        "",
		"":                             "",
	} {
		if got := lines(sample.Rank(question)); got != want {
			t.Errorf("Rank(%q) = %s, want %s", question, got, want)
		}
	}
	t.Run("one file does not fill the answer", func(t *testing.T) {
		d := Decisions{}
		for i := range 6 {
			d.Rows = append(d.Rows, Row{File: "a.md", Line: i + 1, Title: "queue", Part: Decision, Text: "queue queue"})
		}
		d.Rows = append(d.Rows, Row{File: "b.md", Line: 1, Title: "other", Part: Context, Text: "a queue of something else that is long"})
		if got := lines(d.Rank("queue")); got != "a.md:1 a.md:2 a.md:3 b.md:1 a.md:4 a.md:5 a.md:6" {
			t.Errorf("got %s", got)
		}
	})
}

func TestCheck(t *testing.T) {
	for name, d := range map[string]Decisions{
		"a newer schema":     {Schema: 2},
		"too many rows":      {Rows: make([]Row, MaxRows+1)},
		"a path that leaves": {Rows: []Row{{File: "../a", Line: 1}}},
		"no line":            {Rows: []Row{{File: "a"}}},
		"a long text":        {Rows: []Row{{File: "a", Line: 1, Text: strings.Repeat("a", MaxText+1)}}},
	} {
		if d.Check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := sample.Check(); err != nil {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":1,"rows":[{"file":"a.md","line":1,"title":"t","part":"decision","text":"x"}]}`), "why x")
	f.Fuzz(func(t *testing.T, data []byte, question string) {
		var d Decisions
		if strictjson.Decode(data, &d) != nil || d.Check() != nil {
			return
		}
		if got := d.Rank(question); len(got) > len(d.Rows) {
			t.Fatalf("%d rows of %d", len(got), len(d.Rows))
		}
	})
}
