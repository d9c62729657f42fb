package bundle

// Build is build.json: what the bundle was made from and how well it answers.
type Build struct {
	Schema     int         `json:"schema"`
	Tool       string      `json:"tool"`        // name and version of the builder
	Repo       string      `json:"repo"`        // the umbrella's short name
	URL        string      `json:"url"`         // the umbrella's remote without credentials, or ""
	Head       string      `json:"head"`        // the umbrella's commit, 40 hex digits
	Branch     string      `json:"branch"`      // the branch it was built from, or ""
	CommitTime string      `json:"commit_time"` // committer date of Head, RFC 3339, UTC; never the clock
	Submodules []Submodule `json:"submodules"`  // in .gitmodules order

	// Private lists the submodules that are less visible than the umbrella,
	// or whose visibility is unknown to the builder but marked private by
	// the person who built with --include-private.
	Private []string `json:"private,omitempty"`

	Languages []Language     `json:"languages"`          // sorted by name
	LeftOut   map[string]int `json:"left_out"`           // reason → number of files
	Unparsed  map[string]int `json:"unparsed,omitempty"` // what the parser met → number of files whose words are there, but not their definitions, or not all of them
	Cut       map[string]int `json:"cut,omitempty"`      // what an index of this size leaves out so that each of its files can be read → how many: "postings", "terms", "edges"
	History   int            `json:"history"`            // commits whose subjects were read
	Bench     *Bench         `json:"bench,omitempty"`
}

// A Submodule is one repository of the workspace besides the umbrella.
type Submodule struct {
	Name string `json:"name"` // last segment of the path
	Path string `json:"path"`
	Head string `json:"head"`
	URL  string `json:"url"`
}

// A Language counts what was found in one language.
type Language struct {
	Name        string  `json:"name"`
	Files       int     `json:"files"`
	Definitions int     `json:"definitions"`
	Calls       int     `json:"calls"`    // call sites seen
	Resolved    int     `json:"resolved"` // call sites that have an edge
	Coverage    float64 `json:"coverage"` // share of files that were parsed without an error, 0 to 1
}

// Bench is the result of the bench over this bundle's own bytes.
type Bench struct {
	File      string      `json:"file"`      // path of the question file
	Questions int         `json:"questions"` // how many were asked
	First     int         `json:"first"`     // answered right first
	InThree   int         `json:"in_three"`
	InFive    int         `json:"in_five"`
	MRR       float64     `json:"mrr"` // mean reciprocal rank, 0 to 1, four decimals
	Types     []BenchType `json:"types"`
	Results   []BenchItem `json:"results"` // sorted by id
}

// BenchType sums up the questions of one type.
type BenchType struct {
	Type      string `json:"type"`
	Questions int    `json:"questions"`
	First     int    `json:"first"`
}

// BenchItem is the result of one question.
type BenchItem struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Rank  int    `json:"rank"`            // 1 = right first; 0 = not among the results
	Found string `json:"found,omitempty"` // what stood first instead, when Rank is not 1
}
