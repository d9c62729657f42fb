package skillsvendor

import (
	"bytes"
	"path"
	"regexp"
	"slices"

	"github.com/marola-dev/marola-routing/internal/ci/skillslock"
	"github.com/marola-dev/marola-routing/internal/route/source"
)

// uninstall plans to take away what install added. What was changed since is
// kept.
func uninstall(e *edits) error {
	lock, err := e.lock()
	if err != nil {
		return err
	}
	row, there := lock.Row(skillName)
	if !there {
		return nil
	}
	if err := e.dropSkill(skillName, row); err != nil {
		return err
	}
	if beside, there := lock.Row(besideName); there && beside.Upstream == row.Upstream {
		if err := e.dropSkill(besideName, beside); err != nil {
			return err
		}
		lock.Remove(besideName)
	}
	made := func(name string) bool { return slices.Contains(row.Installed, name) }
	for _, f := range []struct {
		name    string
		without func([]byte) ([]byte, bool)
		whole   func([]byte) bool // that it is what install makes
	}{
		{settingsName, withoutHook, func(b []byte) bool { return bytes.Equal(b, newSettings()) }},
		{agentsName, withoutLine, func(b []byte) bool { return string(b) == agentsBlock }},
		{source.SettingsFile, nil, isRoutingJSON},
		{workflowName, nil, isWorkflow},
	} {
		data, there, err := e.read(f.name)
		switch {
		case err != nil:
			return err
		case !there:
			continue
		case made(f.name) && f.whole(data):
			e.remove(f.name)
			continue
		case f.without == nil:
			if made(f.name) {
				e.kept = append(e.kept, f.name)
			}
			continue
		}
		if before, ok := f.without(data); ok {
			e.put(f.name, before, 0o644)
		} else {
			e.kept = append(e.kept, f.name)
		}
	}
	lock.Remove(skillName)
	if made(lockName) && len(lock.Names()) == 0 {
		e.remove(lockName)
	} else {
		e.put(lockName, lock.Bytes(), 0o644)
	}
	slices.Sort(e.kept)
	return nil
}

// dropSkill plans to remove a skill's files, but for those that were changed.
func (e *edits) dropSkill(skill string, row skillslock.Row) error {
	for file, blob := range row.Files {
		name := path.Join(skillsDir, skill, file)
		data, there, err := e.read(name)
		switch {
		case err != nil:
			return err
		case there && skillslock.Blob(data) != blob:
			e.kept = append(e.kept, name)
		case there:
			e.remove(name)
		}
	}
	return nil
}

var umbrellaOnly = regexp.MustCompile(`^(\{\}\n|\{\n  "umbrella": "[^"\n]*"\n\}\n)$`)

func isRoutingJSON(data []byte) bool { return umbrellaOnly.Match(data) }

var fullCommit = regexp.MustCompile(`ROUTING_COMMIT: ([0-9a-f]{40})\n`)

// isWorkflow reports whether it is the one that install makes, of whatever
// commit.
func isWorkflow(data []byte) bool {
	m := fullCommit.FindSubmatch(data)
	return m != nil && bytes.Equal(data, workflow(string(m[1])))
}
