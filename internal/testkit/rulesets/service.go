// Package rulesets stands in for the part of a hosting service's API that is
// about rulesets, for tests: repositories and organisations with rulesets,
// pages, inherited rulesets, hidden bypass actors, history, values that the
// service adds by itself, limits and refusals. It keeps what it is sent, and
// refuses what the service's own description refuses.
package rulesets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An Object is a JSON object; its numbers are json.Number.
type Object = map[string]any

// A Service is a hosting service. Set its fields before it is asked.
type Service struct {
	Latency time.Duration
	// DropActors loses bypass actors of these types without a word.
	DropActors []string
	// Adds are parameters that the service adds to rules of a type.
	Adds map[string]Object
	// Apps are ids by slug.
	Apps map[string]int
	// Installed are Apps of each organisation, by slug.
	Installed map[string][]string
	// Before may answer a request instead of the service; it returns whether
	// it did.
	Before func(http.ResponseWriter, *http.Request) bool
	// After is told of each write that was done, before it is answered; it
	// returns whether the answer is lost.
	After func(*http.Request) bool

	schema *Schema

	mu           sync.Mutex
	repositories []Repository
	rulesets     map[string][]*stored // by owner/repository or organisation
	nextID       int
	ticks        int
	log          []Request
	inFlight     int
	most         int
	hidden       bool // bypass actors are not shown
}

// A Repository is one of the service's.
type Repository struct {
	FullName       string
	Fork, Archived bool
}

// A Request is one that the service was asked.
type Request struct {
	Method, Path, Query string
	Body                []byte
}

type stored struct {
	id      int
	body    Object
	history []string // times
}

// New returns a service with repositories.
func New(repositories ...Repository) (*Service, error) {
	schema, err := Describe()
	if err != nil {
		return nil, err
	}
	return &Service{schema: schema, repositories: repositories, rulesets: map[string][]*stored{}, nextID: 100}, nil
}

// Add puts a ruleset at owner/repository or an organisation, past all rules,
// and returns its id.
func (s *Service) Add(target string, ruleset []byte) (int, error) {
	body, err := decode(ruleset)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(target, body).id, nil
}

func (s *Service) add(target string, body Object) *stored {
	s.nextID++
	r := &stored{id: s.nextID, body: body, history: []string{s.tick()}}
	key := strings.ToLower(target)
	s.rulesets[key] = append(s.rulesets[key], r)
	return r
}

// AddRepository adds a repository.
func (s *Service) AddRepository(r Repository) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repositories = append(s.repositories, r)
}

// Rulesets are the rulesets of owner/repository and of its owner, as they are
// kept.
func (s *Service) Rulesets(target string) (all []Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	owner, _, _ := strings.Cut(target, "/")
	for _, key := range []string{target, owner} {
		for _, r := range s.rulesets[strings.ToLower(key)] {
			all = append(all, r.body)
		}
	}
	return all
}

// Change changes a ruleset of that name, as a person would do by hand.
func (s *Service) Change(target, name string, change func(Object)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rulesets[strings.ToLower(target)] {
		if r.body["name"] == name {
			change(r.body)
			r.history = append(r.history, s.tick())
		}
	}
}

// Remove removes the rulesets of that name.
func (s *Service) Remove(target, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.ToLower(target)
	s.rulesets[key] = slices.DeleteFunc(s.rulesets[key], func(r *stored) bool { return r.body["name"] == name })
}

// HideActors leaves bypass_actors out of what is shown from now on, as it is
// for somebody who may not write.
func (s *Service) HideActors() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hidden = true
}

// Names are the names of a target's rulesets, sorted.
func (s *Service) Names(target string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, r := range s.rulesets[strings.ToLower(target)] {
		names = append(names, fmt.Sprint(r.body["name"]))
	}
	slices.Sort(names)
	return names
}

// Requests are what was asked since the last call, in order.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

// MostAtOnce is how many requests were answered at one time at the most.
func (s *Service) MostAtOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// tick is the time of the service, which passes with each change.
func (s *Service) tick() string {
	s.ticks++
	return time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC).Add(time.Duration(s.ticks) * time.Minute).Format(time.RFC3339)
}

func decode(data []byte) (Object, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	body, ok := v.(Object)
	if !ok {
		return nil, errNoObject
	}
	return body, nil
}

// ServeHTTP implements [http.Handler].
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	s.mu.Lock()
	s.log = append(s.log, Request{r.Method, r.URL.Path, r.URL.RawQuery, data})
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.inFlight--
		s.mu.Unlock()
	}()
	time.Sleep(s.Latency)
	if s.Before != nil && s.Before(w, r) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.route(w, r, data)
}

func (s *Service) route(w http.ResponseWriter, r *http.Request, data []byte) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(parts) == 2 && parts[0] == "apps" && s.Apps[parts[1]] != 0:
		answer(w, http.StatusOK, Object{"id": s.Apps[parts[1]], "slug": parts[1]})
	case len(parts) == 3 && parts[0] == "orgs" && parts[2] == "repos":
		s.listRepositories(w, r, parts[1])
	case len(parts) == 3 && parts[0] == "orgs" && parts[2] == "installations":
		s.listInstallations(w, parts[1])
	case len(parts) >= 3 && parts[0] == "orgs" && parts[2] == "rulesets":
		s.serve(w, r, data, parts[1], parts[3:], true)
	case len(parts) >= 4 && parts[0] == "repos" && parts[3] == "rulesets":
		target := parts[1] + "/" + parts[2]
		if !slices.ContainsFunc(s.repositories, func(have Repository) bool { return strings.EqualFold(have.FullName, target) }) {
			refuse(w, http.StatusNotFound, "Not Found")
			return
		}
		s.serve(w, r, data, target, parts[4:], false)
	default:
		refuse(w, http.StatusNotFound, "Not Found")
	}
}

// serve answers what is asked about the rulesets of a target.
func (s *Service) serve(w http.ResponseWriter, r *http.Request, data []byte, target string, rest []string, organization bool) {
	if len(rest) == 0 {
		switch r.Method {
		case http.MethodGet:
			s.list(w, r, target, organization)
		case http.MethodPost:
			s.create(w, r, data, target, organization)
		}
		return
	}
	list := s.rulesets[strings.ToLower(target)]
	i := slices.IndexFunc(list, func(x *stored) bool { return strconv.Itoa(x.id) == rest[0] })
	if i < 0 {
		refuse(w, http.StatusNotFound, "Not Found")
		return
	}
	switch {
	case len(rest) == 2 && rest[1] == "history":
		s.history(w, list[i])
	case r.Method == http.MethodGet:
		answer(w, http.StatusOK, s.show(list[i], target, organization, true))
	case r.Method == http.MethodPut:
		s.update(w, r, data, list[i], target, organization)
	case r.Method == http.MethodDelete:
		s.rulesets[strings.ToLower(target)] = slices.Delete(slices.Clone(list), i, i+1)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Service) list(w http.ResponseWriter, r *http.Request, target string, organization bool) {
	var all []any
	for _, x := range s.rulesets[strings.ToLower(target)] {
		all = append(all, s.show(x, target, organization, false))
	}
	if owner, _, ok := strings.Cut(target, "/"); ok && r.URL.Query().Get("includes_parents") != "false" {
		for _, x := range s.rulesets[strings.ToLower(owner)] {
			all = append(all, s.show(x, owner, true, false))
		}
	}
	page(w, r, all)
}

func (s *Service) listRepositories(w http.ResponseWriter, r *http.Request, owner string) {
	var all []any
	for _, have := range s.repositories {
		if o, _, _ := strings.Cut(have.FullName, "/"); strings.EqualFold(o, owner) {
			all = append(all, Object{"full_name": have.FullName, "fork": have.Fork, "archived": have.Archived})
		}
	}
	page(w, r, all)
}

func (s *Service) listInstallations(w http.ResponseWriter, owner string) {
	list := []any{}
	for _, slug := range s.Installed[owner] {
		list = append(list, Object{"app_id": s.Apps[slug], "app_slug": slug})
	}
	answer(w, http.StatusOK, Object{"total_count": len(list), "installations": list})
}

func (s *Service) history(w http.ResponseWriter, x *stored) {
	list := []any{}
	for i, at := range slices.Backward(x.history) {
		list = append(list, Object{"version_id": i + 1, "actor": Object{"id": 7, "type": "User"}, "updated_at": at})
	}
	answer(w, http.StatusOK, list)
}

func (s *Service) create(w http.ResponseWriter, r *http.Request, data []byte, target string, organization bool) {
	body, err := decode(data)
	if err == nil {
		err = s.schema.CheckRequest(organization, true, body)
	}
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "Invalid request.\n\n"+err.Error())
		return
	}
	x := s.add(target, s.settled(body, Object{"bypass_actors": []any{}}))
	if s.After != nil && s.After(r) {
		panic(http.ErrAbortHandler)
	}
	answer(w, http.StatusCreated, s.show(x, target, organization, true))
}

func (s *Service) update(w http.ResponseWriter, r *http.Request, data []byte, x *stored, target string, organization bool) {
	body, err := decode(data)
	if err == nil {
		err = s.schema.CheckRequest(organization, false, body)
	}
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "Invalid request.\n\n"+err.Error())
		return
	}
	x.body = s.settled(body, x.body)
	x.history = append(x.history, s.tick())
	if s.After != nil && s.After(r) {
		panic(http.ErrAbortHandler)
	}
	answer(w, http.StatusOK, s.show(x, target, organization, true))
}
