package session

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
)

// starts reports whether the client's message says that a session starts.
// The message is the first JSON value of the input; the input may never end,
// be empty, or be anything else.
func starts(in io.Reader) bool {
	if in == nil {
		return false
	}
	decoded := make(chan bool, 1)
	go func() { decoded <- decodeStart(in) }()
	select {
	case yes := <-decoded:
		return yes
	case <-time.After(inputLimit):
		return false
	}
}

func decodeStart(in io.Reader) bool {
	limited := io.LimitReader(in, inputSize)
	// A byte order mark is three bytes; a message is never shorter.
	mark := make([]byte, 3)
	n, _ := io.ReadFull(limited, mark)
	head := bytes.TrimPrefix(mark[:n], []byte("\xef\xbb\xbf"))
	var message struct {
		Source string `json:"source"`
	}
	d := json.NewDecoder(io.MultiReader(bytes.NewReader(head), limited))
	return d.Decode(&message) == nil && message.Source == "startup"
}
