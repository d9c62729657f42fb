package host

import (
	"encoding/json"
	"strings"

	"github.com/marola-dev/marola-routing/internal/skillrouter/block"
	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
	"github.com/marola-dev/marola-routing/internal/skillrouter/skill"
)

type hermes struct{}

func (hermes) Name() skill.Host     { return skill.Hermes }
func (hermes) Target() block.Target { return block.Hermes }
func (hermes) Mark() string         { return "seen-hermes" }

func (hermes) Read(message []byte) (Event, error) {
	var f struct {
		common
		Extra struct {
			Message  said `json:"user_message"`
			Platform text `json:"platform"`
			Parent   text `json:"parent_session_id"`
			Turn     text `json:"turn_id"`
			First    bool `json:"is_first_turn"`
		} `json:"extra"`
	}
	if err := decode(message, &f); err != nil {
		return Event{}, err
	}
	switch f.Event {
	case "pre_llm_call":
		switch {
		case f.Agent != "" || f.Extra.Parent != "" || f.Extra.Platform == "subagent":
			return skipped("the message is a sub-agent's"), nil
		case f.Extra.Platform == "cron":
			return skipped("no person gave the message"), nil
		}
		f.Prompt = text(f.Extra.Message)
		return f.prompted(f.Extra.Turn), nil
	case "on_session_reset":
		return f.reset(), nil
	}
	return f.unasked(), nil
}

// said is a message: a string, or parts of which some are text.
type said string

func (s *said) UnmarshalJSON(data []byte) error {
	var whole string
	if json.Unmarshal(data, &whole) == nil {
		*s = said(whole)
		return nil
	}
	var parts []struct {
		Type text `json:"type"`
		Text text `json:"text"`
	}
	if json.Unmarshal(data, &parts) != nil {
		return nil // an image, say: there is nothing to route by
	}
	var texts []string
	for _, p := range parts {
		if (p.Type == "text" || p.Type == "input_text") && p.Text != "" {
			texts = append(texts, string(p.Text))
		}
	}
	*s = said(strings.Join(texts, "\n"))
	return nil
}

// Render is context that Hermes appends to the message, so that the system
// prompt stays in its cache.
func (hermes) Render(text string) []byte { return line(map[string]string{"context": text}) }

// CatalogueOff is false: Hermes has no switch for its whole list.
func (hermes) CatalogueOff(*config.Config, string) bool { return false }

// Hides is false: its list is on or off, whatever the prompt is.
func (hermes) Hides(*config.Config) bool { return false }

func (hermes) Loads(*config.Config, string, *skill.Skill) bool { return true } // it reads any path
