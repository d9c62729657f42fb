package main

import (
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/evaluation/edges/fact"
)

const tree = `DefId(0:5 ~ shop[1a2b]::cart::{impl#0}::add):
params: [
]
body:
    Expr {
        ty: ()
        span: src/cart.rs:7:30: 9:6 (#0)
        kind:
            Call {
                ty: FnDef(DefId(2:35 ~ core[667c]::cmp::Ord::cmp), [cart::Line])
                from_hir_call: true
                fn_span: src/cart.rs:8:11: 8:21 (#0)
                fun:
                    Expr {
                        ty: FnDef(DefId(2:35 ~ core[667c]::cmp::Ord::cmp), [cart::Line])
                        span: src/cart.rs:8:14: 8:17 (#0)
            Call {
                ty: FnDef(DefId(0:9 ~ shop[1a2b]::helper), [])
                from_hir_call: true
                fn_span: src/cart.rs:8:2: 8:9 (#0)
                fun:
                    Expr {
                        ty: FnDef(DefId(0:9 ~ shop[1a2b]::helper), [])
                        span: src/cart.rs:8:2: 8:8 (#7)
            Call {
                ty: FnDef(DefId(2:40 ~ core[667c]::ops::arith::Add::add), [u8, u8])
                from_hir_call: false
                fun:
                    Expr {
                        span: src/cart.rs:8:2: 8:8 (#0)
`

func TestReadDump(t *testing.T) {
	d, err := readDump(strings.NewReader(tree))
	if err != nil {
		t.Fatal(err)
	}
	if at := d.bodies["cart::{impl#0}::add"]; at != (position{"src/cart.rs", 7, 30}) {
		t.Errorf("the body stands at %v", at)
	}
	if len(d.calls) != 1 {
		t.Fatalf("%d calls, want the one that is written: %v", len(d.calls), d.calls)
	}
	c := d.calls[0]
	if c.self != "cart::Line" || c.target.key() != "cmp::Ord::cmp" || c.target.local || c.at != (position{"src/cart.rs", 8, 17}) {
		t.Errorf("call = %+v", c)
	}
}

func TestFactsLeadToTheImplOfAKnownType(t *testing.T) {
	src := &sources{lines: map[string][]string{"src/cart.rs": strings.Split(`struct Line;

impl Ord for Line {
    fn cmp(&self, other: &Self) -> Ordering { todo }
}

pub fn add(a: &Line, b: &Line) {
    assert!(a.cmp(b).is_eq());
}
`, "\n")}}
	src.readImpls("src/cart.rs")
	r := &resolver{sources: src, own: &dump{bodies: map[string]position{}}}
	got := r.facts(call{at: position{"src/cart.rs", 8, 18}, target: defPath{crate: "core", names: []string{"cmp", "Ord", "cmp"}}, self: "cart::Line"})
	want := fact.Call{File: "src/cart.rs", Line: 8, Name: "cmp", TargetFile: "src/cart.rs", TargetLine: 4}
	if len(got) != 1 || got[0] != want {
		t.Errorf("facts = %+v, want %+v", got, want)
	}
}

func TestBare(t *testing.T) {
	for in, want := range map[string]string{
		"&'a mut a::Foo<T>": "Foo", "Foo": "Foo", "a::B where T: C": "B", "&'{erased} W<X>": "W",
	} {
		if got := bare(in); got != want {
			t.Errorf("bare(%q) = %q, want %q", in, got, want)
		}
	}
}
