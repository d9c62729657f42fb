package publish

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"
)

// An sshHost is a real ssh server in this process that runs git's server
// programs, with an agent that holds the key it accepts.
type sshHost struct {
	addr   *net.TCPAddr
	env    []string
	known  string // path of the known_hosts file
	opened atomic.Int64
}

func (h *sshHost) pushes() int { return int(h.opened.Load()) }

func (h *sshHost) open(t *testing.T, dir string) *GitRemote {
	t.Helper()
	a, err := ParseAddress(fmt.Sprintf("ssh://git@127.0.0.1:%d%s", h.addr.Port, (&url.URL{Path: dir}).EscapedPath()), "/")
	must(t, err)
	g, err := OpenGit(a, Token{}, h.env)
	must(t, err)
	return g
}

func newSigner(t *testing.T) (ssh.Signer, ed25519.PrivateKey) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	s, err := ssh.NewSignerFromKey(key)
	must(t, err)
	return s, key
}

func serveSSH(t *testing.T) *sshHost {
	t.Helper()
	dir, err := os.MkdirTemp("", "s") // a socket's path must be short
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	hostKey, _ := newSigner(t)
	userKey, private := newSigner(t)

	config := &ssh.ServerConfig{PublicKeyCallback: func(c ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		if c.User() == "git" && string(key.Marshal()) == string(userKey.PublicKey().Marshal()) {
			return nil, nil
		}
		return nil, fmt.Errorf("not this key")
	}}
	config.AddHostKey(hostKey)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	h := &sshHost{addr: l.Addr().(*net.TCPAddr), known: filepath.Join(dir, "known_hosts")}
	go accept(l, func(c net.Conn) { h.serve(c, config) })

	line := knownhosts.Line([]string{knownhosts.Normalize(l.Addr().String())}, hostKey.PublicKey())
	must(t, os.WriteFile(h.known, []byte(line+"\n"), 0o600))

	keyring := agent.NewKeyring()
	must(t, keyring.Add(agent.AddedKey{PrivateKey: private}))
	socket := filepath.Join(dir, "agent")
	al, err := net.Listen("unix", socket)
	must(t, err)
	t.Cleanup(func() { al.Close() })
	go accept(al, func(c net.Conn) { _ = agent.ServeAgent(keyring, c) })

	h.env = append(os.Environ(), "SSH_AUTH_SOCK="+socket, "SSH_KNOWN_HOSTS="+h.known)
	return h
}

func accept(l net.Listener, serve func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			serve(c)
		}()
	}
}

func (h *sshHost) serve(c net.Conn, config *ssh.ServerConfig) {
	conn, channels, requests, err := ssh.NewServerConn(c, config)
	if err != nil {
		return
	}
	defer conn.Close()
	go ssh.DiscardRequests(requests)
	for n := range channels {
		channel, requests, err := n.Accept()
		if err != nil {
			return
		}
		go h.session(channel, requests)
	}
}

func (h *sshHost) session(channel ssh.Channel, requests <-chan *ssh.Request) {
	defer channel.Close()
	for r := range requests {
		if r.Type != "exec" || len(r.Payload) < 4 {
			_ = r.Reply(false, nil)
			continue
		}
		_ = r.Reply(true, nil)
		service, path, _ := strings.Cut(string(r.Payload[4:]), " ")
		path = strings.Trim(path, "'")
		cmd := exec.Command("git", strings.TrimPrefix(service, "git-"), path)
		cmd.Stdout, cmd.Stderr = channel, channel.Stderr()
		in, err := cmd.StdinPipe()
		if err != nil || cmd.Start() != nil {
			return
		}
		to := io.Writer(in)
		if service == "git-receive-pack" {
			to = &sniffer{w: in, pushed: func() { h.opened.Add(1) }}
		}
		go func() {
			_, _ = io.Copy(to, channel)
			in.Close()
		}()
		status := make([]byte, 4)
		if err := cmd.Wait(); err != nil {
			binary.BigEndian.PutUint32(status, 1)
		}
		_, _ = channel.SendRequest("exit-status", false, status)
		return
	}
}

// sniffer tells when more than a goodbye goes through: that is a push.
type sniffer struct {
	w      io.Writer
	n      int
	pushed func()
}

func (s *sniffer) Write(b []byte) (int, error) {
	if s.n <= 4 && s.n+len(b) > 4 {
		s.pushed()
	}
	s.n += len(b)
	return s.w.Write(b)
}
