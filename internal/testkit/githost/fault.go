package githost

import (
	"net/http"
	"time"
)

// A Fault is what goes wrong with a request. The zero value is nothing.
type Fault struct {
	Latency time.Duration // before anything is done
	Before  *Answer       // the request is not done, and answered so
	After   *Answer       // it is done, and answered so
	Do      func()        // called when the rest of the fault is due
	// DropBefore and DropAfter cut the connection without an answer, before
	// and after the request is done; DropHalf, while its body is read.
	DropBefore, DropAfter, DropHalf bool
}

// An Answer is one that stands in the place of the host's own.
type Answer struct {
	Status int
	Header map[string]string
	Body   string
}

// The answers of a service that has trouble, or wants to be left alone.

// BadGateway is the answer of a proxy before a service that does not answer.
func BadGateway() *Answer {
	return &Answer{Status: http.StatusBadGateway, Body: "<html><body>Unicorn!</body></html>", Header: map[string]string{"Content-Type": "text/html"}}
}

// Unavailable is an answer during maintenance.
func Unavailable() *Answer {
	return &Answer{Status: http.StatusServiceUnavailable, Body: `{"message":"Service unavailable"}`}
}

// Secondary is the secondary rate limit, whose answer is 403 or 429. after
// "" says nothing about how long to wait.
//
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
func Secondary(status int, after string) *Answer {
	a := &Answer{Status: status, Header: map[string]string{}, Body: `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.","documentation_url":"` + everywhere[http.StatusTooManyRequests] + `","status":"` + http.StatusText(status) + `"}`}
	if after != "" {
		a.Header["Retry-After"] = after
	}
	return a
}

// NotAccessible is the answer to a token that lacks a permission.
func NotAccessible() *Answer {
	return &Answer{Status: http.StatusForbidden, Body: `{"message":"Resource not accessible by integration","documentation_url":"` + everywhere[http.StatusForbidden] + `","status":"403"}`,
		Header: map[string]string{"X-Accepted-GitHub-Permissions": "contents=write"}}
}

// Invalid is a 422, with a message and reasons as the API gives them: objects.
func Invalid(message, errors string) *Answer {
	return &Answer{Status: http.StatusUnprocessableEntity, Body: `{"message":"` + message + `","errors":` + errors + `,"documentation_url":"https://docs.github.com/rest","status":"422"}`}
}

func (a *Answer) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write([]byte(a.Body))
}
