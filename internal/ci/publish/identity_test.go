package publish

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

func TestOtherWorkspace(t *testing.T) {
	subs := func(n int) []bundle.Submodule { return make([]bundle.Submodule, n) }
	for _, tt := range []struct {
		name         string
		mine, theirs bundle.Build
		want         string
	}{
		{"same address, other spelling", bundle.Build{URL: "https://example.org/o/u.git", Head: "a"}, bundle.Build{URL: "ssh://git@example.org/o/u", Head: "b"}, ""},
		{"another address", bundle.Build{URL: "https://example.org/o/app", Head: "a"}, bundle.Build{URL: "https://example.org/o/u", Head: "b"}, "is of https://example.org/o/u"},
		{"built in a submodule", bundle.Build{Head: "a"}, bundle.Build{Head: "b", Submodules: subs(3)}, "has 3 submodules, this one has none"},
		{"the last submodule was removed", bundle.Build{Head: "a"}, bundle.Build{Head: "b", Submodules: subs(1)}, ""},
		{"a submodule was added", bundle.Build{Head: "a", Submodules: subs(4)}, bundle.Build{Head: "b", Submodules: subs(3)}, ""},
		{"no addresses, one repository each", bundle.Build{Head: "a"}, bundle.Build{Head: "b"}, ""},
		{"the same commit", bundle.Build{Head: "a"}, bundle.Build{Head: "a", Submodules: subs(2)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := otherWorkspace(tt.mine, tt.theirs)
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("otherWorkspace = %q, want %q", got, tt.want)
			}
		})
	}
}
