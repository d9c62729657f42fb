package cli

import "github.com/marola-dev/marola-routing/internal/skillrouter/embed/fetch"

// Know replaces the models that can be fetched by name.
func Know(list []fetch.Model) { catalogue = func() []fetch.Model { return list } }
