package main

import (
	"testing"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
	"github.com/marola-dev/marola-routing/internal/ci/resolve"
)

func TestFinder(t *testing.T) {
	f := newFinder([]resolve.Unit{{Path: "a.py", File: &extract.File{Definitions: []extract.Definition{
		{Name: "load", Container: "Store", Line: 10}, {Name: "#main", Line: 20}, {Name: "free", Line: 30},
	}}}})
	for _, tt := range []struct {
		tag  tag
		want bool
	}{
		{tag{Path: "a.py", Name: "load", Line: 12, Scope: "Other"}, true},
		{tag{Path: "a.py", Name: "load", Line: 14, Scope: "Other"}, false},
		{tag{Path: "a.py", Name: "load", Line: 90, Scope: "mod.Store"}, true},
		{tag{Path: "a.py", Name: "load", Line: 90}, false},
		{tag{Path: "a.py", Name: "free", Line: 90}, true},
		{tag{Path: "b.py", Name: "free", Line: 30}, false},
		{tag{Path: "a.py", Name: "main", Line: 20}, true},
	} {
		if got := f.has(tt.tag); got != tt.want {
			t.Errorf("%+v found: %t", tt.tag, got)
		}
	}
}

func TestDefines(t *testing.T) {
	for _, tt := range []struct {
		lang string
		tag  tag
		want bool
	}{
		{"python", tag{Name: "x", Kind: "variable", ScopeKind: "function"}, false},
		{"python", tag{Name: "x", Kind: "variable", ScopeKind: "class"}, true},
		{"python", tag{Name: "f", Kind: "function", ScopeKind: "function"}, true},
		{"c", tag{Name: "__A_H__", Kind: "macro"}, false},
		{"c", tag{Name: "MAX", Kind: "macro"}, true},
		{"rust", tag{Name: "a", Kind: "module", Pattern: "/^mod a;$/"}, false},
		{"rust", tag{Name: "a", Kind: "module", Pattern: "/^mod a {$/"}, true},
		{"kotlin", tag{Name: "it", Kind: "method", Pattern: "/^  list.map { it ->$/"}, false},
		{"kotlin", tag{Name: "go", Kind: "method", Pattern: "/^  fun go() = 1$/"}, true},
		{"kotlin", tag{Name: "<lambda>", Kind: "method"}, false},
	} {
		if got := defines(tt.lang, tt.tag); got != tt.want {
			t.Errorf("%s %+v: %t", tt.lang, tt.tag, got)
		}
	}
}
