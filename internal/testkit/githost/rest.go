package githost

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"github.com/marola-dev/marola-routing/internal/testkit/openapi"
)

// An Object is a JSON object; its numbers are json.Number.
type Object = map[string]any

// everywhere are the answers that any operation may give, whatever its own
// description lists, with the pages that document them.
var everywhere = map[int]string{
	http.StatusBadRequest:          "https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#problems-parsing-json",
	http.StatusUnauthorized:        "https://docs.github.com/rest/authentication/authenticating-to-the-rest-api",
	http.StatusForbidden:           "https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#resource-not-accessible",
	http.StatusNotFound:            "https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#404-not-found-for-an-existing-resource",
	http.StatusTooManyRequests:     "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit",
	http.StatusUnprocessableEntity: "https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#validation-failed",
}

// A call is one request of the REST API.
type call struct {
	h      *Host
	op     openapi.Operation
	actor  *actor
	app    *App // whose proof it shows
	repo   *Repository
	values map[string]string
	query  map[string][]string
	body   Object
	token  string
}

// A reply is an answer before it is written.
type reply struct {
	status int
	body   any // nil: none
	docs   string
	header map[string]string
}

func ok(status int, body any) reply { return reply{status: status, body: body} }

// refuse is a documented no of the operation.
func (c *call) refuse(status int, message string) reply {
	return reply{status: status, docs: c.op.Docs, body: message}
}

// no is a no that any operation may give.
func no(status int, message string) reply {
	return reply{status: status, docs: everywhere[status], body: message}
}

// ServeHTTP implements [http.Handler].
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", h.now().UTC().Format(http.TimeFormat))
	api, isAPI := strings.CutPrefix(r.URL.Path, "/api/v3")
	q := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone()}
	if isAPI {
		op, _, _ := h.doc.Find(r.Method, api)
		q.Operation = op.ID
		if q.Path = api; op.ID == "" {
			q.Operation = "other"
		}
	} else if r.URL.Path == "/api/graphql" {
		q.Operation = "graphql"
	}
	h.mu.Lock()
	h.log = append(h.log, q)
	q.Number = len(h.log)
	h.log[q.Number-1].Number = q.Number
	h.mu.Unlock()
	var f Fault
	h.clock.RLock()
	fault := h.fault
	h.clock.RUnlock()
	if fault != nil {
		f = fault(q)
	}
	time.Sleep(f.Latency)
	if f.DropHalf {
		half, _ := io.ReadAll(io.LimitReader(r.Body, max(r.ContentLength/2, 1)))
		f.due()
		if q.Operation == "" { // git sees what came
			r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(half)), int64(len(half)), nil
			h.answer(httptest.NewRecorder(), r, q, half)
		}
		panic(http.ErrAbortHandler)
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the client is gone
	}
	h.mu.Lock()
	h.log[q.Number-1].Body = data
	h.mu.Unlock()
	switch {
	case f.DropBefore:
		f.due()
		panic(http.ErrAbortHandler)
	case f.Before != nil:
		f.due()
		f.Before.write(w)
		return
	}
	r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
	if f.DropAfter || f.After != nil {
		kept := httptest.NewRecorder()
		h.answer(kept, r, q, data)
		f.due()
		if f.After == nil {
			panic(http.ErrAbortHandler)
		}
		f.After.write(w)
		return
	}
	h.answer(w, r, q, data)
}

func (f Fault) due() {
	if f.Do != nil {
		f.Do()
	}
}

func (h *Host) answer(w http.ResponseWriter, r *http.Request, q Request, data []byte) {
	switch q.Operation {
	case "":
		h.serveGit(w, r, data)
	case "graphql":
		h.graphql(data, r).write(h, w)
	default:
		h.rest(w, r, q, data)
	}
}

// spend counts a request, and reports whether it is one too many.
func (h *Host) spend(w http.Header) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.limit == 0 {
		return false
	}
	over := h.used >= h.limit
	if !over {
		h.used++
	}
	for name, n := range map[string]int64{"Limit": int64(h.limit), "Remaining": int64(h.limit - h.used), "Used": int64(h.used), "Reset": h.reset.Unix()} {
		w.Set("X-RateLimit-"+name, strconv.FormatInt(n, 10))
	}
	return over
}

func (h *Host) rest(w http.ResponseWriter, r *http.Request, q Request, data []byte) {
	if h.spend(w.Header()) {
		reply{status: http.StatusForbidden, docs: everywhere[http.StatusTooManyRequests], body: "API rate limit exceeded for installation."}.write(h, w)
		return
	}
	if strings.Contains(q.Path+"/", "/rulesets/") {
		h.serveRulesets(w, r, q)
		return
	}
	op, values, found := h.doc.Find(r.Method, q.Path)
	if !found {
		h.blame("%s %s is no operation of the description", r.Method, q.Path)
		no(http.StatusNotFound, "Not Found").write(h, w)
		return
	}
	c := &call{h: h, op: op, values: values, query: r.URL.Query(), token: credential(r)}
	for name := range c.query {
		if !has(op, name) {
			h.blame("%s has no parameter %q", op.ID, name)
		}
	}
	a := c.serve(r, data)
	a.check(h, op)
	a.write(h, w)
}

func has(op openapi.Operation, parameter string) bool {
	for _, p := range op.Parameters {
		if p.In == "query" && p.Name == parameter {
			return true
		}
	}
	return false
}

// serve answers after everything that any operation is refused for.
func (c *call) serve(r *http.Request, data []byte) reply {
	handle, known := handlers[c.op.ID]
	if !known {
		c.h.blame("%s has no answer here", c.op.ID)
		return no(http.StatusNotFound, "Not Found")
	}
	if handle.asApp {
		app, wrong := c.h.prove(r)
		if wrong != "" {
			return no(http.StatusUnauthorized, wrong)
		}
		c.app = app
	} else {
		var good bool
		if c.actor, good = c.h.who(r); !good {
			return no(http.StatusUnauthorized, "Bad credentials")
		}
	}
	if name, ok := c.values["repo"]; ok {
		c.repo = c.h.repository(c.values["owner"] + "/" + name)
		if c.repo == nil || c.app == nil && !c.actor.sees(c.repo) {
			return no(http.StatusNotFound, "Not Found")
		}
	}
	if handle.needs != "" && c.repo != nil && !c.actor.may("contents", handle.needs, c.repo) {
		if c.actor == nil {
			return no(http.StatusNotFound, "Not Found")
		}
		a := no(http.StatusForbidden, "Resource not accessible by integration")
		a.header = map[string]string{"X-Accepted-GitHub-Permissions": "contents=" + handle.needs}
		return a
	}
	if c.op.Request != nil {
		v, err := decode(data)
		if err != nil {
			return no(http.StatusBadRequest, "Problems parsing JSON")
		}
		for _, name := range c.h.doc.Strangers("", c.op.Request, v) {
			c.h.blame("%s takes no %s", c.op.ID, name)
		}
		if err := c.h.doc.Check("", c.op.Request, v); err != nil {
			return no(http.StatusUnprocessableEntity, "Invalid request.\n\n"+err.Error())
		}
		c.body, _ = v.(Object)
	}
	return handle.do(c)
}

func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// plain is the reply's body as it is written.
func (a reply) plain() any {
	if message, isText := a.body.(string); isText {
		return Object{"message": message, "documentation_url": a.docs, "status": strconv.Itoa(a.status)}
	}
	return a.body
}

// check holds an answer of ours to the description.
func (a reply) check(h *Host, op openapi.Operation) {
	schema, documented := op.Response[strconv.Itoa(a.status)]
	if !documented {
		if everywhere[a.status] == "" || a.docs == "" {
			h.blame("%s answers %d, which is documented nowhere", op.ID, a.status)
		}
		return
	}
	if schema == nil {
		if a.status < 300 && a.body != nil {
			h.blame("%s answers %d with a body", op.ID, a.status)
		}
		return
	}
	data, err := json.Marshal(a.plain())
	if err == nil {
		var v any
		if v, err = decode(data); err == nil {
			err = h.doc.Check("", schema, v)
		}
	}
	if err != nil {
		h.blame("%s answers %d with %v", op.ID, a.status, err)
	}
}

func (a reply) write(_ *Host, w http.ResponseWriter) {
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(a.status)
	_ = json.NewEncoder(w).Encode(a.plain())
}

// filled is an object of the description: members that it requires, with ours
// over them.
func (c *call) filled(schema string, ours Object) Object {
	made, _ := c.h.doc.Sample(openapi.Schema{"$ref": "#/components/schemas/" + schema}, false).(Object)
	for name, v := range ours {
		if v == nil {
			delete(made, name)
			continue
		}
		made[name] = v
	}
	return made
}

// serveRulesets passes a request about rulesets on. Who may not administer the
// repository sees no bypass actors and changes nothing.
func (h *Host) serveRulesets(w http.ResponseWriter, r *http.Request, q Request) {
	actor, good := h.who(r)
	admin := actor != nil && actor.permissions["administration"] == "write"
	switch {
	case !good:
		no(http.StatusUnauthorized, "Bad credentials").write(h, w)
		return
	case r.Method != http.MethodGet && !admin:
		a := no(http.StatusForbidden, "Resource not accessible by integration")
		a.header = map[string]string{"X-Accepted-GitHub-Permissions": "administration=write"}
		a.write(h, w)
		return
	}
	to := r.Clone(r.Context())
	to.URL.Path = q.Path
	kept := httptest.NewRecorder()
	h.Rulesets.ServeHTTP(kept, to)
	body := kept.Body.Bytes()
	if v, err := decode(body); err == nil && !admin {
		if one, ok := v.(Object); ok {
			delete(one, "bypass_actors")
			body, _ = json.Marshal(one)
		}
	}
	for name, values := range kept.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(body)
}

func (c *call) url(format string, args ...any) string {
	return c.h.API() + fmt.Sprintf(format, args...)
}
