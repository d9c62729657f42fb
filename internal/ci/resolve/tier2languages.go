package resolve

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

// A tier2Language says how a language of which only the plain rules are
// known finds names: those of its own file, of its package, of what it
// imports. Names that need types to be known lead nowhere.
//
// Its reader in package extract writes File.Module, Import.Path, qualifiers
// and types as the language does, without type arguments; a namespace that is
// neither the file's Module nor a definition has no part in an address. An
// import with a Name is of that name at the address Path ("*": of all that
// stands there), one without is of the file at Path.
type tier2Language struct {
	name  string            // as File.Lang has it
	group string            // languages of one group share their names; "" is the language alone
	self  string            // what a method calls its own object, with spaces between
	super string            // what it calls the object as one of the base class
	path  *strings.Replacer // makes a written name one with dots: "A::b" is A.b; nil where it has dots already

	fold    bool // names differ in more than their case
	outer   bool // a package sees the packages that it stands in, and names without one
	parts   bool // a type may be written in several files
	linked  bool // what ends in ";" is a declaration of something that stands elsewhere
	folder  bool // a file sees all of its folder
	any     bool // an imported file may be of any language
	include bool // a file sees what the files have that it imports, and those that they import, and nothing else

	// file lists the paths, each from the importing file's folder or from
	// any folder above it, at which a file may stand that is imported
	// without a name; nil where there are no such imports.
	file func(written string) []string
	// through tells, of a qualifier that stands for what an import without a
	// name brings, the import's alias and what goes before the name at its
	// file; nil where no qualifier does.
	through func(qualifier string) (alias, before string, ok bool)
	// global tells what is known in every package when it has none; nil:
	// nothing.
	global wants
	// own tells what no other file sees; nil: all is seen.
	own func(*extract.Definition) bool
	// companion is the name of the object in a type whose members are as
	// the type's own, or "".
	companion string
	// extends is the type that a function is called on without standing in
	// it, or ""; nil where there are no such functions.
	extends func(*extract.Definition) string
}

// tier2Languages holds a row for each language that has no family of its own.
var tier2Languages = []tier2Language{
	{name: "c", group: "c", include: true, linked: true, file: asWritten},
	{name: "cpp", group: "c", self: "this *this", path: doubleColons, include: true, outer: true, parts: true, linked: true, file: asWritten},
	{name: "csharp", self: "this", super: "base", outer: true, parts: true},
	{name: "css", group: "style", include: true, file: styleFiles},
	{name: "dockerfile", group: "settings", include: true, any: true, file: asWritten},
	{name: "elixir"},
	{name: "groovy", self: "this", super: "super", own: scriptFunction, file: asWritten},
	{name: "hcl", folder: true, file: terraformFiles, through: moduleOutput},
	{name: "html", group: "settings", include: true, any: true, file: pageFiles},
	{name: "json", group: "settings", include: true, any: true, file: settingsFiles},
	{name: "just", include: true, file: asWritten},
	{name: "kotlin", self: "this", super: "super", companion: "Companion", extends: kotlinReceiver},
	{name: "less", group: "style", include: true, file: styleFiles},
	{name: "lua", own: everything, file: luaModule},
	{name: "make", include: true, file: asWritten},
	{name: "nix", include: true, any: true, file: nixFiles},
	{name: "ocaml", own: everything},
	{name: "php", self: "$this self static", super: "parent", path: backslashes, fold: true, global: aCallable, file: asWritten},
	{name: "protobuf", include: true, outer: true, file: asWritten},
	{name: "ruby", self: "self", super: "super", path: doubleColons, parts: true, own: scriptFunction, file: rubyFile},
	{name: "scss", group: "style", include: true, file: styleFiles},
	{name: "sql", fold: true},
	{name: "swift", self: "self Self", super: "super", own: hidden},
	{name: "toml", group: "settings", include: true},
	{name: "yaml", group: "settings", include: true, any: true, file: settingsFiles},
}

var (
	doubleColons = strings.NewReplacer("::", ".")
	backslashes  = strings.NewReplacer(`\`, ".", "::", ".")
)

func asWritten(p string) []string { return []string{p} }

// kotlinReceiver is "String" of `fun <T> String.shout(): T`.
func kotlinReceiver(d *extract.Definition) string {
	before, _, ok := strings.Cut(d.Signature, "."+d.Name)
	if !ok {
		return ""
	}
	before = strings.TrimRight(before, "?")
	if i := strings.IndexByte(before, '<'); i >= 0 && strings.HasSuffix(before, ">") {
		before = before[:i]
	}
	return before[strings.LastIndexAny(before, " >")+1:]
}

// moduleOutput is what module.network means in Terraform: the outputs of the
// module.
func moduleOutput(qualifier string) (alias, before string, ok bool) {
	alias, ok = strings.CutPrefix(qualifier, "module.")
	return alias, "output.", ok
}
