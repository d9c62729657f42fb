package cli

import (
	"errors"

	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

// exitCode maps the kind of an error to the code of docs/bundle-publish.md.
func exitCode(err error) int {
	if r := (*bundle.Refused)(nil); errors.As(err, &r) {
		return 3
	}
	return 1
}
