package publish

import (
	"errors"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

func TestCheckPrivate(t *testing.T) {
	b := bundle.Build{Private: []string{"services/billing\x1b[1m", "b", "c", "d", "e", "f", "g", "h", "i", "j"}}
	err := CheckPrivate(b, false)
	var refused *bundle.Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "services/billing-[1m, b,") || !strings.Contains(err.Error(), "and 2 more") || !strings.Contains(refused.Hint(), "--include-private") {
		t.Errorf("got %v", err)
	}
	if err := CheckPrivate(b, true); err != nil {
		t.Errorf("meant: %v", err)
	}
	if err := CheckPrivate(bundle.Build{}, false); err != nil {
		t.Errorf("nothing private: %v", err)
	}
}

func TestWarnings(t *testing.T) {
	sub := func(path, url string) bundle.Submodule { return bundle.Submodule{Path: path, URL: url} }
	tests := []struct {
		name   string
		build  bundle.Build
		remote string
		want   []string // a part of each
	}{
		{"one host", bundle.Build{URL: "https://github.com/o/u", Submodules: []bundle.Submodule{sub("a", "git@github.com:o/a.git"), sub("b", "https://GitHub.com/x/b")}}, "ssh://git@github.com/o/u", nil},
		{"a submodule of another host", bundle.Build{URL: "https://github.com/o/u", Submodules: []bundle.Submodule{sub("a", "git@git.corp.example:o/a"), sub("b", "https://git.corp.example/o/b"), sub("c", "https://github.com/o/c")}}, "https://github.com/o/u",
			[]string{"these submodules come from git.corp.example: a, b;"}},
		{"a remote of another host", bundle.Build{URL: "https://git.corp.example/o/u", Submodules: []bundle.Submodule{sub("a", "https://git.corp.example/o/a")}}, "https://github.com/o/u",
			[]string{"the umbrella is at git.corp.example and the bundle goes to github.com"}},
		{"private ones that are meant", bundle.Build{Private: []string{"billing"}}, "/srv/r.git", []string{"private submodules billing: whoever reads /srv/r.git"}},
		{"a path", bundle.Build{URL: "https://github.com/o/u", Submodules: []bundle.Submodule{sub("a", "https://other.example/o/a")}}, "/srv/r.git", nil},
		{"addresses that say nothing", bundle.Build{URL: "", Submodules: []bundle.Submodule{sub("a", ""), sub("b", "../b.git"), sub("c", "https://u:p@x/y"), sub("d", "\n")}}, "https://github.com/o/u", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := ParseAddress(tt.remote, "/")
			must(t, err)
			got := Warnings(tt.build, a)
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for i, part := range tt.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("got %q, want %q", got[i], part)
				}
			}
		})
	}
}
