// Package index remembers what ranking needs to know of each skill, so that a
// prompt is answered without reading and embedding hundreds of files.
//
// Everything is kept by content: a hash of a skill's name, description and
// body. A verdict written into its frontmatter, a move, a copy in another root
// cost nothing; a changed body costs one skill. Files are remembered by path,
// size and time, so that an unchanged one is not even opened.
//
// One file serves all roots of one model. It is replaced at once, and read
// without a lock; a damaged one is as good as none.
package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/lexical"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// A Key is the SHA-256 of a skill's content.
type Key [sha256.Size]byte

// KeyOf hashes what is embedded and indexed of a skill, evidence left out.
func KeyOf(f skill.Front) Key {
	h := sha256.New()
	for _, s := range []string{f.Name, f.Description, f.Body} {
		fmt.Fprintf(h, "%d\n%s", len(s), s)
	}
	return Key(h.Sum(nil))
}

// Content is what is known of one content.
type Content struct {
	Profile  lexical.Profile
	Head     Vector   // name and description
	Name     Vector   // name alone
	Sections []Vector // of the body, once Complete
	Complete bool
	used     int64 // day on which it was last part of a pool, from the epoch
}

// file is what is known of one SKILL.md.
type file struct {
	size, mtime int64 // mtime in nanoseconds; 0: do not trust
	key         Key
	front       skill.Front // without Body and More
}

// An Index holds what is remembered of one model's vectors. It is not safe
// for concurrent use.
type Index struct {
	model    string
	contents map[Key]*Content
	files    map[string]file
	texts    map[string]text // by kind and text
	pools    map[Key]pool
	now      func() time.Time
	changed  bool // since it was loaded or saved
	version  int  // of what it knows
}

// New is an index that knows nothing. Model names the vectors: those of
// another are not used.
func New(model string) *Index {
	return &Index{model: model, contents: map[Key]*Content{}, files: map[string]file{}, texts: map[string]text{}, pools: map[Key]pool{}, now: time.Now}
}

// Version is another number whenever the index has come to know something: a
// pool that was made at the same version is as good as a new one.
func (x *Index) Version() int { return x.version }

// touch says that something was learnt.
func (x *Index) touch() {
	x.changed = true
	x.version++
}

// racy is how old a file must be for its time to be trusted: a file system
// may give two writes within it the same time.
const racy = 2 * time.Second

// Read gives a SKILL.md's front, from memory when the file is as it was. So
// an Index is a [skill.Source]; a front from memory has no Body.
func (x *Index) Read(path string, info fs.FileInfo) (skill.Front, error) {
	have, ok := x.files[path]
	if ok && have.mtime != 0 && have.size == info.Size() && have.mtime == info.ModTime().UnixNano() && x.contents[have.key] != nil {
		x.contents[have.key].used = x.today()
		return have.front, nil
	}
	data, err := skill.ReadFile(path, info)
	if err != nil {
		return skill.Front{}, err
	}
	front, err := skill.Parse(data)
	if err != nil {
		return skill.Front{}, err
	}
	if front.Name == "" {
		front.Name = skill.NameOf(filepath.Dir(path))
	}
	key := KeyOf(front)
	if x.contents[key] == nil {
		x.contents[key] = &Content{Profile: lexical.NewProfile(front.Name, front.Description, front.Body)}
	}
	x.contents[key].used = x.today()
	entry := file{size: info.Size(), mtime: info.ModTime().UnixNano(), key: key, front: front}
	entry.front.Body, entry.front.More = "", nil
	if x.now().Sub(info.ModTime()) < racy {
		entry.mtime = 0
	}
	x.files[path] = entry
	x.touch()
	return front, nil
}

// Of returns what is known of a skill that [Index.Read] gave, or nil.
func (x *Index) Of(s *skill.Skill) *Content {
	f, ok := x.files[filepath.Join(s.Dir, skill.FileName)]
	if !ok {
		return nil
	}
	return x.contents[f.key]
}

const secondsPerDay = 24 * 60 * 60

func (x *Index) today() int64 { return x.now().Unix() / secondsPerDay }

// An Embedder makes vectors of texts.
type Embedder interface {
	// Embed returns one embedding for each text, of equal dimensions.
	// Prompts are texts that ask, which some models want marked.
	Embed(ctx context.Context, texts []string, prompts bool) ([][]float32, error)
}

// Missing counts the skills that lack a vector of their head, and those that
// lack any.
func (x *Index) Missing(skills []skill.Skill) (heads, any int) {
	for i := range skills {
		if c := x.Of(&skills[i]); c != nil {
			if c.Head.Empty() {
				heads++
			}
			if !c.Complete {
				any++
			}
		}
	}
	return heads, any
}

// Bounds on what is embedded of a body.
const (
	maxSections  = 4
	sectionBytes = 900 // about 200 tokens: what a passage about one thing has
)

// Heads embeds the names and descriptions that lack vectors, at most limit of
// them when limit is not negative.
func (x *Index) Heads(ctx context.Context, e Embedder, skills []skill.Skill, limit int, progress func(done, of int)) error {
	want := x.lacking(skills, limit, func(c *Content) bool { return c.Head.Empty() })
	done := 0
	for batch := range slices.Chunk(want, headsAtOnce) {
		var texts []string
		for _, s := range batch {
			texts = append(texts, words(s.Name)+"\n\n"+s.Description, words(s.Name))
		}
		vectors, err := e.Embed(ctx, texts, false)
		if err != nil {
			return err
		}
		if len(vectors) != len(texts) {
			return errCount
		}
		for i, s := range batch {
			c := x.Of(s)
			c.Head, c.Name = NewVector(vectors[2*i]), NewVector(vectors[2*i+1])
		}
		x.touch()
		done += len(batch)
		progress(done, len(want))
	}
	return nil
}

// A Task is texts that lack vectors, so that they can be embedded while others
// use the index.
type Task struct {
	Texts []string
	Done  func(vectors [][]float32) // keeps them
}

// NextTask is what the pool lacks most: names and descriptions before bodies.
// It is nil when nothing is lacking.
func (x *Index) NextTask(skills []skill.Skill) *Task {
	if want := x.lacking(skills, 1, func(c *Content) bool { return c.Head.Empty() }); len(want) > 0 {
		c, name := x.Of(want[0]), words(want[0].Name)
		return &Task{[]string{name + "\n\n" + want[0].Description, name}, func(v [][]float32) {
			c.Head, c.Name = NewVector(v[0]), NewVector(v[1])
			x.touch()
		}}
	}
	for _, s := range x.lacking(skills, -1, func(c *Content) bool { return !c.Complete }) {
		c := x.Of(s)
		body, err := bodyOf(s)
		if err != nil {
			continue
		}
		return &Task{sections(words(s.Name), body), func(v [][]float32) {
			c.Sections = nil
			for _, e := range v {
				c.Sections = append(c.Sections, NewVector(e))
			}
			c.Complete = true
			x.touch()
		}}
	}
	return nil
}

// headsAtOnce is how many skills are embedded in one call: enough to keep
// several processors busy, few enough to tell how far it is.
const headsAtOnce = 8

var errCount = errors.New("the model gave another number of vectors than texts")

// Bodies embeds the sections that are missing, at most limit skills of them
// when limit is not negative.
func (x *Index) Bodies(ctx context.Context, e Embedder, skills []skill.Skill, limit int, progress func(done, of int)) error {
	want := x.lacking(skills, limit, func(c *Content) bool { return !c.Complete })
	for i, s := range want {
		c := x.Of(s)
		body, err := bodyOf(s)
		if err != nil {
			continue // it was changed or removed; the next look at the roots tells
		}
		texts := sections(words(s.Name), body)
		c.Sections = nil
		if len(texts) > 0 {
			vectors, err := e.Embed(ctx, texts, false)
			if err != nil {
				return err
			}
			for _, v := range vectors {
				c.Sections = append(c.Sections, NewVector(v))
			}
		}
		c.Complete = true
		x.touch()
		progress(i+1, len(want))
	}
	return nil
}

// A text is a short text whose vector is kept: a reason in a frontmatter, a
// prompt that tells what chance gives.
type text struct {
	vector Vector
	used   int64
}

func textKey(s string, prompt bool) string {
	if prompt {
		return "?" + s
	}
	return "." + s
}

// Text is the vector of a text that [Index.Texts] embedded, or an empty one.
func (x *Index) Text(s string, prompt bool) Vector {
	return x.texts[textKey(s, prompt)].vector
}

// maxTexts bounds the texts that are embedded in one call.
const maxTexts = 10_000

// Texts embeds those of the texts that have no vector yet.
func (x *Index) Texts(ctx context.Context, e Embedder, texts []string, prompts bool) error {
	for _, s := range texts[:min(len(texts), maxTexts)] {
		key := textKey(s, prompts)
		have, ok := x.texts[key]
		if !ok {
			vectors, err := e.Embed(ctx, []string{s}, prompts)
			if err != nil {
				return err
			}
			if len(vectors) != 1 {
				return errCount
			}
			have.vector = NewVector(vectors[0])
			x.touch()
		}
		have.used = x.today()
		x.texts[key] = have
	}
	return nil
}

// A pool is what was measured of a whole pool of skills.
type pool struct {
	measures []float32
	used     int64
}

// PoolKey names a pool by its contents and what is known of them.
func (x *Index) PoolKey(skills []skill.Skill) Key {
	h := sha256.New()
	for i := range skills {
		f := x.files[filepath.Join(skills[i].Dir, skill.FileName)]
		h.Write(f.key[:])
		if c := x.contents[f.key]; c != nil && !c.Head.Empty() {
			h.Write([]byte{1})
		}
	}
	return Key(h.Sum(nil))
}

// Measures are the numbers that were kept of a pool, or nil.
func (x *Index) Measures(k Key) []float32 { return x.pools[k].measures }

// KeepMeasures keeps numbers of a pool, at most [MaxMeasures] of them, each
// finite.
func (x *Index) KeepMeasures(k Key, measures []float32) {
	x.pools[k] = pool{measures, x.today()}
	x.touch()
}

// MaxMeasures is how many numbers are kept of one pool.
const MaxMeasures = 8

// lacking lists skills by what their content lacks, each content once.
func (x *Index) lacking(skills []skill.Skill, limit int, lacks func(*Content) bool) (list []*skill.Skill) {
	seen := map[*Content]bool{}
	for i := range skills {
		c := x.Of(&skills[i])
		if c == nil || seen[c] || !lacks(c) {
			continue
		}
		if seen[c] = true; limit >= 0 && len(list) == limit {
			break
		}
		list = append(list, &skills[i])
	}
	return list
}

func bodyOf(s *skill.Skill) (string, error) {
	if s.Body != "" {
		return s.Body, nil
	}
	path := filepath.Join(s.Dir, skill.FileName)
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	front, err := skill.Files{}.Read(path, info)
	return front.Body, err
}

// words writes a skill's name as a person says it.
func words(name string) string {
	return strings.NewReplacer("-", " ", "_", " ", ":", " ").Replace(name)
}

// sections cuts a body before its headings into texts of about sectionBytes,
// each behind the skill's name, for a section alone seldom says what it is of.
func sections(name, body string) (texts []string) {
	var piece strings.Builder
	flush := func() {
		if s := strings.TrimSpace(piece.String()); s != "" && len(texts) < maxSections {
			texts = append(texts, name+"\n"+s)
		}
		piece.Reset()
	}
	for line := range strings.Lines(body) {
		if piece.Len() > 0 && (strings.HasPrefix(line, "#") && piece.Len() > sectionBytes/2 || piece.Len()+len(line) > sectionBytes*3/2) {
			flush()
		}
		if len(texts) == maxSections {
			return texts
		}
		if len(line) > sectionBytes {
			line = strings.ToValidUTF8(line[:sectionBytes], "") + "\n"
		}
		piece.WriteString(line)
	}
	flush()
	return texts
}
