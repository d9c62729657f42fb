package index

import "testing"

// BenchmarkBuild makes the index of 500 files, from words to pieces.
func BenchmarkBuild(b *testing.B) {
	docs, edges := manyDocs(500)
	b.ReportAllocs()
	for b.Loop() {
		filesOf(b, docs, edges)
	}
}

// BenchmarkTerms reads the postings of one term out of its piece.
func BenchmarkTerms(b *testing.B) {
	docs, edges := manyDocs(500)
	bun := sealed(b, filesOf(b, docs, edges))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(bun)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Terms([]string{"serv"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecord cuts one piece of definitions and decodes a file's.
func BenchmarkRecord(b *testing.B) {
	docs, edges := manyDocs(500)
	bun := sealed(b, filesOf(b, docs, edges))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(bun)
		if err != nil {
			b.Fatal(err)
		}
		rec, err := r.File(250)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := rec.Defs(); err != nil {
			b.Fatal(err)
		}
	}
}
