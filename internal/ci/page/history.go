package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
	"github.com/marola-dev/marola-routing/internal/route/strictjson"
)

// A Score is the result of one bundle's bench.
type Score struct {
	Head      string             `json:"head"` // the umbrella's commit
	Time      string             `json:"time"` // of that commit, RFC 3339, UTC
	Questions int                `json:"questions"`
	First     int                `json:"first"`
	InFive    int                `json:"in_five"`
	MRR       float64            `json:"mrr"`
	Types     []bundle.BenchType `json:"types"`
}

// maxScores bounds a history; the oldest go first.
const maxScores = 1000

// MaxHistory is the largest history that is read, in bytes.
const MaxHistory = 4 << 20

// ParseHistory reads scores, one JSON object a line, the oldest first.
func ParseHistory(data []byte) ([]Score, error) {
	if len(data) > MaxHistory {
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", len(data), MaxHistory)
	}
	var out []Score
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var s Score
		err := strictjson.Check(line)
		if err == nil {
			err = json.Unmarshal(line, &s)
		}
		if err == nil && (len(s.Head) != 40 || s.Questions < 0 || s.First < 0 || s.First > s.Questions) {
			err = fmt.Errorf("it is no score of a bundle")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		out = append(out, s)
	}
	return out, nil
}

// FormatHistory is what [ParseHistory] reads.
func FormatHistory(scores []Score) ([]byte, error) {
	var b bytes.Buffer
	for _, s := range scores {
		line, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes(), nil
}

// withScore adds the score of a build, in place of one of the same commit.
func withScore(history []Score, b bundle.Build) []Score {
	out := slices.Clone(history)
	if b.Bench != nil {
		out = slices.DeleteFunc(out, func(s Score) bool { return s.Head == b.Head })
		out = append(out, Score{b.Head, b.CommitTime, b.Bench.Questions, b.Bench.First, b.Bench.InFive, b.Bench.MRR, b.Bench.Types})
	}
	if out == nil {
		out = []Score{}
	}
	return out[max(0, len(out)-maxScores):]
}
