package rulesets

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
)

// settled is a body as the service keeps it: members that are left out stay
// as they were.
func (s *Service) settled(body, before Object) Object {
	kept := maps.Clone(before)
	maps.Copy(kept, body)
	actors, _ := kept["bypass_actors"].([]any)
	list := []any{}
	for _, a := range actors {
		actor := maps.Clone(a.(Object))
		kind, _ := actor["actor_type"].(string)
		if slices.Contains(s.DropActors, kind) {
			continue
		}
		if kind == "OrganizationAdmin" || kind == "DeployKey" || kind == "EnterpriseOwner" {
			actor["actor_id"] = nil
		}
		if actor["bypass_mode"] == nil {
			actor["bypass_mode"] = "always"
		}
		list = append(list, actor)
	}
	kept["bypass_actors"] = list
	rules, _ := kept["rules"].([]any)
	added := []any{}
	for _, item := range rules {
		rule := maps.Clone(item.(Object))
		if adds := s.Adds[fmt.Sprint(rule["type"])]; adds != nil {
			parameters := maps.Clone(adds)
			given, _ := rule["parameters"].(Object)
			maps.Copy(parameters, given)
			rule["parameters"] = parameters
		}
		added = append(added, rule)
	}
	kept["rules"] = added
	return kept
}

// show is a ruleset as the service shows it; whole, or as in a list.
func (s *Service) show(x *stored, target string, organization, whole bool) Object {
	shown := maps.Clone(x.body)
	shown["id"] = x.id
	shown["node_id"] = fmt.Sprintf("RRS_%d", x.id)
	shown["source"] = target
	shown["source_type"] = "Repository"
	if organization {
		shown["source_type"] = "Organization"
	}
	shown["_links"] = Object{"self": Object{"href": fmt.Sprintf("https://service.test/%d", x.id)}}
	shown["created_at"], shown["updated_at"] = x.history[0], x.history[len(x.history)-1]
	if shown["target"] == nil {
		shown["target"] = "branch"
	}
	if !organization {
		shown["current_user_can_bypass"] = "never"
	}
	if !whole {
		for _, name := range []string{"rules", "conditions", "bypass_actors", "current_user_can_bypass"} {
			delete(shown, name)
		}
	}
	if s.hidden {
		delete(shown, "bypass_actors")
	}
	return shown
}

// page answers with one page of a list, and says where the next one is.
func page(w http.ResponseWriter, r *http.Request, all []any) {
	size, number := 30, 1
	if n, err := strconv.Atoi(r.URL.Query().Get("per_page")); err == nil {
		size = min(n, 100)
	}
	if n, err := strconv.Atoi(r.URL.Query().Get("page")); err == nil {
		number = n
	}
	from := min((number-1)*size, len(all))
	to := min(from+size, len(all))
	if to < len(all) {
		query := r.URL.Query()
		query.Set("page", strconv.Itoa(number+1))
		w.Header().Set("Link", fmt.Sprintf("<http://%s%s?%s>; rel=\"next\"", r.Host, r.URL.Path, query.Encode()))
	}
	answer(w, http.StatusOK, append([]any{}, all[from:to]...))
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, Object{"message": message, "documentation_url": "https://docs.service.test/rest", "status": strconv.Itoa(status)})
}
