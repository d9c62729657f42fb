// Package browser opens pages in a real browser, headless Chromium, for tests,
// and keeps what it said and asked for meanwhile.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// programs are the names that Chromium has on various systems.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// patience is how long one step may take: machines that run many tests at
// once are slow.
const patience = 60 * time.Second

// A Tab is an open page.
type Tab struct {
	ctx context.Context
	t   testing.TB

	mu       sync.Mutex
	requests []string
	said     []string // errors and warnings of the console, and exceptions
}

// Open starts a browser for a test. Without one on this machine the test is
// skipped, or fails where MAROLA_CI says that all tools are installed.
func Open(t testing.TB) *Tab {
	t.Helper()
	at := ""
	for _, name := range programs {
		if found, err := exec.LookPath(name); err == nil {
			at = found
			break
		}
	}
	if at == "" && os.Getenv("MAROLA_CI") != "" {
		t.Fatal("no Chromium is installed")
	} else if at == "" {
		t.Skip("no Chromium is installed")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(at), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(patience))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	tab := &Tab{ctx: ctx, t: t}
	chromedp.ListenTarget(ctx, tab.hear)
	tab.run(network.Enable(), log.Enable())
	return tab
}

func (tab *Tab) hear(event any) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		tab.requests = append(tab.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		tab.said = append(tab.said, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			text := string(e.Type)
			for _, a := range e.Args {
				text += " " + string(a.Value) + a.Description
			}
			tab.said = append(tab.said, text)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			tab.said = append(tab.said, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// run does steps, each within patience.
func (tab *Tab) run(steps ...chromedp.Action) {
	tab.t.Helper()
	ctx, stop := context.WithTimeout(tab.ctx, patience)
	if chromedp.FromContext(tab.ctx).Browser == nil { // the first one starts it, and lives with the tab
		ctx, stop = tab.ctx, func() {}
	}
	defer stop()
	if err := chromedp.Run(ctx, steps...); err != nil {
		tab.t.Fatalf("the browser: %v\nit said: %s", err, strings.Join(tab.Said(), "\n"))
	}
}

// Goto opens an address, and waits until it is loaded.
func (tab *Tab) Goto(address string) {
	tab.t.Helper()
	tab.run(chromedp.Navigate(address))
}

// Eval evaluates an expression, waits if it is a promise, and decodes what it
// gives into out, unless that is nil.
func (tab *Tab) Eval(expression string, out any) {
	tab.t.Helper()
	var raw []byte
	tab.run(chromedp.Evaluate("(async () => JSON.stringify((await ("+expression+")) ?? null))()", &raw, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
		return p.WithAwaitPromise(true)
	}))
	var text string
	err := json.Unmarshal(raw, &text)
	if err == nil && out != nil {
		err = json.Unmarshal([]byte(text), out)
	}
	if err != nil {
		tab.t.Fatalf("%s gives %s: %v", expression, raw, err)
	}
}

// Wait waits until an expression holds.
func (tab *Tab) Wait(expression string) {
	tab.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var holds bool
		tab.Eval("!!("+expression+")", &holds)
		if holds {
			return
		}
	}
	tab.t.Fatalf("%s never holds\nthe browser said: %s", expression, strings.Join(tab.Said(), "\n"))
}

// Keys types keys into what has the focus.
func (tab *Tab) Keys(keys string) {
	tab.t.Helper()
	tab.run(chromedp.KeyEvent(keys))
}

// Show sets the size of the window in CSS pixels and the theme, "light" or
// "dark", that the system prefers.
func (tab *Tab) Show(width, height int64, theme string) {
	tab.t.Helper()
	tab.run(emulation.SetDeviceMetricsOverride(width, height, 1, width < 600),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}))
}

// Screenshot writes what is seen as a picture, for people, if the environment
// names a directory in MAROLA_SCREENSHOTS.
func (tab *Tab) Screenshot(name string) {
	tab.t.Helper()
	dir := os.Getenv("MAROLA_SCREENSHOTS")
	if dir == "" {
		return
	}
	tab.run(chromedp.ActionFunc(func(ctx context.Context) error {
		png, err := page.CaptureScreenshot().Do(ctx)
		if err != nil {
			return err
		}
		return errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
	}))
}

// Said is every error and warning so far.
func (tab *Tab) Said() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string(nil), tab.said...)
}

// Requests are the addresses that were asked for so far.
func (tab *Tab) Requests() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string(nil), tab.requests...)
}

// Quiet fails the test if the browser said anything, or asked for an address
// that does not begin with one of those given.
func (tab *Tab) Quiet(allowed ...string) {
	tab.t.Helper()
	if said := tab.Said(); len(said) > 0 {
		tab.t.Errorf("the browser said:\n%s", strings.Join(said, "\n"))
	}
	for _, r := range tab.Requests() {
		ok := false
		for _, a := range allowed {
			ok = ok || strings.HasPrefix(r, a)
		}
		if !ok {
			tab.t.Errorf("a request left for %s", fmt.Sprintf("%.200q", r))
		}
	}
}
