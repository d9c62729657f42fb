package extract

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// A test's own kind of parser process: its value says how it misbehaves when
// a file asks it to.
const oddWorker = "MAROLA_EXTRACT_TEST_ODD"

func TestMain(m *testing.M) {
	if slices.Contains(os.Environ(), oddWorker+"=1") {
		debug.SetMaxStack(32 << 20)
		if err := serve(os.Stdin, os.Stdout, misbehave); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if slices.Contains(os.Environ(), oddWorker+"=mute") {
		os.Exit(0)
	}
	if code, ok := WorkerMain(os.Environ(), os.Stdin, os.Stdout); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// misbehave does to the process what a file's first word says.
func misbehave(name string, data []byte) (*File, error) {
	word, _, _ := bytes.Cut(data, []byte(" "))
	switch string(word) {
	case "crash":
		os.Exit(3)
	case "overflow":
		var deep func(int) int
		deep = func(n int) int { return deep(n+1) + 1 }
		deep(0)
	case "hang":
		time.Sleep(time.Hour)
	case "spin":
		for i := 0; ; i++ {
			_ = i
		}
	case "garbage":
		os.Stdout.WriteString("what is this\n")
		os.Exit(0)
	case "nonsense":
		io.WriteString(os.Stdout, "\x00\x00\x00\x03fzz")
		time.Sleep(time.Hour)
	case "refuse":
		return nil, errors.New("parser says\x1b[31m no")
	case "environment":
		return &File{Doc: strings.Join(os.Environ(), " ")}, nil
	case "descriptors":
		return &File{Doc: strings.Join(openDescriptors(), " ")}, nil
	case "huge":
		io.WriteString(os.Stdout, "\xff\xff\xff\xff")
		time.Sleep(time.Hour)
	}
	return Parse(name, data)
}

// openDescriptors lists what this process has open beside the three
// standard streams and what Go itself opens.
func openDescriptors() []string {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil
	}
	var open []string
	for _, e := range list {
		to, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil && len(e.Name()) >= 1 && e.Name() > "2" && !strings.HasPrefix(to, "anon_inode:") && !strings.HasPrefix(to, "/proc/") && !strings.HasPrefix(to, "/sys/") {
			open = append(open, e.Name()+"="+to)
		}
	}
	return open
}
