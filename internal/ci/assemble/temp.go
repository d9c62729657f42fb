package assemble

import "github.com/marola-dev/marola-routing/internal/ci/resolve"

func tempResolve(c *collected) (e []resolve.Edge, s map[string]resolve.Stats) {
	defer func() { recover() }()
	return resolve.Resolve(c.units, c.manifests)
}
