package gitstore

import (
	"fmt"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// File reads one file at the top of the tree of the commit with this full
// hash, in one exchange with git. It keeps what [Tree.ReadFile] keeps: a
// plain file, of at most [bundle.MaxFile] bytes. [Commit.Exists] of the
// commit comes with it: a file of a commit that is not here is [ErrNotLocal].
func (s *Store) File(commit, name string) ([]byte, error) {
	if !IsHash(commit) || !bundle.ValidName(name) {
		return nil, fmt.Errorf("%q of %q is not a file of a bundle", name, commit)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	tree := &request{name: commit + "^{tree}", kind: "tree", max: maxTree}
	file := &request{name: commit + ":" + name, kind: "blob", max: bundle.MaxFile}
	s.ask(tree, file)
	if err := s.wait(tree); err != nil {
		return nil, err
	}
	if tree.missing {
		return nil, ErrNotLocal
	}
	if !tree.acceptable() {
		return nil, &bundle.Refused{Reason: fmt.Sprintf("its tree has %d bytes; a directory has at most %d", tree.size, tree.max)}
	}
	entries, err := parseTree(tree.data, len(tree.hash)/2)
	if err != nil {
		return nil, &bundle.Refused{Reason: fmt.Sprintf("its tree: %v", err)}
	}
	entry, ok := entries[name]
	if err := s.wait(file); err != nil {
		return nil, err
	}
	switch {
	case !ok:
		return nil, notThere(name)
	case entry.mode != modeFile:
		return nil, &bundle.Refused{File: name, Reason: fmt.Sprintf("it is %s, not a plain file", modeName(entry.mode))}
	case file.missing:
		return nil, fmt.Errorf("%w (%s)", ErrNotLocal, name)
	case file.found != file.kind:
		return nil, &bundle.Refused{File: name, Reason: fmt.Sprintf("it is a %s, not a file", file.found)}
	case file.size > file.max:
		return nil, bundle.TooLarge(name, file.size)
	}
	return file.data, nil
}
