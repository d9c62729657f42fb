package source

import "strings"

// An address is scheme://user:password@host:port/path, taken apart. Package
// net/url would bring what IP addresses are with it, some 90 KB in a program
// that every clone carries.
type address struct {
	scheme   string // in lower case
	user     string
	password bool // that there is one
	host     string
	port     string // digits, or ""
	path     string // with its slash, and %20 and the like resolved
}

// parseAddress is strict where it is about who is asked: a host that has
// characters beyond those of names and of IPv6 is none. Query and fragment are
// left out.
func parseAddress(s string) (a address, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !isScheme(scheme) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return address{}, false
	}
	a.scheme = strings.ToLower(scheme)
	rest, fragment, _ := strings.Cut(rest, "#")
	if _, ok := unescape(fragment); !ok {
		return address{}, false
	}
	rest, _, _ = strings.Cut(rest, "?")
	authority, path := rest, ""
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	host := authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, secret := "", ""
		user, secret, a.password = strings.Cut(authority[:i], ":")
		if !only(user+secret, userMarks) || strings.ContainsFunc(user+secret, func(r rune) bool { return r >= 0x80 }) {
			return address{}, false
		}
		if a.user, ok = unescape(user); !ok {
			return address{}, false
		}
		if _, ok = unescape(secret); !ok {
			return address{}, false
		}
		host = authority[i+1:]
	}
	if a.host, a.port, ok = splitPort(host); !ok {
		return address{}, false
	}
	a.path, ok = unescape(path)
	return a, ok
}

func isScheme(s string) bool {
	for i := range len(s) {
		letter := s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'
		if !letter && (i == 0 || !strings.Contains("0123456789+-.", s[i:i+1])) {
			return false
		}
	}
	return s != ""
}

const (
	userMarks = "-._~!$&'()*+,;=:@%"
	hostMarks = "-._~"
)

// only reports that s has letters, digits, these marks, and what is not
// ASCII.
func only(s, marks string) bool {
	for i := range len(s) {
		c := s[i]
		if c < 0x80 && !(c|0x20 >= 'a' && c|0x20 <= 'z') && !(c >= '0' && c <= '9') && strings.IndexByte(marks, c) < 0 {
			return false
		}
	}
	return true
}

// splitPort takes host:port apart; an IPv6 host stands in brackets.
func splitPort(s string) (host, port string, ok bool) {
	if rest, bracket := strings.CutPrefix(s, "["); bracket {
		host, rest, ok = strings.Cut(rest, "]")
		colon := ""
		if rest != "" {
			colon, rest = rest[:1], rest[1:]
		}
		six := strings.Contains(host, ":") && strings.Trim(host, "0123456789abcdefABCDEF:.") == ""
		return host, rest, ok && six && (colon == "" || colon == ":") && digits(rest)
	}
	host, port, _ = strings.Cut(s, ":")
	return host, port, only(host, hostMarks) && digits(port)
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// unescape resolves %20 and the like.
func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if i+2 >= len(s) || nibble(s[i+1]) < 0 || nibble(s[i+2]) < 0 {
				return "", false
			}
			c = byte(nibble(s[i+1])<<4 | nibble(s[i+2]))
			i += 2
		}
		out = append(out, c)
	}
	return string(out), true
}

// nibble is the value of a hex digit, or -1.
func nibble(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
