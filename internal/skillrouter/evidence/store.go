package evidence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/index"
)

// StoreFile is the store's usual name, in the data directory. It is not that of
// the mega-tron in Python, store.db, whose tables are others: see
// [Store.Migrate].
const StoreFile = "evidence.db"

// Place is the store's path: MEGA_TRON_STORE, else evidence.db in the data
// directory.
func Place(c *config.Config) string {
	if p := c.Env("MEGA_TRON_STORE"); filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(c.DataDir(), StoreFile)
}

// A Store is the database of verdicts. Several processes may have it open; it
// is safe for concurrent use.
type Store struct {
	db   *sql.DB
	path string
	log  *Log
	now  func() time.Time
}

// ErrNewer is a store that a later mega-tron wrote.
var ErrNewer = errors.New("a newer mega-tron wrote it; this one leaves it alone")

// Open opens the store at a path, and makes one where there is none.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	s, err := open(ctx, path)
	if err == nil || !errors.Is(err, errEmpty) {
		return s, err
	}
	// Only one process lays the tables.
	unlock, err := lock(ctx, path)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if s, err = open(ctx, path); !errors.Is(err, errEmpty) {
		return s, err
	}
	if err := lay(ctx, path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return open(ctx, path)
}

// Existing opens the store at a path. It is [fs.ErrNotExist] where there is
// none yet: asking for evidence makes none.
func Existing(ctx context.Context, path string) (*Store, error) {
	s, err := open(ctx, path)
	if errors.Is(err, errEmpty) {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return s, err
}

// errEmpty is a path without a store.
var errEmpty = errors.New("there is no store")

// connect opens the database. Writers wait for each other rather than fail.
func connect(path string) (*sql.DB, error) {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "synchronous(NORMAL)", "trusted_schema(OFF)"}, "_txlock": {"immediate"}}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	return db, nil
}

func open(ctx context.Context, path string) (*Store, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errEmpty
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	db, err := connect(path)
	if err != nil {
		return nil, err
	}
	version := 0
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	switch {
	case err == nil && version == 0:
		err = errEmpty
	case err == nil && version > schemaVersion:
		err = fmt.Errorf("%s: %w", path, ErrNewer)
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{db: db, path: path, log: &Log{path: filepath.Join(filepath.Dir(path), LogFile)}, now: time.Now}, nil
}

// lay makes the tables, all or none of them. The caller holds the lock.
func lay(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	db, err := connect(path)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d;", schemaVersion)); err != nil {
		return err
	}
	return tx.Commit()
}

// Close ends the use of the store.
func (s *Store) Close() error { return s.db.Close() }

// Path is the store's file.
func (s *Store) Path() string { return s.path }

// Log is where what was admitted and dropped is written.
func (s *Store) Log() *Log { return s.log }

// A lock is tried for again after a while that doubles from the first of these
// to the last: a hundred that wait must leave the processor to the one that
// writes.
const (
	firstWait = 2 * time.Millisecond
	lastWait  = 128 * time.Millisecond
)

// lock waits for the right to write evidence, which one process has at a time:
// counts in the store and in a SKILL.md change together.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		if unlock, ok := index.TryLock(path + ".lock"); ok {
			return unlock, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another process is writing evidence: %w", ctx.Err())
		case <-time.After(wait/2 + rand.N(wait/2)):
		}
	}
}

// Lock waits for the right to write evidence.
func (s *Store) Lock(ctx context.Context) (unlock func(), err error) { return lock(ctx, s.path) }

// write runs one transaction, all of it or nothing.
func (s *Store) write(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
