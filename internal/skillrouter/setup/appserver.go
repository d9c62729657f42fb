package setup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/marola-dev/marola-routing/internal/skillrouter/config"
)

// A listedHook is what Codex's app server says of a hook.
type listedHook struct {
	Key     string `json:"key"`
	Command string `json:"command"`
	Hash    string `json:"currentHash"`
	Trust   string `json:"trustStatus"`
	Enabled bool   `json:"enabled"`
}

// Bounds of the talk with the app server.
const (
	serverTimeout = 20 * time.Second
	maxAnswer     = 4 << 20 // bytes
	maxLines      = 1000    // of an answer: the server tells other things between
)

// askCodex starts the installed Codex's app server and asks it for its hooks.
// No account is needed and nothing leaves the machine for that.
func askCodex(ctx context.Context, c *config.Config, dir string) ([]listedHook, error) {
	exe, err := exec.LookPath("codex")
	if err != nil {
		return nil, errors.New("there is no codex on the path")
	}
	ctx, cancel := context.WithTimeout(ctx, serverTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "app-server")
	cmd.Dir, cmd.Env = c.Home, append(os.Environ(), "HOME="+c.Home)
	if c.Env("CODEX_HOME") != "" {
		cmd.Env = append(cmd.Env, "CODEX_HOME="+dir)
	}
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("codex did not start: %w", err)
	}
	defer func() {
		in.Close()
		cancel()
		_ = cmd.Wait() // it was ended: how does not matter
	}()
	r := bufio.NewScanner(io.LimitReader(out, maxAnswer))
	r.Buffer(nil, maxAnswer)
	call := func(id int, method string, params, into any) error {
		line, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
		if err == nil {
			_, err = in.Write(append(line, '\n'))
		}
		if err != nil {
			return fmt.Errorf("codex app-server did not listen: %w", err)
		}
		for range maxLines {
			if !r.Scan() {
				return fmt.Errorf("codex app-server did not answer %s", method)
			}
			var a struct {
				ID     *int            `json:"id"`
				Result json.RawMessage `json:"result"`
				Error  *struct {
					Message string `json:"message"`
				} `json:"error"`
			}
			if json.Unmarshal(r.Bytes(), &a) != nil || a.ID == nil || *a.ID != id {
				continue
			}
			if a.Error != nil {
				return fmt.Errorf("codex app-server refuses %s: %q", method, a.Error.Message)
			}
			return json.Unmarshal(a.Result, into)
		}
		return fmt.Errorf("codex app-server did not answer %s", method)
	}
	var none struct{}
	if err := call(1, "initialize", map[string]any{"clientInfo": map[string]any{"name": config.Name, "version": markVersion}}, &none); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(in, `{"method":"initialized"}`+"\n"); err != nil {
		return nil, err
	}
	var answer struct {
		Data []struct {
			Hooks    []listedHook `json:"hooks"`
			Warnings []string     `json:"warnings"`
		} `json:"data"`
	}
	if err := call(2, "hooks/list", map[string]any{"cwds": []string{c.Home}}, &answer); err != nil {
		return nil, err
	}
	var hooks []listedHook
	for _, d := range answer.Data {
		hooks = append(hooks, d.Hooks...)
	}
	return hooks, nil
}
