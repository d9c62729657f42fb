package setup

import (
	"strings"
)

// A fence is a block of a text file that is ours, between two lines by which
// it is found again.
type fence struct{ open, close string }

const fenceWords = " >>> mega-tron (written by mega-tron setup; it goes with mega-tron setup --uninstall) >>>"

var (
	markdownFence = fence{"<!--" + fenceWords + " -->", "<!-- <<< mega-tron <<< -->"}
	hashFence     = fence{"#" + fenceWords, "# <<< mega-tron <<<"}
)

// place finds the block, as bytes of the text: from its first line to behind
// its last. An open fence without its end is none: what follows it may be
// anybody's.
func (f fence) place(text string) (from, to int, ok bool) {
	prefix := f.open[:strings.Index(f.open, "mega-tron")+len("mega-tron")]
	from = -1
	at := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		bare := strings.TrimRight(line, " \t\r\n")
		switch {
		case strings.HasPrefix(bare, prefix):
			from = at
		case bare == f.close && from >= 0:
			return from, at + len(line), true
		}
		at += len(line)
	}
	return 0, 0, false
}

// with is the text with the block: in its place, or at the end behind an empty
// line.
func (f fence) with(text, body string) string {
	nl := "\n"
	if strings.Contains(text, "\r\n") {
		nl = "\r\n"
	}
	fresh := strings.ReplaceAll(f.open+"\n"+body+f.close+"\n", "\n", nl)
	if from, to, ok := f.place(text); ok {
		return text[:from] + fresh + text[to:]
	}
	switch {
	case strings.TrimLeft(text, "\ufeff") == "":
	case strings.HasSuffix(text, "\n"):
		fresh = nl + fresh
	default:
		fresh = nl + nl + fresh
	}
	return text + fresh
}

// without is the text without any block of ours, and the empty line before it.
func (f fence) without(text string) string {
	for {
		from, to, ok := f.place(text)
		if !ok {
			return text
		}
		head := text[:from]
		if t := strings.TrimSuffix(strings.TrimSuffix(head, "\n"), "\r"); strings.HasSuffix(t, "\n") {
			head = t
		}
		text = head + text[to:]
	}
}

// edit is the [hostfile.Edit] that puts a block in, or takes it out when there
// is nothing to say.
func (f fence) edit(body string) func(now, before []byte) ([]byte, error) {
	return func(now, before []byte) ([]byte, error) {
		if body == "" {
			if _, _, ok := f.place(string(now)); !ok {
				return now, nil
			}
			if _, _, ok := f.place(string(before)); !ok {
				return before, nil
			}
			return []byte(f.without(string(now))), nil
		}
		return []byte(f.with(string(now), body)), nil
	}
}

func (f fence) take(text []byte) ([]byte, error) { return []byte(f.without(string(text))), nil }
