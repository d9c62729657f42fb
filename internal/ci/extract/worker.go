package extract

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
)

// workerVariable, set to "1", makes the program a parser process of a
// [Pool] instead of itself.
const workerVariable = "MAROLA_EXTRACT_WORKER"

const (
	workerHello = "marola extract worker 1\n" // what a parser process says first
	maxMessage  = 64 << 20                    // no request and no answer is longer
	maxStack    = 256 << 20                   // bytes of stack that nested source may cost
)

// The first byte of an answer.
const (
	answerFile  = 'f'
	answerError = 'e'
)

// WorkerMain makes this process a parser process where env (as os.Environ
// gives it) says so: it reads files from stdin and writes what they hold to
// stdout until stdin ends. Every program that uses a [Pool], a test binary
// included, calls it before anything else and exits with the code when
// isWorker is true.
func WorkerMain(env []string, stdin io.Reader, stdout io.Writer) (code int, isWorker bool) {
	if !slices.Contains(env, workerVariable+"=1") {
		return 0, false
	}
	debug.SetMaxStack(maxStack)
	if err := serve(stdin, stdout, Parse); err != nil {
		return 1, true
	}
	return 0, true
}

type request struct {
	name string
	data []byte
	err  error
}

// serve answers requests until stdin ends. A parent that dies closes stdin,
// and then serve returns at once, even from the middle of a file, so that
// no parser process outlives its parent.
func serve(stdin io.Reader, stdout io.Writer, parse func(string, []byte) (*File, error)) error {
	if _, err := io.WriteString(stdout, workerHello); err != nil {
		return err
	}
	requests := make(chan request)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		in := bufio.NewReaderSize(stdin, 64<<10)
		for {
			req := readRequest(in)
			select {
			case requests <- req:
			case <-stop:
				return
			}
			if req.err != nil {
				return
			}
		}
	}()
	for {
		req := <-requests
		if req.err == io.EOF {
			return nil
		}
		if req.err != nil {
			return req.err
		}
		answer := make(chan []byte, 1)
		go func() { answer <- answerTo(req, parse) }()
		select {
		case a := <-answer:
			if err := writeMessage(stdout, a); err != nil {
				return err
			}
		case next := <-requests: // the end of stdin: nobody asks while waiting
			if next.err == io.EOF {
				return nil
			}
			return errors.New("a request came before the answer to the last one")
		}
	}
}

func answerTo(req request, parse func(string, []byte) (*File, error)) []byte {
	f, err := parse(req.name, req.data)
	if err != nil {
		return append([]byte{answerError}, clip(err.Error(), maxDoc)...)
	}
	return appendFile([]byte{answerFile}, f)
}

// readRequest reads a name and the file's bytes; err is io.EOF when stdin
// ended between two requests.
func readRequest(in io.Reader) request {
	msg, err := readMessage(in)
	if err != nil {
		return request{err: err}
	}
	n, w := binary.Uvarint(msg)
	if w <= 0 || n > uint64(len(msg)-w) {
		return request{err: errEncoding}
	}
	return request{name: string(msg[w : w+int(n)]), data: msg[w+int(n):]}
}

func appendRequest(dst []byte, name string, data []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(name)))
	dst = append(dst, name...)
	return append(dst, data...)
}

// writeMessage writes the length of msg in four bytes, then msg.
func writeMessage(w io.Writer, msg []byte) error {
	if len(msg) > maxMessage {
		return fmt.Errorf("a message of %d bytes is too long", len(msg))
	}
	buf := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(msg)), uint32(len(msg)))
	_, err := w.Write(append(buf, msg...))
	return err
}

func readMessage(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxMessage {
		return nil, fmt.Errorf("a message of %d bytes is too long", n)
	}
	msg := make([]byte, n)
	if _, err := io.ReadFull(r, msg); err != nil {
		return nil, fmt.Errorf("a message ends early: %w", err)
	}
	return msg, nil
}
