// Package extract reads one source file and says what it defines and refers
// to. It knows nothing of other files: package resolve joins them.
package extract

// A File is what one source file holds. It depends on the file's bytes and
// its path's ending only, so that it can be cached by blob id.
type File struct {
	Lang        string       `json:"lang"`              // a name of languages: "go", "python"; "" when the language is not parsed
	Module      string       `json:"module,omitempty"`  // package the file declares (Go, Scala, Java), or ""
	Doc         string       `json:"doc,omitempty"`     // first sentence of the file's own comment
	Definitions []Definition `json:"defs,omitempty"`    // in order of Line
	Imports     []Import     `json:"imports,omitempty"` // in order of Line
	References  []Reference  `json:"refs,omitempty"`    // in order of Line
	Cut         int          `json:"cut,omitempty"`     // definitions past what one file of settings may have, which are left out
	Broken      bool         `json:"broken,omitempty"`  // the parser met a syntax error; what is here is what it could save
}

// A Kind says what a definition is.
type Kind string

// The kinds of definitions.
const (
	Function  Kind = "function"
	Method    Kind = "method"
	Class     Kind = "class" // also a struct
	Interface Kind = "interface"
	Trait     Kind = "trait"
	Object    Kind = "object"
	Enum      Kind = "enum"
	EnumCase  Kind = "case"
	Type      Kind = "type" // alias or other named type
	Constant  Kind = "constant"
	Variable  Kind = "variable"
	Field     Kind = "field"
	Given     Kind = "given"
	Namespace Kind = "namespace"

	Component Kind = "component" // of Vue or Svelte: a whole file
	Table     Kind = "table"
	View      Kind = "view"
	Index     Kind = "index"
	Trigger   Kind = "trigger" // also an event of a database
	Sequence  Kind = "sequence"
	Policy    Kind = "policy"
	Resource  Kind = "resource" // of Terraform and Kubernetes
	Data      Kind = "data"     // a data source of Terraform
	Module    Kind = "module"   // a call of one, in Terraform
	Output    Kind = "output"
	Provider  Kind = "provider"
	Block     Kind = "block"    // any other block of HCL with labels
	Selector  Kind = "selector" // a class or id of CSS and HTML
	Mixin     Kind = "mixin"
	Keyframes Kind = "keyframes"
	Key       Kind = "key" // of a file of settings
	Job       Kind = "job"
	Step      Kind = "step"
	Service   Kind = "service" // of Compose
	Endpoint  Kind = "endpoint"
	Stage     Kind = "stage"  // of a Dockerfile
	Target    Kind = "target" // of Make
	Recipe    Kind = "recipe" // of just
	Script    Kind = "script" // a named command of a package
)

// A Definition is a named thing in a file.
type Definition struct {
	Name      string `json:"name"` // as written, without receiver or container
	Kind      Kind   `json:"kind"`
	Container string `json:"in,omitempty"`       // qualified name of what holds it inside the file: "Server" for a method, "Outer.Inner" when nested
	Parent    int    `json:"parent"`             // index of the container in Definitions, or -1 when it is at top level or its container is in another file
	Line      int    `json:"line"`               // of the name, from 1
	EndLine   int    `json:"end"`                // last line of the body
	Signature string `json:"sig,omitempty"`      // one line, at most 200 bytes, without the body
	Doc       string `json:"doc,omitempty"`      // first sentence of its comment, one line, at most 300 bytes
	Exported  bool   `json:"exported,omitempty"` // visible outside its file or package
	Entry     bool   `json:"entry,omitempty"`    // where a program starts: main, @main, extends App, a __main__ guard
	Test      bool   `json:"test,omitempty"`     // a test case
	Result    string `json:"result,omitempty"`   // type that a function returns (the first one), as written without pointer and type arguments: "T" or "pkg.T"; in Java and Rust also the type of a field, and in Rust "Option<T>" of a function that returns that or Result<T>, "MyResult<T>" of one that returns that
}

// Qualified is the name with its container: "Server.Serve".
func (d Definition) Qualified() string {
	if d.Container == "" {
		return d.Name
	}
	return d.Container + "." + d.Name
}

// An Import makes a name of another file known in this one.
type Import struct {
	Path   string `json:"path"`            // as written: "fmt", "./util", "..pkg.mod", "a.b.C", "lib/log.sh"
	Name   string `json:"name,omitempty"`  // one imported name; "*" for all; "" when the module itself is imported
	Alias  string `json:"alias,omitempty"` // the local name, when it differs
	Line   int    `json:"line"`
	Export bool   `json:"export,omitempty"` // a re-export
}

// The relations a file can state.
const (
	Calls      = "calls"
	Inherits   = "inherits"   // class → base class
	Implements = "implements" // class → interface or trait
	Embeds     = "embeds"     // Go: struct → embedded type
	References = "references" // mentions a type or value: parameter, field, argument
	ImportsRel = "imports"
	Contains   = "contains"
)

// A Reference is a use of a name. Uses that differ in their line only are
// told once, with the first line. Predeclared names of a language and names
// that are local to a function are not told.
type Reference struct {
	From      int    `json:"from"`            // index of the innermost enclosing definition, or -1 for the file
	Relation  string `json:"rel"`             // Calls, Inherits, Implements, Embeds or References
	Name      string `json:"name"`            // the last part: "Serve" of s.http.Serve
	Qualifier string `json:"qual,omitempty"`  // what stands before it, as written, at most 80 bytes: "s.http", "self", "fmt"
	Type      string `json:"type,omitempty"`  // the qualifier's type as far as this file tells: of a receiver, a parameter, `x := T{}`, `x = T()`, `new T`
	Via       string `json:"via,omitempty"`   // where Type is not known: the call whose result the qualifier is, as written: "NewServer", "http.NewRequest"; in Java, JavaScript and Rust the whole expression, with types in the place of local names and without arguments: "Store.open().lines"
	Local     bool   `json:"local,omitempty"` // Qualifier, or Via where there is one, begins with a name that is local to a function and hides others, and Type is not known
	Args      string `json:"args,omitempty"`  // the types of a call's arguments as far as the file tells them: "(String, ?)"; "" when even their number is not told (Java tells)
	Line      int    `json:"line"`
}

// Version changes whenever the same bytes would give another File; it is
// part of the cache's key.
const Version = 7
