package wordpiece

import (
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// fixtures are what the Rust tokenizer makes of odd texts; see
// testdata/fixtures.py.
type fixtures struct {
	Vocabulary []string
	Cases      []map[string]json.RawMessage
}

func readFixtures(t testing.TB) (f fixtures) {
	t.Helper()
	data, err := os.ReadFile("testdata/fixtures.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func decode[T any](t testing.TB, raw json.RawMessage) (value T) {
	t.Helper()
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func tokenizer(t testing.TB, pieces []string, change func(*Settings)) *Tokenizer {
	t.Helper()
	v, err := NewVocabulary(pieces)
	if err != nil {
		t.Fatal(err)
	}
	s := BERT()
	if change != nil {
		change(&s)
	}
	tok, err := New(v, s)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func TestPiecesAreTheReferences(t *testing.T) {
	f := readFixtures(t)
	for kind, change := range map[string]func(*Settings){
		"uncased": nil,
		"cased":   func(s *Settings) { s.Lowercase, s.StripAccents = false, false },
		"accents": func(s *Settings) { s.StripAccents = false },
		"raw":     func(s *Settings) { s.CleanText, s.SplitHan = false, false },
	} {
		t.Run(kind, func(t *testing.T) {
			tok := tokenizer(t, f.Vocabulary, change)
			for _, c := range f.Cases {
				text, want := decode[string](t, c["text"]), decode[[]int32](t, c[kind])
				if got := tok.Encode(text, 1000); !slices.Equal(got, want) {
					t.Errorf("%q\n got %q\nwant %q", text, names(tok, got), names(tok, want))
				}
			}
			if len(f.Cases) < 200 {
				t.Errorf("only %d fixtures", len(f.Cases))
			}
		})
	}
}

func names(t *Tokenizer, ids []int32) (pieces []string) {
	for _, id := range ids {
		pieces = append(pieces, t.Vocabulary().Piece(int(id)))
	}
	return pieces
}

// TestLimit: what is cut off is cut off at the end, and the end token stays.
func TestLimit(t *testing.T) {
	f := readFixtures(t)
	tok := tokenizer(t, f.Vocabulary, nil)
	for _, c := range f.Cases {
		text := decode[string](t, c["text"])
		whole := tok.Encode(text, 1000)
		for limit := 2; limit <= len(whole)+1; limit++ {
			want := whole
			if limit < len(whole) {
				want = append(slices.Clone(whole[:limit-1]), whole[len(whole)-1])
			}
			if got := tok.Encode(text, limit); !slices.Equal(got, want) {
				t.Fatalf("%q to %d tokens: %q, want %q", text, limit, names(tok, got), names(tok, want))
			}
		}
	}
	bare := tokenizer(t, f.Vocabulary, func(s *Settings) { s.Begin, s.End = "", "" })
	if got := names(bare, bare.Encode("write the notes", 2)); !slices.Equal(got, []string{"write", "the"}) {
		t.Errorf("without special tokens: %q", got)
	}
}

// TestLongTextIsNotRead: a text of megabytes costs what its first tokens cost.
func TestLongTextIsNotRead(t *testing.T) {
	tok := tokenizer(t, readFixtures(t).Vocabulary, nil)
	text := strings.Repeat("write the notes ", 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tok.Encode(text, 64)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<18 {
		t.Errorf("%d bytes for 64 tokens", n)
	}
}

func TestVocabularyFromItsTable(t *testing.T) {
	pieces := readFixtures(t).Vocabulary
	pieces = append(pieces, "", "after a hole")
	v, err := NewVocabulary(pieces)
	if err != nil {
		t.Fatal(err)
	}
	data, err := v.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadVocabulary(data)
	if err != nil {
		t.Fatal(err)
	}
	for id, piece := range pieces {
		if again.Piece(id) != piece {
			t.Errorf("piece %d is %q, want %q", id, again.Piece(id), piece)
		}
		if got, ok := again.ID(piece); piece != "" && (!ok || got != int32(id)) {
			t.Errorf("the id of %q is %d, %v, want %d", piece, got, ok, id)
		}
	}
	if id, ok := again.ID("nothing of the kind"); ok {
		t.Errorf("a piece that is not there has the id %d", id)
	}
	for n := range data {
		if _, err := ReadVocabulary(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are taken for a table", n, len(data))
		}
	}
}

func TestWhatCannotBeUsed(t *testing.T) {
	for name, pieces := range map[string][]string{"none": nil, "twice": {"a", "b", "a"}} {
		if _, err := NewVocabulary(pieces); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	v, err := NewVocabulary([]string{"[UNK]", "[CLS]", "[SEP]"})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Settings){
		"unknown":     func(s *Settings) { s.Unknown = "<unk>" },
		"no unknown":  func(s *Settings) { s.Unknown = "" },
		"begin":       func(s *Settings) { s.Begin = "<s>" },
		"end":         func(s *Settings) { s.End = "</s>" },
		"no word":     func(s *Settings) { s.MaxWord = 0 },
		"long words":  func(s *Settings) { s.MaxWord = 1 << 30 },
		"long prefix": func(s *Settings) { s.Prefix = strings.Repeat("#", 17) },
	} {
		s := BERT()
		change(&s)
		if _, err := New(v, s); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// FuzzEncode: whatever the text and however damaged the vocabulary's table,
// encoding ends, within the limit, with ids of the vocabulary.
func FuzzEncode(f *testing.F) {
	fix := readFixtures(f)
	v, err := NewVocabulary(fix.Vocabulary)
	if err != nil {
		f.Fatal(err)
	}
	table, err := v.AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range fix.Cases[:90] {
		f.Add(decode[string](f, c["text"]), 16, 0, byte(0))
	}
	f.Add("\xff\xfe broken", 8, 1000, byte(0x55))
	f.Fuzz(func(t *testing.T, text string, limit, at int, change byte) {
		damaged := slices.Clone(table)
		if at > 0 {
			damaged[at%len(damaged)] ^= change
		}
		v, err := ReadVocabulary(damaged)
		if err != nil {
			return
		}
		tok, err := New(v, BERT())
		if err != nil {
			return
		}
		limit = 2 + (limit&0x7fffffff)%2000
		ids := tok.Encode(text, limit)
		if len(ids) > limit || len(ids) < 2 {
			t.Fatalf("%d ids, of at most %d", len(ids), limit)
		}
		for _, id := range ids {
			if id < 0 || int(id) >= v.Len() {
				t.Fatalf("id %d of %d", id, v.Len())
			}
		}
	})
}
