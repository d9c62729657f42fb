package actions

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// obeys reports a line that the runner would take for a command: its own
// reading, of both forms.
func obeys(line string) bool {
	return strings.HasPrefix(strings.TrimSpace(strings.TrimLeft(line, "\ufeff")), "::") || strings.Contains(line, "##[")
}

func TestGuard(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a :: b\n", "a :: b\n"},
		{"::error::x\n", `:\u003aerror::x` + "\n"},
		{"ok\n  ::set-output name=changed::true\n", "ok\n  :\\u003aset-output name=changed::true\n"},
		{"ok\r::error::x\n", "ok\r:\\u003aerror::x\n"},
		{"\u00a0\u3000::error::x\n", "\u00a0\u3000:\\u003aerror::x\n"},
		{"::::\n", `:\u003a::` + "\n"},
		{": :\n", ": :\n"},
		{"a ##[set-output name=x;]y\n", `a ##\u005bset-output name=x;]y` + "\n"},
		{"###[x]\n", `###\u005bx]` + "\n"},
		{"#\n#[x]\n", "#\n#[x]\n"},
	} {
		for size := 1; size <= len(c.in); size++ {
			var out strings.Builder
			g := NewGuard(&out)
			for rest := c.in; rest != ""; {
				part := rest[:min(size, len(rest))]
				if n, err := g.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatalf("Write = %d, %v", n, err)
				}
				rest = rest[len(part):]
			}
			if out.String() != c.want {
				t.Errorf("%q in parts of %d comes out as %q, want %q", c.in, size, out.String(), c.want)
			}
		}
	}
}

func TestGuardKeepsJSON(t *testing.T) {
	const label = "::error::x ##[set-output name=changed;]true"
	data, err := json.MarshalIndent(map[string]any{"label": label, label: []string{label}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := NewGuard(&out).Write(data); err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || back["label"] != label || back[label] == nil {
		t.Errorf("the JSON means %v (%v)", back, err)
	}
}

func TestGuardReportsTheStreamsError(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if n, err := NewGuard(w).Write([]byte("x")); n != 0 || err == nil {
		t.Errorf("Write = %d, %v on a closed stream", n, err)
	}
}

func FuzzGuard(f *testing.F) {
	f.Add("a\n::error::x", "##", "[x]\n")
	f.Add(" :", ":add-mask::x", "\r\n::")
	f.Add("\u2003", "::x", "#")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		var out strings.Builder
		g := NewGuard(&out)
		for _, part := range []string{a, b, c} {
			if _, err := g.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
		}
		for line := range strings.FieldsFuncSeq(out.String(), func(r rune) bool { return r == '\n' || r == '\r' }) {
			if obeys(line) {
				t.Errorf("%q + %q + %q gives the line %q, which the runner obeys", a, b, c, line)
			}
		}
		if !strings.Contains(a+b+c, ":") && !strings.Contains(a+b+c, "[") && out.String() != a+b+c {
			t.Errorf("%q + %q + %q comes out as %q", a, b, c, out.String())
		}
	})
}
