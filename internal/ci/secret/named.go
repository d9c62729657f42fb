package secret

import (
	"regexp"
	"strings"
)

// kinds are the words by which a name says that it holds a secret.
var kinds = []string{"secret", "token", "passwd", "password", "pwd", "apikey", "api_key", "api-key", "credential"}

const typeAndEquals = `(?:\s*:?\s*[a-z_&*\[][^=:,;(){}"'` + "`" + `\[]{0,60}(?:\[[^\]"'=]{0,60}\])?)?\s*:?=`

const secretName = `[\w$.-]*(?:secret|token|passwd|password|pwd|api[_-]?key|credential)[\w$.-]*`

var (
	// quoted is a name, a type where there is one, and the text it is given.
	// A text that is cut off has no end.
	quoted = regexp.MustCompile(`(?i)(` + secretName + `["']?\s*[?!]?(?:` + typeAndEquals + `|\s*:)\s*[a-z&]{0,3})` +
		`("""(?s:.*?)(?:"""|$)|'''(?s:.*?)(?:'''|$)|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|` + "`[^`]*`?)")
	// bare is a line that gives a name a text without quotes.
	bare = regexp.MustCompile(`(?i)^(\s*(?:(?:export|readonly|declare|local|set)\s+(?:-\w+\s+)*)?` + secretName + `\s*=\s*)(\S.*)$`)
)

// MaskNamed replaces the texts in quotes that are given to names which say
// that they hold a secret, as in `password = "…"`. The names stay.
func MaskNamed(text string) string {
	if !named(text) {
		return text
	}
	return quoted.ReplaceAllStringFunc(text, func(all string) string {
		m := quoted.FindStringSubmatch(all)
		q := m[2][:1]
		return m[1] + q + mark + q
	})
}

// MaskLine is as [MaskNamed], for one line of a file in which values need no
// quotes: an .env file, a shell script.
func MaskLine(line string) string {
	if !named(line) {
		return line
	}
	text := strings.TrimRight(line, "\r\n")
	m := bare.FindStringSubmatch(text)
	if m == nil || strings.ContainsRune("$\"'`", rune(m[2][0])) { // another variable's value, or in quotes
		return MaskNamed(line)
	}
	return m[1] + mark + line[len(text):]
}

// named reports whether a text may name a secret, cheaply.
func named(text string) bool {
	if !strings.ContainsAny(text, "=:") {
		return false
	}
	text = strings.ToLower(text)
	for _, k := range kinds {
		if strings.Contains(text, k) {
			return true
		}
	}
	return false
}
