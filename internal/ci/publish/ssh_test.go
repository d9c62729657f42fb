package publish

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"
)

// silentSSH is a host that takes a connection and says nothing.
func silentSSH(t *testing.T) *GitRemote {
	t.Helper()
	host := serveSSH(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	go accept(l, func(net.Conn) { <-hold })
	host.addr = l.Addr().(*net.TCPAddr)
	return host.open(t, "/umbrella.git")
}

func TestSSHRefusals(t *testing.T) {
	unset := func(h *sshHost, name string) { h.env = append(h.env, name+"=") }
	tests := []struct {
		name         string
		change       func(t *testing.T, h *sshHost)
		reason, hint string
	}{
		{"no agent", func(_ *testing.T, h *sshHost) { unset(h, "SSH_AUTH_SOCK") }, "no ssh agent", "ssh-agent"},
		{"an agent that is gone", func(t *testing.T, h *sshHost) {
			h.env = append(h.env, "SSH_AUTH_SOCK="+filepath.Join(t.TempDir(), "none"))
		}, "does not answer", "ssh-agent"},
		{"no known hosts", func(t *testing.T, h *sshHost) {
			h.env = append(h.env, "SSH_KNOWN_HOSTS="+filepath.Join(t.TempDir(), "none"))
		}, "no known_hosts", "ssh-keyscan"},
		{"an unknown host", func(t *testing.T, h *sshHost) { must(t, os.WriteFile(h.known, nil, 0o600)) }, "not in known_hosts", "ssh-keyscan"},
		{"another host key", func(t *testing.T, h *sshHost) {
			other, _ := newSigner(t)
			line := knownhosts.Line([]string{knownhosts.Normalize(h.addr.String())}, other.PublicKey())
			must(t, os.WriteFile(h.known, []byte(line+"\n"), 0o600))
		}, "impostor", "changed its key"},
		{"a key that is not accepted", func(t *testing.T, h *sshHost) { h.env = append(h.env, "SSH_AUTH_SOCK="+otherAgent(t)) }, "no key of the ssh agent is accepted", "ssh-add"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := serveSSH(t)
			tt.change(t, h)
			_, err := tryPublish(t, h.open(t, bare(t)), snapshot(t, sample(1)))
			var refused *Refused
			if !errors.As(err, &refused) {
				t.Fatalf("got %v (%T), want a refusal", err, err)
			}
			if !strings.Contains(err.Error(), tt.reason) || !strings.Contains(refused.Hint(), tt.hint) {
				t.Errorf("said %q, hint %q", err, refused.Hint())
			}
		})
	}
	t.Run("no such repository", func(t *testing.T) {
		_, err := tryPublish(t, serveSSH(t).open(t, "/no/such.git"), snapshot(t, sample(1)))
		var refused *Refused
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "no such repository") {
			t.Errorf("got %v", err)
		}
	})
}

// otherAgent is an agent with a key that nobody knows.
func otherAgent(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	_, key := newSigner(t)
	ring := agent.NewKeyring()
	must(t, ring.Add(agent.AddedKey{PrivateKey: key}))
	l, err := net.Listen("unix", filepath.Join(dir, "agent"))
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go accept(l, func(c net.Conn) { _ = agent.ServeAgent(ring, c) })
	return filepath.Join(dir, "agent")
}

func TestSSHUser(t *testing.T) {
	for _, tt := range []struct {
		address string
		env     []string
		want    string
	}{
		{"git@example.org:o/r.git", []string{"USER=me"}, "git"},
		{"ssh://deploy@example.org/o/r.git", nil, "deploy"},
		{"example.org:o/r.git", []string{"USER=me"}, "me"},
		{"example.org:o/r.git", nil, "git"},
	} {
		a, err := ParseAddress(tt.address, "/")
		must(t, err)
		if got := (sshDialer{address: a, env: tt.env}).user(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.address, got, tt.want)
		}
	}
}

func TestKnownHostsFiles(t *testing.T) {
	if got := knownHosts([]string{"SSH_KNOWN_HOSTS=/a" + string(filepath.ListSeparator) + "/b", "HOME=/h"}); len(got) != 2 || got[0] != "/a" || got[1] != "/b" {
		t.Errorf("from the variable: %v", got)
	}
	if got := knownHosts([]string{"HOME=/h"}); len(got) != 2 || got[0] != filepath.Join("/h", ".ssh", "known_hosts") {
		t.Errorf("from the home directory: %v", got)
	}
}
