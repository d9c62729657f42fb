// Package pin reads what the files of one repository use from elsewhere: the
// versions that lock and version files fix, the images that containers are
// made of, the repositories, modules and release assets that are fetched.
//
// A reader takes the path and bytes of one file and gives facts; it looks at
// no other file, fetches nothing and runs nothing. Joining the facts of a
// workspace is package wire's.
package pin

import (
	"bytes"
	"strings"
)

// A Role is what a file does with what a fact names.
type Role string

// The roles.
const (
	Declares Role = "declares" // the repository is the home of it
	Pins     Role = "pins"     // the file fixes its version
	Reads    Role = "reads"    // the file fetches or runs it
	Moves    Role = "moves"    // a bot changes pins of this kind; Name is the folder, Version the schedule
)

// A Kind is the sort of thing that a fact names.
type Kind string

// The kinds. Names compare within a kind only.
const (
	Image      Kind = "image"            // name without tag and digest; docker.io and library left out
	Repository Kind = "repository"       // host/owner/name
	Asset      Kind = "release asset"    // file name with <tag> for what varies; Home is the repository
	File       Kind = "file"             // path in Home, fetched raw
	Archive    Kind = "source archive"   // a repository's source as one file; name as Repository, else its address
	GoModule   Kind = "Go module"        // module path
	NPM        Kind = "npm package"      // name with scope
	Crate      Kind = "crate"            // name
	Python     Kind = "Python package"   // name, normalized
	Maven      Kind = "Maven artifact"   // group:artifact, without a Scala version
	Gem        Kind = "gem"              // name
	Composer   Kind = "Composer package" // vendor/name
	Chart      Kind = "Helm chart"       // name; Home is the chart repository, where the file says it
	Module     Kind = "Terraform module"
	Provider   Kind = "Terraform provider"
	Toolchain  Kind = "toolchain" // go, node, python, rust, terraform …
	Plugin     Kind = "plugin"    // of a coding assistant, name@marketplace
	Orb        Kind = "orb"       // of CircleCI
	PinFile    Kind = "pin file"  // the file itself, whose content is one version
)

// A Fact is one thing that a line of a file says.
type Fact struct {
	Role      Role
	Kind      Kind
	Name      string // see Kind
	Home      string // host/owner/name of the repository it comes from, "" unknown
	Version   string // tag, range, branch, commit or digest as written, "" for none
	Line      int    // from 1
	Evidence  string // the line, trimmed
	Note      string // how: "build stage", "input nixpkgs" …
	Certainty int    // 1 to 100; 0 means 100

	// Except are patterns of paths that a bot leaves alone; ** is any folders.
	Except []string

	// Rules say what a bot does not move, though its manager knows it.
	Rules []Rule

	// Indirect is a fact of a lock file about what nobody asked for by name.
	Indirect bool
}

// MaxSize is the largest file that is read, in bytes. Lock files of large
// projects have a few million.
const MaxSize = 8 << 20

// limits on what a file may give
const (
	maxFacts    = 20_000
	maxName     = 300
	maxEvidence = 160
)

// A reader reads one kind of file.
type reader func(*file)

// A file is one file under a reader.
type file struct {
	path  string // in its repository, slashes
	base  string
	data  []byte
	lines []string // without line ends
	facts []Fact

	machines map[*node]bool // tables that describe a machine, not a container
}

// Read gives the facts of one file, in order of lines. A file of no known
// kind has none; of one that is broken, what stands before the break.
func Read(path string, data []byte) []Fact {
	if !Wants(path, int64(len(data))) || bytes.IndexByte(data, 0) >= 0 {
		return nil
	}
	f := &file{path: path, base: base(path), data: trimmed(data)}
	readerOf(path)(f)
	return f.finish()
}

// Wants reports whether Read has a reader for a path, so that only such files
// need be fetched.
func Wants(path string, size int64) bool {
	limit := int64(MaxSize)
	if sources[extension(path)] {
		limit = maxSource
	}
	return size <= limit && readerOf(path) != nil
}

// trimmed is data without a byte order mark.
func trimmed(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// line is the text of a line, counted from 1.
func (f *file) line(n int) string {
	if f.lines == nil {
		f.lines = strings.Split(string(f.data), "\n")
	}
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return strings.TrimSuffix(f.lines[n-1], "\r")
}

// each calls do for every line.
func (f *file) each(do func(n int, text string)) {
	f.line(1)
	for i := range f.lines {
		do(i+1, f.line(i+1))
	}
}

// add notes a fact. What has no name, or one that no tool would take, is none.
func (f *file) add(fact Fact) {
	fact.Name = strings.TrimSpace(fact.Name)
	if fact.Name == "" || fact.Kind == "" || len(fact.Name) > maxName || len(f.facts) >= maxFacts {
		return
	}
	if len(fact.Version) > maxName {
		fact.Version = ""
	}
	if len(fact.Home) > maxName {
		fact.Home = ""
	}
	fact.Line = max(1, fact.Line)
	if fact.Evidence == "" {
		fact.Evidence = f.line(fact.Line)
	}
	f.facts = append(f.facts, fact)
}
