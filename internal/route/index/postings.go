package index

// Postings say where a term stands. All but Changes are lists of items. An
// item is a number and a mark; the number is written as the difference to the
// one before of its kind, the first to −1, and left out where that is 1. A
// capital letter marks a file and says how much, A is 1; a slash marks a file
// without saying that; a small letter marks a part of the file before and
// says how much, a is 1. So "12H3c/a" is file 11 with 8, its part 2 with 3,
// then file 12 and its part 0 with 1.
type Postings struct {
	// Files are the files with the term's impact in steps of 1/[Steps], the
	// saturated weight in path, names and contents: BM25's tf/(tf+K). Their
	// parts are passages with the impact there, in steps of 1/[Coarse]; a term
	// that many files have is without passages.
	Files string
	// History are the files with the impact, in steps of 1/[Coarse], of the
	// term in the subjects of past commits that changed the file and in the
	// names of the tests that try it.
	History string
	// Paths are the files with the share of the term in the last folder and
	// the base name of the path, as Names has it.
	Paths string
	// Names are the definitions with the term's part of the name's whole
	// weight, in steps of 1/[Whole], rounded up: the words of a whole name
	// have all of it.
	Names string
	// Docs are the definitions whose doc sentence has the term, with its
	// impact there in steps of 1/[Coarse].
	Docs string
	// Exact are the definitions whose folded name is the term, by number + 1,
	// and 0 for a file whose folded base name it is (under [ExactKey] only).
	Exact string
	// Changes are the past changes whose subject has the term, each as the
	// difference to the one before, the first to −1.
	Changes []int
}

// Marks of items: a letter is its mark plus what it says, 1 to maxValue.
const (
	fileMark = 'A' - 1
	partMark = 'a' - 1
	bareMark = '/'
	maxValue = Whole
)

// maxNumber is what no number of an item reaches, and so far below what an
// int holds that sums of two need no care.
const maxNumber = 1 << 30

// scan calls file and part for each item of a list; nil passes over. It stops
// quietly at what makes no sense, for the list is foreign.
func (r *Reader) scan(list string, file func(file, value int), part func(file, part, value int)) {
	at, in, number, digits := -1, -1, 0, false
	for i := range len(list) {
		c := list[i]
		if c >= '0' && c <= '9' {
			if number, digits = number*10+int(c-'0'), true; number >= maxNumber {
				return
			}
			continue
		}
		if !digits {
			number = 1
		}
		if number < 1 {
			return
		}
		switch {
		case c == bareMark || c > fileMark && c <= fileMark+maxValue:
			if at += number; at >= r.Header.Files {
				return
			}
			if in = -1; file != nil && c != bareMark {
				file(at, int(c-fileMark))
			}
		case at >= 0 && c > partMark && c <= partMark+maxValue:
			if in += number; in > maxItems {
				return
			}
			if part != nil {
				part(at, in, int(c-partMark))
			}
		default:
			return
		}
		number, digits = 0, false
	}
}

// Pairs calls yield for each (file, value) of a list.
func (r *Reader) Pairs(list string, yield func(file, value int)) { r.scan(list, yield, nil) }

// Groups calls yield for each (file, part, value) of a list.
func (r *Reader) Groups(list string, yield func(file, part, value int)) { r.scan(list, nil, yield) }

// Both calls file for each (file, value) of a list, and part for what stands
// in it.
func (r *Reader) Both(list string, file func(file, value int), part func(file, part, value int)) {
	r.scan(list, file, part)
}

// Exact calls yield for each (file, definition) of an Exact list; −1 is the
// file itself.
func (r *Reader) Exact(list string, yield func(file, def int)) {
	r.scan(list, nil, func(file, part, _ int) { yield(file, part-1) })
}

// Count is the number of files, or of parts, that a list marks with a letter.
func Count(list string) (files, parts int) {
	for i := range len(list) {
		switch c := list[i]; {
		case c >= 'A' && c <= 'Z':
			files++
		case c >= 'a' && c <= 'z':
			parts++
		}
	}
	return files, parts
}
