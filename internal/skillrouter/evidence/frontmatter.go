package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// metaKey is the frontmatter's key of the evidence.
const metaKey = "mega_meta"

// errMoved is a SKILL.md that somebody changed while it was being written.
var errMoved = errors.New("it was changed by another program at the same moment")

// writeFront writes a record into the mega_meta of a SKILL.md and changes no
// byte of anything else. Links are followed; the file is replaced at once.
// The caller holds the store's lock.
func writeFront(file string, r Record) error {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	before, err := os.Stat(real)
	if err != nil {
		return err
	}
	data, err := skill.ReadFile(real, before)
	if err != nil {
		return err
	}
	text, err := withMeta(data, r)
	if err != nil || bytes.Equal(text, data) {
		return err
	}
	return swap(real, text, before)
}

// tempName is the pattern of files that are being written.
const tempName = ".mega-tron-*.tmp"

// escape makes a directory's name mean itself in a pattern.
var escape = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace

// swap replaces a file by one with other text and the same mode, unless it is
// no longer as it was.
func swap(path string, text []byte, before fs.FileInfo) error {
	// There is one writer at a time: what another left, it was killed over.
	left, _ := filepath.Glob(filepath.Join(escape(filepath.Dir(path)), tempName)) // the pattern is right
	for _, l := range left {
		_ = os.Remove(l)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), tempName)
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Chmod(before.Mode().Perm()), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	now, err := os.Stat(path)
	if err != nil {
		return err
	}
	if now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()) || !os.SameFile(now, before) {
		return errMoved
	}
	return os.Rename(temp.Name(), path)
}

// withMeta is a SKILL.md with a record as its mega_meta. What would not read
// back as it should is an error.
func withMeta(data []byte, r Record) ([]byte, error) {
	was, err := skill.Parse(data)
	if err != nil {
		return nil, err
	}
	start, end, err := metaLines(data)
	if err != nil {
		return nil, err
	}
	block, err := metaBlock(data[start:end], r)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(data, []byte("\r\n")) {
		block = bytes.ReplaceAll(block, []byte("\n"), []byte("\r\n"))
	}
	text := make([]byte, 0, len(data)+len(block))
	text = append(append(append(text, data[:start]...), block...), data[end:]...)
	is, err := skill.Parse(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("its frontmatter has no safe place for %s: %w", metaKey, err)
	case is.Name != was.Name || is.Description != was.Description || is.Body != was.Body || !reflect.DeepEqual(is.More, was.More):
		return nil, fmt.Errorf("its frontmatter has no safe place for %s", metaKey)
	case is.Meta.Helpful != r.Helpful || is.Meta.Harmful != r.Harmful || is.Meta.Status != r.Status:
		return nil, fmt.Errorf("its %s would not read back as it was written", metaKey)
	}
	return text, nil
}

// metaLines finds the lines of mega_meta in the frontmatter, or the empty
// place before its closing line.
func metaLines(data []byte) (start, end int, err error) {
	at, inside, found := 0, false, false
	for line := range bytes.Lines(data) {
		from := at
		at += len(line)
		text := strings.TrimRight(strings.TrimPrefix(string(line), "\ufeff"), " \t\r\n")
		switch {
		case from == 0:
			if text != "---" {
				return 0, 0, errors.New("it has no frontmatter")
			}
		case text == "---" || text == "...":
			if !found {
				return from, from, nil
			}
			return start, end, nil
		case strings.HasPrefix(text, metaKey+":"):
			if found {
				return 0, 0, fmt.Errorf("its frontmatter has %s twice", metaKey)
			}
			start, end, inside, found = from, at, true, true
		case inside && (text == "" || text[0] == ' ' || text[0] == '\t' || text[0] == '-'):
			if text != "" {
				end = at // blank lines behind the block are not of it
			}
		default:
			inside = false
		}
	}
	return 0, 0, errors.New("its frontmatter is not closed")
}

// metaBlock writes a record as YAML. Keys of the old block that are none of
// ours stay behind them.
func metaBlock(old []byte, r Record) ([]byte, error) {
	block := &yaml.Node{Kind: yaml.MappingNode}
	add := func(key string, value any) error {
		var k, v yaml.Node
		if err := errors.Join(k.Encode(key), v.Encode(value)); err != nil {
			return err
		}
		block.Content = append(block.Content, &k, &v)
		return nil
	}
	known := map[string]bool{}
	var errs []error
	for _, f := range []struct {
		key    string
		value  any
		absent bool
	}{
		{"helpful_count", r.Helpful, false},
		{"harmful_count", r.Harmful, false},
		{"helpful_contexts", r.HelpfulContexts, len(r.HelpfulContexts) == 0},
		{"harmful_contexts", r.HarmfulContexts, len(r.HarmfulContexts) == 0},
		{"status", string(r.Status), false},
		{"consecutive_harmful", r.ConsecutiveHarmful, r.ConsecutiveHarmful == 0},
		{"last_session_id", r.LastSession, r.LastSession == ""},
		{"last_used_at", r.LastUsed, r.LastUsed == ""},
		{"last_updated", r.LastUpdated, r.LastUpdated == ""},
	} {
		if known[f.key] = true; !f.absent {
			errs = append(errs, add(f.key, f.value))
		}
	}
	var have yaml.Node
	if len(old) > 0 && yaml.Unmarshal(old, &have) == nil && len(have.Content) == 1 && len(have.Content[0].Content) == 2 && have.Content[0].Content[1].Kind == yaml.MappingNode {
		fields := have.Content[0].Content[1].Content
		for i := 0; i+1 < len(fields); i += 2 {
			if !known[fields[i].Value] {
				block.Content = append(block.Content, fields[i], fields[i+1])
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: metaKey}, block}})
	return b.Bytes(), errors.Join(err, e.Close())
}
