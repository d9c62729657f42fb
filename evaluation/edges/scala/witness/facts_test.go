package main

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/marola-dev/marola-routing/evaluation/edges/fact"
)

func number(field, value int) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), uint64(value))
}

func bytes(field int, b []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3|2), uint64(len(b))), b...)
}

func at(line, start, end int, symbol string, role int) []byte {
	where := slices.Concat(number(1, line), number(2, start), number(3, line), number(4, end))
	return bytes(occurrencesField, slices.Concat(bytes(1, where), bytes(2, []byte(symbol)), number(3, role)))
}

func TestFacts(t *testing.T) {
	lines := []string{"class A(n: Int) { def go(k: Int): Int = k }", "object B { def run = new A(1).go(2) }"}
	list := bytes(2, bytes(1, []byte("A#go().(k)")))
	b := bytes(documentsField, slices.Concat(
		bytes(uriField, []byte("A.scala")),
		bytes(symbolsField, slices.Concat(bytes(1, []byte("A#go().")), number(3, kindMethod), bytes(17, bytes(methodSignature, list)))),
		at(0, 6, 7, "A#", roleDefinition), at(0, 7, 7, "A#`<init>`().", roleDefinition), at(0, 22, 24, "A#go().", roleDefinition),
		at(1, 25, 26, "A#`<init>`().", 1), at(1, 30, 32, "A#go().", 1)))
	documents, err := readDocuments(b)
	if err != nil {
		t.Fatal(err)
	}
	got := newSymbols(documents).facts(documents[0], lines)
	want := []fact.Call{
		{File: "A.scala", Line: 2, Name: "A", TargetFile: "A.scala", TargetLine: 1, Dynamic: true},
		{File: "A.scala", Line: 2, Name: "go", TargetFile: "A.scala", TargetLine: 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("facts = %+v\nwant    %+v", got, want)
	}
}

func TestReadDocumentsRefusesWhatIsCutOff(t *testing.T) {
	if _, err := readDocuments([]byte{documentsField<<3 | 2, 9, 1}); err == nil {
		t.Error("no error")
	}
}
