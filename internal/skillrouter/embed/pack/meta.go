package pack

import (
	"fmt"

	"github.com/marola-dev/marola-routing/internal/skillrouter/embed/wordpiece"
)

// Kinds of model.
const (
	BERT   = "bert"   // a transformer of BERT's shape
	Static = "static" // a table of one vector a token, of which the mean is taken
)

// Poolings: how the vectors of a text's tokens become one.
const (
	CLS  = "cls"  // that of the first token
	Mean = "mean" // their mean
)

// A Meta says what a model is. It stands in the pack's header.
type Meta struct {
	Name      string             `json:"name"`
	Licence   string             `json:"licence"` // "" where nobody said
	Kind      string             `json:"kind"`
	Precision string             `json:"precision"` // "int8" or "f32", of the large weights
	Pooling   string             `json:"pooling"`
	MaxTokens int                `json:"max_tokens"` // of a text, special tokens included
	Prefix    string             `json:"query_prefix"`
	Tokenizer wordpiece.Settings `json:"tokenizer"`
	Shape     Shape              `json:"shape"`
	Inputs    map[string]string  `json:"inputs"` // file → SHA-256, of what it was made from
}

// A Shape is the sizes of a model.
type Shape struct {
	Vocabulary   int     `json:"vocabulary"`
	Hidden       int     `json:"hidden"` // the length of a vector
	Layers       int     `json:"layers,omitempty"`
	Heads        int     `json:"heads,omitempty"`
	Intermediate int     `json:"intermediate,omitempty"`
	Positions    int     `json:"positions,omitempty"`
	Epsilon      float32 `json:"epsilon,omitempty"`
}

// Check says what is wrong with a meta, which may come from a foreign file.
// What it lets pass has sizes that fit together and whose products fit an int.
func (m Meta) Check() error {
	s := m.Shape
	within := func(what string, n, low, high, multiple int) error {
		if n < low || n > high || n%multiple != 0 {
			return fmt.Errorf("the model's %s is %d; multiples of %d from %d to %d can be used", what, n, multiple, low, high)
		}
		return nil
	}
	if m.Precision != "int8" && m.Precision != "f32" {
		return fmt.Errorf("the model's precision is %q; int8 and f32 can be used", m.Precision)
	}
	if m.Pooling != CLS && m.Pooling != Mean {
		return fmt.Errorf("the model's pooling is %q; cls and mean can be used", m.Pooling)
	}
	if len(m.Name) > 200 || len(m.Prefix) > 2000 || len(m.Licence) > 200 {
		return fmt.Errorf("the model's name, licence or query prefix is too long")
	}
	checks := []error{
		within("vocabulary", s.Vocabulary, 1, 1<<20, 1),
		within("longest text", m.MaxTokens, 3, 8192, 1),
	}
	switch m.Kind {
	case Static:
		checks = append(checks, within("vector length", s.Hidden, 1, 4096, 1))
	case BERT:
		checks = append(checks,
			within("hidden size", s.Hidden, 16, 4096, 16),
			within("number of layers", s.Layers, 1, 64, 1),
			within("intermediate size", s.Intermediate, 16, 16384, 16),
			within("number of positions", s.Positions, m.MaxTokens, 8192, 1),
			within("number of heads", s.Heads, 1, 256, 1))
		if s.Heads > 0 && (s.Hidden%s.Heads != 0 || s.Hidden/s.Heads%16 != 0) {
			checks = append(checks, fmt.Errorf("the model has %d heads over %d values; a head of a multiple of 16 can be used", s.Heads, s.Hidden))
		}
		if !(s.Epsilon >= 0 && s.Epsilon < 0.1) {
			checks = append(checks, fmt.Errorf("the model's layer norm epsilon is %v", s.Epsilon))
		}
	default:
		return fmt.Errorf("the model is of kind %q; bert and static can be used", m.Kind)
	}
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}
