package wire

import (
	"path"
	"slices"
	"strings"
)

// Texts that are followed through variables and expressions may have several
// values, and parts that nothing in the workspace tells. Such a part is a
// name between two marks that no file has; shown makes it readable.
const (
	openMark, closeMark = "\x01", "\x02"

	maxValues = 16       // values one text may have; the others are not followed
	maxValue  = 64 << 10 // bytes of a value
)

// unknown is a part that cannot be told, by the name of where it comes from.
func unknown(name string) string {
	name = strings.ToLower(strings.Trim(strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '<' || r == '>' {
			return -1
		}
		return r
	}, name), "_- "))
	switch {
	case strings.Contains(name, "tag"), name == "github_ref_name", name == "ref_name":
		name = "tag"
	case strings.Contains(name, "version"):
		name = "version"
	}
	return openMark + strings.ReplaceAll(name, "_", "-") + closeMark
}

// known reports whether every part of a text is told.
func known(s string) bool { return !strings.Contains(s, openMark) }

// fixed reports whether a text has a part that is told, besides signs.
func fixed(s string) bool {
	depth := 0
	for _, r := range s {
		switch {
		case r == '\x01':
			depth++
		case r == '\x02':
			depth--
		case depth == 0 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
			return true
		}
	}
	return false
}

// shown is a text as facts have it: <name> for what is not told. Parts that
// follow one another directly are one.
func shown(s string) string {
	if known(s) {
		return s
	}
	s = strings.ReplaceAll(s, openMark+closeMark, openMark+"value"+closeMark)
	return strings.NewReplacer(openMark, "<", closeMark, ">").Replace(s)
}

// pattern is a name with every <part> alike, so that what two files say of
// one thing is equal whatever their variables are called.
func pattern(name string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(name, '<')
		if i < 0 {
			break
		}
		end := strings.IndexByte(name[i:], '>')
		if end < 0 {
			break
		}
		b.WriteString(name[:i] + "<>")
		name = name[i+end+1:]
	}
	return b.String() + name
}

// fits reports whether a name without parts is one that a pattern allows.
func fits(pat, name string) bool {
	pieces := strings.Split(pat, "<>")
	if len(pieces) == 1 {
		return pat == name
	}
	if !strings.HasPrefix(name, pieces[0]) {
		return false
	}
	name = name[len(pieces[0]):]
	for i, p := range pieces[1:] {
		if i == len(pieces)-2 {
			return len(name) > len(p) && strings.HasSuffix(name, p)
		}
		at := strings.Index(name[min(1, len(name)):], p)
		if at < 0 {
			return false
		}
		name = name[min(1, len(name))+at+len(p):]
	}
	return true
}

// union joins values, each once, within the limit.
func union(lists ...[]string) []string {
	var out []string
	for _, list := range lists {
		for _, v := range list {
			if len(out) == maxValues {
				return out
			}
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// concat is every value of a followed by every value of b, within the limit.
func concat(a, b []string) []string {
	if len(b) == 1 && b[0] == "" {
		return a
	}
	var out []string
	for _, x := range a {
		for _, y := range b {
			if len(out) == maxValues {
				return out
			}
			if len(x)+len(y) > maxValue {
				y = ""
			}
			out = append(out, x+y)
		}
	}
	return out
}

// baseOf is the last segment of a path that may have parts between marks.
func baseOf(p string) string {
	p = strings.TrimRight(strings.ReplaceAll(p, "\\", "/"), "/")
	if p == "" {
		return ""
	}
	return path.Base(p)
}

// truthy is what expressions and inputs take for yes.
func truthy(s string) bool { return s != "" && s != "false" && s != "0" && s != "no" }
