package publish

import (
	"context"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// sshConnect is how long a connection may take to come up.
const sshConnect = 30 * time.Second

// sshDialer speaks with git over ssh: keys from the agent, hosts from
// known_hosts. It never asks a person.
type sshDialer struct {
	address Address
	env     []string
}

func (d sshDialer) upload(ctx context.Context) (transport.UploadPackSession, error) {
	return dialSSH(ctx, d, transport.Transport.NewUploadPackSession)
}

func (d sshDialer) receive(ctx context.Context) (transport.ReceivePackSession, error) {
	return dialSSH(ctx, d, transport.Transport.NewReceivePackSession)
}

// dialSSH opens a session within the context, which go-git does not look at
// while it connects. A handshake that hangs is left to the process's end.
func dialSSH[S transport.Session](ctx context.Context, d sshDialer, open func(transport.Transport, *transport.Endpoint, transport.AuthMethod) (S, error)) (S, error) {
	type opened struct {
		session S
		err     error
	}
	var none S
	auth, err := d.auth()
	if err != nil {
		return none, err
	}
	result := make(chan opened, 1)
	go func() {
		s, err := open(gitssh.DefaultClient, d.address.endpoint(), auth)
		result <- opened{s, err}
	}()
	select {
	case o := <-result:
		return o.session, o.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// An sshError is a connection that cannot even be tried.
type sshError struct{ text, next string }

func (e *sshError) Error() string { return e.text }

// auth finds the agent and the known hosts.
func (d sshDialer) auth() (*sshAuth, error) {
	socket := lookup(d.env, "SSH_AUTH_SOCK")
	if socket == "" {
		return nil, &sshError{"there is no ssh agent (SSH_AUTH_SOCK is not set)", "start one and add the deploy key: eval $(ssh-agent) && ssh-add KEYFILE; or use the https address with --token-env"}
	}
	db, err := gitssh.NewKnownHostsDb(knownHosts(d.env)...)
	if err != nil {
		return nil, &sshError{"there is no known_hosts file that can be read, so the host cannot be told from another", "add its key: ssh-keyscan " + d.address.Host + " >> ~/.ssh/known_hosts, and compare it with what the host publishes"}
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, &sshError{"the ssh agent does not answer at SSH_AUTH_SOCK", "start it again: eval $(ssh-agent) && ssh-add KEYFILE"}
	}
	port := d.address.Port
	if port == 0 {
		port = gitssh.DefaultPort
	}
	host := net.JoinHostPort(d.address.Host, strconv.Itoa(port))
	return &sshAuth{ssh.ClientConfig{
		User:              d.user(),
		Auth:              []ssh.AuthMethod{ssh.PublicKeysCallback(agent.NewClient(conn).Signers)},
		HostKeyCallback:   db.HostKeyCallback(),
		HostKeyAlgorithms: db.HostKeyAlgorithms(host), // else a host with a second key looks like an impostor
		Timeout:           sshConnect,
	}}, nil
}

// user is who logs in: as the address says, else as ssh would.
func (d sshDialer) user() string {
	if d.address.User != "" {
		return d.address.User
	}
	if user := lookup(d.env, "USER"); user != "" {
		return user
	}
	return gitssh.DefaultUsername
}

func knownHosts(env []string) []string {
	if files := filepath.SplitList(lookup(env, "SSH_KNOWN_HOSTS")); len(files) > 0 {
		return files
	}
	files := []string{"/etc/ssh/ssh_known_hosts"}
	if home := lookup(env, "HOME"); home != "" {
		files = append([]string{filepath.Join(home, ".ssh", "known_hosts")}, files...)
	}
	return files
}

// sshAuth is a ready configuration in the form that go-git asks for.
type sshAuth struct{ config ssh.ClientConfig }

// Name implements [transport.AuthMethod].
func (*sshAuth) Name() string { return gitssh.PublicKeysCallbackName }

func (a *sshAuth) String() string { return a.config.User }

// ClientConfig implements go-git's ssh AuthMethod.
func (a *sshAuth) ClientConfig() (*ssh.ClientConfig, error) {
	config := a.config
	return &config, nil
}

// lookup reads a variable from an environment as os.Environ gives it.
func lookup(env []string, name string) (value string) {
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			value = v
		}
	}
	return value
}
