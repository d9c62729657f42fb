package resolve

import (
	"strings"

	"github.com/marola-dev/marola-routing/internal/ci/extract"
)

func everything(*extract.Definition) bool { return true }

func hidden(d *extract.Definition) bool { return !d.Exported }

// scriptFunction tells a function that stands in no type: another script may
// have one of that name, and none calls the other's.
func scriptFunction(d *extract.Definition) bool { return d.Container == "" && isCallable(d.Kind) }

// rubyFile is where a feature may stand that is required: beside the file, or
// on the path that a library's folder is on.
func rubyFile(written string) []string {
	written = strings.TrimSuffix(written, ".rb") + ".rb"
	if strings.HasPrefix(written, ".") {
		return []string{written}
	}
	return []string{"lib/" + written, written}
}

// luaModule is where a module may stand: shop/util.lua of "shop.util".
func luaModule(written string) []string {
	p := strings.ReplaceAll(written, ".", "/")
	var out []string
	for _, folder := range [...]string{"", "src/", "lua/", "lib/"} {
		out = append(out, folder+p+".lua", folder+p+"/init.lua")
	}
	return out
}
