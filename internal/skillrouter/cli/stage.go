package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/marola-dev/marola-routing/internal/command"
	"github.com/marola-dev/marola-routing/internal/skillrouter/rank"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

// manifestName is the file in a target that tells what was staged.
const manifestName = "codex_home_staged.json"

type manifest struct {
	Staged  []stagedRow `json:"staged"`
	Dropped []stagedRow `json:"dropped"`
}

type stagedRow struct {
	Name     string `json:"name"`
	SkillDir string `json:"skill_dir"`
	DescTok  int    `json:"desc_tok"`
}

// stage makes a directory of links to the picks. It empties DIR/skills first,
// and refuses one that has anything but links: that is nobody's stage.
func stage(o *searchOptions, p command.Process, picks []rank.Pick) error {
	target := p.Abs(o.target)
	dir := filepath.Join(target, "skills")
	if err := emptyStage(dir); err != nil {
		return err
	}
	m := manifest{Staged: []stagedRow{}, Dropped: []stagedRow{}}
	left := o.budgetTokens
	for _, k := range picks {
		row := stagedRow{k.Skill.Name, k.Skill.Dir, tokens(k.Skill)}
		if row.DescTok > left {
			m.Dropped = append(m.Dropped, row)
			continue
		}
		link := filepath.Join(dir, linkName(k.Skill))
		if err := os.Symlink(k.Skill.Dir, link); err != nil {
			return err
		}
		left -= row.DescTok
		m.Staged = append(m.Staged, row)
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(target, manifestName), append(data, '\n'), 0o600); err != nil {
		return err
	}
	switch {
	case o.printManifest || o.json:
		return p.WriteJSON(m)
	case !o.noPrepend && len(m.Staged) > 0:
		var names []string
		for _, r := range m.Staged[:min(len(m.Staged), o.prependK)] {
			names = append(names, line(r.Name))
		}
		_, err = fmt.Fprintf(p.Stdout, "Skills that may help: %s\n\n", strings.Join(names, ", "))
	}
	return err
}

// linkName is the skill's name where that can be a file's, else that of its
// directory.
func linkName(s *skill.Skill) string {
	if name := s.Name; name != "" && name[0] != '.' && !strings.ContainsAny(name, "/\\:") {
		return name
	}
	return filepath.Base(s.Dir)
}

func emptyStage(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink == 0 {
			return fmt.Errorf("%s has %s, which is no link: it is not emptied", dir, e.Name())
		}
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
