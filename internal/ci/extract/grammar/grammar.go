// Package grammar parses source with tree-sitter grammars. Start with
// [Parse]; what comes back is a plain Go value that needs no closing.
//
// The grammars are C that other people wrote: foreign source belongs into a
// process that may crash.
package grammar

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include <stdlib.h>
#include "flatten.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	// They link tree-sitter itself and the grammars into the program.
	_ "github.com/smacker/go-tree-sitter"
	_ "github.com/smacker/go-tree-sitter/c"
	_ "github.com/smacker/go-tree-sitter/cpp"
	_ "github.com/smacker/go-tree-sitter/csharp"
	_ "github.com/smacker/go-tree-sitter/elixir"
	_ "github.com/smacker/go-tree-sitter/java"
	_ "github.com/smacker/go-tree-sitter/javascript"
	_ "github.com/smacker/go-tree-sitter/kotlin"
	_ "github.com/smacker/go-tree-sitter/ocaml"
	_ "github.com/smacker/go-tree-sitter/php"
	_ "github.com/smacker/go-tree-sitter/python"
	_ "github.com/smacker/go-tree-sitter/ruby"
	_ "github.com/smacker/go-tree-sitter/rust"
	_ "github.com/smacker/go-tree-sitter/scala"
	_ "github.com/smacker/go-tree-sitter/swift"
	_ "github.com/smacker/go-tree-sitter/typescript/tsx"
	_ "github.com/smacker/go-tree-sitter/typescript/typescript"
)

// A Language is one of the grammars, by its name in flatten.c.
type Language string

// The grammars. JavaScript reads JSX too; TypeScript does not, TSX does.
const (
	Elixir     Language = "elixir"
	C          Language = "c"
	CPP        Language = "cpp"
	CSharp     Language = "c_sharp"
	Java       Language = "java"
	JavaScript Language = "javascript"
	OCaml      Language = "ocaml"
	Kotlin     Language = "kotlin"
	PHP        Language = "php"
	Python     Language = "python"
	Ruby       Language = "ruby"
	Rust       Language = "rust"
	Scala      Language = "scala"
	Swift      Language = "swift"
	TSX        Language = "tsx"
	TypeScript Language = "typescript"
)

// ErrTooLong says that the source was not parsed within its limit.
var ErrTooLong = errors.New("parser ran longer than")

// ErrMemory says that there was no memory to parse the source in.
var ErrMemory = errors.New("parser ran out of memory")

// maxDepth is how many levels of a tree are kept: far more than people
// write, and few enough for recursion.
const maxDepth = 1000

// A loaded is a grammar, and what it calls its nodes and fields.
type loaded struct {
	ptr     unsafe.Pointer
	symbols []string
	fields  []string
}

var (
	mu    sync.Mutex
	known = make(map[Language]*loaded)
)

func load(l Language) (*loaded, error) {
	mu.Lock()
	defer mu.Unlock()
	if k := known[l]; k != nil {
		return k, nil
	}
	name := C.CString(string(l))
	defer C.free(unsafe.Pointer(name))
	k := &loaded{ptr: unsafe.Pointer(C.flat_language(name))}
	if k.ptr == nil {
		return nil, fmt.Errorf("there is no grammar %q", string(l))
	}
	k.symbols = make([]string, C.flat_symbol_count(k.ptr))
	for i := range k.symbols {
		k.symbols[i] = C.GoString(C.flat_symbol_name(k.ptr, C.uint32_t(i)))
	}
	k.fields = make([]string, C.flat_field_count(k.ptr)+1)
	for i := 1; i < len(k.fields); i++ {
		k.fields[i] = C.GoString(C.flat_field_name(k.ptr, C.uint32_t(i)))
	}
	known[l] = k
	return k, nil
}

// Parse parses source, for at most limit. Syntax errors are nodes of the
// tree; the error says that there is no tree.
func Parse(l Language, source []byte, limit time.Duration) (*Tree, error) {
	lang, err := load(l)
	if err != nil {
		return nil, err
	}
	if len(source) == 0 {
		source = []byte("\n")
	}
	flat := C.flat_parse(lang.ptr, (*C.char)(unsafe.Pointer(&source[0])), C.uint32_t(len(source)), C.uint64_t(limit.Microseconds()), maxDepth)
	defer C.free(unsafe.Pointer(flat.nodes))
	switch flat.status {
	case C.flat_ok:
	case C.flat_stopped:
		return nil, fmt.Errorf("%w %v", ErrTooLong, limit)
	case C.flat_no_memory:
		return nil, ErrMemory
	default:
		return nil, errors.New("the grammar does not fit this tree-sitter")
	}
	t := &Tree{source: source, names: lang, nodes: make([]node, flat.count)}
	copy(t.nodes, unsafe.Slice((*node)(unsafe.Pointer(flat.nodes)), flat.count))
	return t, nil
}
