package assemble

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/workspace"
	"github.com/marola-dev/marola-routing/internal/route/index"
	"github.com/marola-dev/marola-routing/internal/route/lexicon"
	"github.com/marola-dev/marola-routing/internal/route/spool"
)

// A parsed is what one file gives: a result, a reason why it is left out, or
// an error that ends the build.
type parsed struct {
	file     *extract.File
	passages []index.Passage
	reason   string // why the file is left out
	trouble  string // what the parser met: the file's words are there, its definitions are not
	err      error

	// shelved says that file is an outline, whose references and passages are
	// where these say; see [shelf].
	shelved           bool
	references, words spool.Place
}

// A filePool parses single files; *[extract.Pool] is one.
type filePool interface {
	Parse(ctx context.Context, name string, data []byte) (*extract.File, error)
}

// A parser turns blobs into results, by way of the cache.
type parser struct {
	jobs  int
	pool  filePool
	cache *extract.Cache
	shelf *shelf
}

func newParser(pool filePool, r *workspace.Repo, o Options, s *shelf) *parser {
	return &parser{jobs: o.Jobs, pool: pool, cache: extract.OpenCache(o.CacheDir, cacheName(r)), shelf: s}
}

// cacheName is the name under which something of a repository is kept.
func cacheName(r *workspace.Repo) string {
	sum := sha256.Sum256([]byte(cmp.Or(r.URL, r.Dir)))
	return hex.EncodeToString(sum[:12])
}

// variant is everything but the blob that a result depends on.
func variant(f workspace.File) string {
	v := extract.Variant(f.Path, nil)
	if v == "" {
		v = "." + strings.ToLower(path.Ext(f.Path))
	}
	if isEnvironment(f.Path) {
		v += " env"
	}
	if strings.EqualFold(path.Ext(f.Path), ".sh") {
		v += " sh"
	}
	return fmt.Sprintf("%s w%d.%d", v, lexicon.Version, passagesVersion)
}

// cached returns an earlier result of the same bytes.
func (p *parser) cached(f workspace.File) (parsed, bool) {
	e, ok := p.cache.Get(f.Blob, variant(f))
	if !ok {
		return parsed{}, false
	}
	reason, ps, ok := decodeExtra(e.Extra)
	return parsed{file: e.File, passages: ps, reason: reason}, ok
}

// parse makes a result. A file that the parser cannot stand costs that file:
// its words are indexed, its definitions are not.
func (p *parser) parse(ctx context.Context, f workspace.File, data []byte) parsed {
	if reason := extract.LeftOut(f.Path, data); reason != "" {
		p.cache.Put(f.Blob, variant(f), extract.Entry{File: &extract.File{}, Extra: encodeExtra(reason, nil)})
		return parsed{reason: reason}
	}
	file, err := p.pool.Parse(ctx, f.Path, data)
	switch {
	case ctx.Err() != nil:
		return parsed{err: ctx.Err()}
	case errors.Is(err, extract.ErrStart):
		return parsed{err: err}
	case err != nil:
		file := &extract.File{Lang: extract.Language(f.Path, data), Broken: true}
		return parsed{file: file, passages: passages(f.Path, data, nil), trouble: trouble(err)}
	}
	ps := passages(f.Path, data, file.Definitions)
	p.cache.Put(f.Blob, variant(f), extract.Entry{File: file, Extra: encodeExtra("", ps)})
	return parsed{file: file, passages: ps}
}

// trouble groups what went wrong with a file, for counting. Whether a parser
// that runs away meets the end of its time or of its memory first depends on
// the machine and the number of jobs, so both are one.
func trouble(err error) string {
	if errors.Is(err, extract.ErrTooLong) || errors.Is(err, extract.ErrCrashed) {
		return "parser gave up"
	}
	return "parser failed"
}

// passagesVersion changes whenever the same file would be cut otherwise.
const passagesVersion = 3

// encodeExtra packs what this package adds to a cache entry: the reason, then
// for each passage its line and its terms with their counts.
func encodeExtra(reason string, ps []index.Passage) []byte {
	out := appendText(nil, reason)
	out = binary.AppendUvarint(out, uint64(len(ps)))
	for _, p := range ps {
		out = binary.AppendUvarint(out, uint64(p.Line))
		out = binary.AppendUvarint(out, uint64(len(p.Terms)))
		for _, t := range p.Terms {
			out = appendText(out, t.Term)
			out = binary.AppendUvarint(out, uint64(t.Count))
		}
	}
	return out
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// decodeExtra is the reverse; anything odd is a miss.
func decodeExtra(data []byte) (reason string, ps []index.Passage, ok bool) {
	text := string(data) // terms are slices of it: one allocation
	at := 0
	number := func(limit int) int {
		n, size := binary.Uvarint(data[at:])
		if size <= 0 || n > uint64(limit) {
			ok = false
			return 0
		}
		at += size
		return int(n)
	}
	word := func() string {
		n := number(len(data) - at)
		if !ok || n > len(data)-at {
			ok = false
			return ""
		}
		at += n
		return text[at-n : at]
	}
	ok = true
	reason = word()
	for range number(len(data)) {
		if !ok {
			return "", nil, false
		}
		p := index.Passage{Line: number(1 << 30)}
		n := number(len(data) - at)
		p.Terms = make([]index.TermCount, 0, n)
		for range n {
			p.Terms = append(p.Terms, index.TermCount{Term: word(), Count: number(1 << 20)})
		}
		ps = append(ps, p)
	}
	return reason, ps, ok && at == len(data)
}
