// Package synthetic makes repositories of any size, for tests of what a build
// costs. Their files are in several languages, call each other, and grow new
// words and names as real ones do. It is part of no program.
package synthetic

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// perFile is how many functions a file has.
const perFile = 6

// File is file i of a repository of n: the same each time.
func File(i, n int) (path, text string) {
	var b strings.Builder
	next := (i + 5) % n // of the same language, for n that 5 divides
	dir := fmt.Sprintf("part%d", i%97)
	if i%5 == 4 {
		fmt.Fprintf(&b, "# How to %s the %s\n\n", word(i), word(i/3))
	}
	for k := range perFile {
		verb, noun := word(i*perFile+k), word(i/7+k*31)
		doc := fmt.Sprintf("gets the %s of a %s", noun, word(i*k+k))
		switch i % 5 {
		case 0:
			if k == 0 {
				fmt.Fprintf(&b, "package part%d\n\n", i)
				if next > i {
					fmt.Fprintf(&b, "import \"example.org/x/go%d\"\n\n", next)
				}
			}
			fmt.Fprintf(&b, "// %s%d %s.\nfunc %[1]s%[2]d(%[4]s int) int {\n", title(verb), k, doc, noun)
			if next > i {
				fmt.Fprintf(&b, "\tif %s > %d {\n\t\treturn part%d.%s%d(%[1]s)\n\t}\n", noun, k, next, title(word(next*perFile+k)), k)
			}
			fmt.Fprintf(&b, "\treturn %s%d(%s - 1)\n}\n\n", title(word(i*perFile)), 0, noun)
		case 1:
			if k == 0 {
				fmt.Fprintf(&b, "from m%d import %s0\n\n", next, word(next*perFile))
			}
			fmt.Fprintf(&b, "def %s%d(%s):\n    \"\"\"%s.\"\"\"\n    return %s0(%[3]s)\n\n\n", verb, k, noun, doc, word(next*perFile))
		case 2:
			if k == 0 {
				fmt.Fprintf(&b, "import { %s0 } from './v%d';\n", word(next*perFile), next)
			}
			fmt.Fprintf(&b, "/** %s. */\nexport function %s%d(%s: string): string { return %s0(%[4]s) + '%[1]s'; }\n", doc, verb, k, noun, word(next*perFile))
		case 3:
			fmt.Fprintf(&b, "# %s.\n%s_%d() {\n  %s_%d \"$1\"\n}\n", doc, verb, k, word(i*perFile+(k+1)%perFile), (k+1)%perFile)
		case 4:
			fmt.Fprintf(&b, "## %s %s\n\nIt %s, and %s.\n\n", verb, noun, doc, word(i+k))
		}
	}
	switch i % 5 {
	case 0:
		return fmt.Sprintf("go%d/part.go", i), b.String()
	case 1:
		return fmt.Sprintf("m%d.py", i), b.String()
	case 2:
		return fmt.Sprintf("web/v%d.ts", i), b.String()
	case 3:
		return fmt.Sprintf("%s/run%d.sh", dir, i), b.String()
	}
	return fmt.Sprintf("%s/about%d.md", dir, i), b.String()
}

// Name is a name that file i of a repository defines, and no other file.
func Name(i int) string { return fmt.Sprintf("%s%d", word(i*perFile+1), 1) }

// word is a made-up word. Small numbers give short ones.
func word(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n += 70; n > 0; n /= 70 {
		b.WriteByte(consonants[n%14])
		b.WriteByte(vowels[n/14%5])
	}
	return b.String()
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Stream writes what git fast-import makes a repository of n files of, with
// one commit, on the branch main.
func Stream(to io.Writer, n int) error {
	w := bufio.NewWriter(to)
	const who = "Somebody <somebody@example.org> 1790000000 +0000"
	fmt.Fprintf(w, "commit refs/heads/main\ncommitter %s\ndata 14\nAdd everything\n", who)
	put := func(path, text string) {
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	put("go.mod", "module example.org/x\n\ngo 1.26\n")
	for i := range n {
		put(File(i, n))
	}
	return w.Flush()
}
