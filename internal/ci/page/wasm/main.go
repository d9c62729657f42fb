//go:build js && wasm

// Wasm is the search of the page: package answer, asked by the page's script.
//
// The page gives marolaRead, which hands over a file of the bundle by its
// name, and gets marolaQuery, which answers a question; both by promises.
package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"syscall/js"

	"github.com/marola-dev/marola-routing/internal/route/answer"
	"github.com/marola-dev/marola-routing/internal/route/bundle"
)

func main() {
	js.Global().Set("marolaQuery", js.FuncOf(query))
	js.Global().Get("marolaReady").Invoke()
	select {}
}

// A request is what the page asks.
type request struct {
	Question string
	Limit    int
	answer.Narrow
}

// A response is what the page shows: the same as `route query --json`.
type response struct {
	*answer.Answer
	Shape   string `json:"shape"`
	LeftOut int    `json:"left_out"`
	Wiring  string `json:"wiring"`
}

// room is how many bytes of links are looked up, as within a budget of 1,200
// tokens.
const room = 1200 * answer.BytesPerToken

// query answers a question given as JSON, by a promise: the page's files are
// read while it waits.
func query(_ js.Value, args []js.Value) any {
	asked := args[0].String()
	return promise(func() (any, error) {
		var r request
		if err := json.Unmarshal([]byte(asked), &r); err != nil {
			return nil, err
		}
		e, err := engine()
		if err != nil {
			return nil, err
		}
		a, err := e.Query(r.Question, r.Narrow, r.Limit, room)
		if err != nil {
			return nil, err
		}
		hint, err := e.WiringHint(r.Question)
		if err != nil {
			return nil, err
		}
		out, err := json.Marshal(response{a, a.Shape, a.More, hint})
		return string(out), err
	})
}

var opened *answer.Engine

func engine() (*answer.Engine, error) {
	if opened != nil {
		return opened, nil
	}
	b, err := bundle.Open(files{})
	if err != nil {
		return nil, err
	}
	opened, err = answer.Open(b)
	return opened, err
}

func promise(do func() (any, error)) js.Value {
	return js.Global().Get("Promise").New(js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() {
			if v, err := do(); err != nil {
				args[1].Invoke(err.Error())
			} else {
				args[0].Invoke(v)
			}
		}()
		return nil
	}))
}

// files are the bundle's, as the page has them.
type files struct{}

func (files) List() ([]string, error) { return nil, errors.ErrUnsupported }

func (files) ReadFile(name string) ([]byte, error) {
	done := make(chan []byte)
	here := js.FuncOf(func(_ js.Value, args []js.Value) any {
		var data []byte
		if len(args) > 0 && args[0].Truthy() && args[0].Get("length").Int() <= bundle.MaxFile {
			data = make([]byte, args[0].Get("length").Int())
			js.CopyBytesToGo(data, args[0])
		}
		go func() { done <- data }()
		return nil
	})
	defer here.Release()
	js.Global().Get("marolaRead").Invoke(name).Call("then", here, here)
	data := <-done
	if data == nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return data, nil
}
