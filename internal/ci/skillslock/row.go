package skillslock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/marola-dev/marola-routing/internal/route/gitstore"
	"github.com/marola-dev/marola-routing/internal/route/jsonplace"
	"github.com/marola-dev/marola-routing/internal/route/plaintext"
)

const maxText = 2000 // bytes of one value

// parseRow reads the row that begins at from. data ends where the row does.
func parseRow(data []byte, from int) (Row, error) {
	var r Row
	all, err := jsonplace.Members(data, from)
	if err != nil {
		return r, err
	}
	seen := map[string]bool{}
	for _, m := range all {
		raw := data[m.From:m.To]
		seen[m.Name] = true
		var to any
		switch m.Name {
		case "upstream":
			to = &r.Upstream
		case "path":
			to = &r.Path
		case "commit":
			to = &r.Commit
		case "files":
			to = &r.Files
		case "license":
			to = &r.License
		case "local_edits":
			to = &r.LocalEdits
		case "hold":
			to = &r.Hold
		case "paths":
			to = &r.Paths
		case "upstream_files":
			to = &r.UpstreamFiles
		case "modes":
			to = &r.Modes
		case "platforms":
			to = &r.Platforms
		case "follow":
			to = &r.Follow
		case "toolchain":
			to = &r.Toolchain
		case "installed":
			to = &r.Installed
		default:
			r.extra = append(r.extra, member{m.Name, slices.Clone(raw)})
			continue
		}
		if err := json.Unmarshal(raw, to); err != nil {
			return r, fmt.Errorf("%s is not what it must be: %.80s", m.Name, raw)
		}
	}
	for _, needed := range []string{"upstream", "path", "commit", "files"} {
		if !seen[needed] {
			return r, fmt.Errorf("%s is missing", needed)
		}
	}
	if r.Files == nil {
		return r, fmt.Errorf("files is null")
	}
	return r, r.check()
}

// check refuses a row that something could be hidden in. A lock is text that
// a pull request can change.
func (r Row) check() error {
	for _, v := range []struct{ name, text string }{
		{"upstream", r.Upstream}, {"path", r.Path}, {"license", r.License}, {"local_edits", r.LocalEdits}, {"hold", r.Hold}, {"follow", r.Follow}, {"toolchain", r.Toolchain},
	} {
		if v.text != plaintext.Line(v.text, maxText) {
			return fmt.Errorf("%s has characters that do not belong there, or is too long", v.name)
		}
	}
	if _, err := Address(r.Upstream); err != nil {
		return err
	}
	if r.Path != "" && !ValidPath(r.Path) {
		return fmt.Errorf("path %q is not a directory of a repository", r.Path)
	}
	if r.Commit != "" && (!gitstore.IsHash(r.Commit) || len(r.Commit) != 40) {
		return fmt.Errorf("commit %.60q is not 40 hex digits", r.Commit)
	}
	if r.LocalEdits != "" && !ValidPath(r.LocalEdits) {
		return fmt.Errorf("local_edits %q is not a path below the lock's directory", r.LocalEdits)
	}
	if r.Follow != "" && r.Follow != "releases" {
		return fmt.Errorf("follow is %q; it can only be releases", r.Follow)
	}
	if r.Toolchain != "" && !ValidToolchain(r.Toolchain) {
		return fmt.Errorf("toolchain %q is not like go1.26.8", r.Toolchain)
	}
	for name, files := range map[string]map[string]string{"files": r.Files, "upstream_files": r.UpstreamFiles} {
		if len(files) > MaxFiles {
			return fmt.Errorf("%s has %d files; at most %d are read", name, len(files), MaxFiles)
		}
		if err := CheckPaths(sortedNames(files)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for file, hash := range files {
			if !gitstore.IsHash(hash) || len(hash) != 40 {
				return fmt.Errorf("%s: the hash of %q is not 40 hex digits", name, file)
			}
		}
	}
	for file, up := range r.Paths {
		if !ValidPath(file) || !ValidPath(up) {
			return fmt.Errorf("paths: %q or %q is not a path", file, up)
		}
	}
	for file, mode := range r.Modes {
		if _, ok := r.Files[file]; !ok || mode != Executable {
			return fmt.Errorf("modes: %q must be a file of the row, with %q", file, Executable)
		}
	}
	for _, file := range r.Installed {
		if !ValidPath(file) {
			return fmt.Errorf("installed: %q is not a path", file)
		}
	}
	for i, p := range r.Platforms {
		if os, arch, ok := strings.Cut(p, "-"); !ok || os == "" || arch == "" || !ValidName(p) || slices.Contains(r.Platforms[:i], p) {
			return fmt.Errorf("platforms: %q is not like linux-amd64, or stands there twice", p)
		}
	}
	return nil
}

// Executable is the mode of a program, as git writes it.
const Executable = "100755"

// ValidToolchain reports whether s names a version of Go, as in "go1.26.8".
func ValidToolchain(s string) bool {
	rest, ok := strings.CutPrefix(s, "go1.")
	return ok && rest != "" && len(rest) < 20 && !strings.ContainsFunc(rest, func(c rune) bool { return !(c >= '0' && c <= '9' || c == '.' || c >= 'a' && c <= 'z') })
}

// encode writes a row as this format is written: two spaces, known keys in
// order, then those that are not known.
func (l *Lock) encode(at rowAt) []byte {
	var b bytes.Buffer
	r, first := at.row, true
	put := func(key string, value any) {
		if !first {
			b.WriteByte(',')
		}
		first = false
		fmt.Fprintf(&b, "\n      %s: ", text(key))
		writeValue(&b, value)
	}
	nullable := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	fmt.Fprintf(&b, "%s: {", text(at.name))
	put("upstream", r.Upstream)
	put("path", r.Path)
	put("commit", nullable(r.Commit))
	put("files", r.Files)
	put("license", nullable(r.License))
	put("local_edits", nullable(r.LocalEdits))
	put("hold", nullable(r.Hold))
	for _, m := range []struct {
		key   string
		value map[string]string
	}{{"paths", r.Paths}, {"upstream_files", r.UpstreamFiles}, {"modes", r.Modes}} {
		if m.value != nil {
			put(m.key, m.value)
		}
	}
	if r.Platforms != nil {
		put("platforms", r.Platforms)
	}
	if r.Follow != "" {
		put("follow", r.Follow)
	}
	if r.Toolchain != "" {
		put("toolchain", r.Toolchain)
	}
	if len(r.Installed) > 0 {
		put("installed", r.Installed)
	}
	for _, m := range r.extra {
		put(m.name, json.RawMessage(m.raw))
	}
	b.WriteString("\n    }")
	if l.crlf {
		return bytes.ReplaceAll(bytes.ReplaceAll(b.Bytes(), []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	}
	return b.Bytes()
}

func writeValue(b *bytes.Buffer, value any) {
	switch v := value.(type) {
	case nil:
		b.WriteString("null")
	case string:
		b.WriteString(text(v))
	case json.RawMessage:
		b.Write(v)
	case []string:
		b.WriteByte('[')
		for i, s := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(text(s))
		}
		b.WriteByte(']')
	case map[string]string:
		if len(v) == 0 {
			b.WriteString("{}")
			return
		}
		b.WriteByte('{')
		for i, key := range sortedNames(v) {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, "\n        %s: %s", text(key), text(v[key]))
		}
		b.WriteString("\n      }")
	}
}

// text is a JSON string without escapes for HTML.
func text(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
