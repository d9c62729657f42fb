package publish

import (
	"errors"
	"strings"
	"testing"

	"github.com/marola-dev/marola-routing/internal/testkit/githost"
)

// branchRules restrict the branch to one App; tagRules let nobody make a tag
// of its name.
const (
	branchRules = `{"name":"routing-bundle","target":"branch","enforcement":"active",
 "bypass_actors":[{"actor_id":4242,"actor_type":"Integration","bypass_mode":"always"}],
 "conditions":{"ref_name":{"include":["refs/heads/routing-bundle"],"exclude":[]}},
 "rules":[{"type":"creation"},{"type":"update"},{"type":"deletion"},{"type":"non_fast_forward"}]}`
	tagRules = `{"name":"routing-bundle-tag","target":"tag","enforcement":"active","bypass_actors":[],
 "conditions":{"ref_name":{"include":["refs/tags/routing-bundle"],"exclude":[]}},"rules":[{"type":"creation"},{"type":"update"}]}`
)

// TestP18OnlyTheAppPublishesUnderRules: by either transport whoever the rules
// do not name is refused, once, in the service's words; the App is not; and
// nobody makes the tag.
func TestP18OnlyTheAppPublishesUnderRules(t *testing.T) {
	for _, transport := range []string{"git", "api"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			h, repo, bot := serveAPI(t)
			repo.Protect([]byte(branchRules))
			repo.Protect([]byte(tagRules))
			h.AddApp(githost.App{ID: 7, Slug: "other-bot", Installed: []string{repo.Name}, Permissions: map[string]string{"contents": "write"}})
			h.Person("owner", "ghp_owner", githost.Admin)
			as := func(secret string) Remote {
				token, err := NewToken(secret, "a test")
				must(t, err)
				if transport == "git" {
					return openWith(t, repo.URL(), token)
				}
				return openAPI(t, h, repo, token)
			}
			refused := func(stage string, n int) {
				t.Helper()
				for name, secret := range map[string]string{"another App": h.Token(7, repo.Name, map[string]string{"contents": "write"}), "an owner": "ghp_owner"} {
					before, sent := git(t, repo.Dir, "for-each-ref"), moves(h)
					_, err := tryPublish(t, as(secret), snapshot(t, sample(n)))
					r := (*Refused)(nil)
					if !errors.As(err, &r) || !strings.Contains(err.Error(), "refused by rules") || !strings.Contains(err.Error(), "ule violations found") || !strings.Contains(r.Next, "bypass actor") {
						t.Errorf("%s: %s publishes: %v", stage, name, err)
					}
					if moves(h) != sent+1 || git(t, repo.Dir, "for-each-ref") != before {
						t.Errorf("%s: %s tried %d times", stage, name, moves(h)-sent)
					}
				}
			}
			refused("before the first publish", 1)
			publish(t, as(bot.secret), snapshot(t, sample(1)))
			refused("afterwards", 2)
			if result := publish(t, as(bot.secret), snapshot(t, sample(2))); !result.Changed {
				t.Errorf("the App: %+v", result)
			}
			r := as(bot.secret)
			commit, err := r.Prepare(t.Context(), snapshot(t, sample(3)))
			must(t, err)
			if err := r.Move(t.Context(), "refs/tags/routing-bundle", "", commit); err == nil || !strings.Contains(err.Error(), "creations being restricted") {
				t.Errorf("the App makes a tag of that name: %v", err)
			}
		})
	}
}

// TestSignedCommitsNeedTheAPI: where only signed commits may stand, what git
// pushes is refused and what the service makes is not.
func TestSignedCommitsNeedTheAPI(t *testing.T) {
	h, repo, token := serveAPI(t)
	repo.Protect([]byte(`{"name":"signed","target":"branch","enforcement":"active","conditions":{"ref_name":{"include":["~ALL"],"exclude":[]}},"rules":[{"type":"required_signatures"}]}`))
	_, err := tryPublish(t, openWith(t, repo.URL(), token), snapshot(t, sample(1)))
	if refused := (*Refused)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), "verified signatures") {
		t.Errorf("by git: %v", err)
	}
	if result := publish(t, openAPI(t, h, repo, token), snapshot(t, sample(1))); !result.Changed {
		t.Errorf("by the API: %+v", result)
	}
}
