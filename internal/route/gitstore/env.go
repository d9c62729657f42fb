package gitstore

import (
	"path"
	"slices"
	"strings"
)

// settings of every git we start: no program that a configuration names is
// run, nothing is kept up in the background, messages have one form.
var settings = []string{
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.logAllRefUpdates=false",
	"-c", "core.fsmonitor=false",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
	"-c", "fetch.recurseSubmodules=false",
	"-c", "fetch.writeCommitGraph=false",
	"-c", "color.ui=false",
	"-c", "core.pager=cat",
	"-c", "log.showRoot=true",
	"-c", "credential.interactive=false",
}

var (
	// An old git that does not know GIT_NO_LAZY_FETCH still finds no
	// transport allowed.
	readSettings    = append(slices.Clone(settings), "-c", "protocol.allow=never")
	networkSettings = append(slices.Clone(settings), "-c", "protocol.file.allow=user", "-c", "protocol.ext.allow=never")
)

// dropped are the variables that point git at another repository than the
// one of its directory, or its streams elsewhere. What git calls its local
// variables, less GIT_CONFIG_COUNT and GIT_CONFIG_PARAMETERS, through which
// a CI job hands over its credentials.
var dropped = map[string]bool{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES": true,
	"GIT_ATTR_SOURCE":                  true,
	"GIT_COMMON_DIR":                   true,
	"GIT_CONFIG":                       true,
	"GIT_DIR":                          true,
	"GIT_GRAFT_FILE":                   true,
	"GIT_IMPLICIT_WORK_TREE":           true,
	"GIT_INDEX_FILE":                   true,
	"GIT_INTERNAL_SUPER_PREFIX":        true,
	"GIT_NAMESPACE":                    true,
	"GIT_NO_REPLACE_OBJECTS":           true,
	"GIT_OBJECT_DIRECTORY":             true,
	"GIT_PREFIX":                       true,
	"GIT_QUARANTINE_PATH":              true,
	"GIT_REDIRECT_STDERR":              true,
	"GIT_REDIRECT_STDIN":               true,
	"GIT_REDIRECT_STDOUT":              true,
	"GIT_REPLACE_REF_BASE":             true,
	"GIT_SHALLOW_FILE":                 true,
	"GIT_WORK_TREE":                    true,
}

// environment is env without what would mislead git, and with what keeps it
// quiet and unattended.
func environment(env []string, set ...string) []string {
	set = append(set,
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ASKPASS=false", // the command of that name: it asks nobody and fails
		"SSH_ASKPASS=false",
		"SSH_ASKPASS_REQUIRE=never",
		"GCM_INTERACTIVE=never",
		"GIT_PAGER=cat",
		"LC_ALL=C",
		"LANGUAGE=C",
	)
	replaced := map[string]bool{"PWD": true}
	for _, kv := range set {
		replaced[key(kv)] = true
	}
	out := make([]string, 0, len(env)+len(set))
	for _, kv := range env {
		if k := key(kv); !dropped[k] && !replaced[k] {
			out = append(out, kv)
		}
	}
	return append(out, set...)
}

func readEnvironment(env []string) []string {
	// Grafts would give a commit other parents than it has. No file is there,
	// so none is read; an empty one would earn a warning.
	return environment(env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_GRAFT_FILE=/dev/null/none")
}

func networkEnvironment(env []string, sshCommand string) []string {
	return environment(env, "GIT_SSH_COMMAND="+unattendedSSH(env, sshCommand))
}

// unattendedSSH is the ssh command that the person has chosen, told never to
// ask and not to wait long for a host.
func unattendedSSH(env []string, configured string) string {
	command := lookup(env, "GIT_SSH_COMMAND")
	if command == "" {
		command = configured
	}
	if command == "" {
		if program := lookup(env, "GIT_SSH"); program != "" {
			command = "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
		}
	}
	if command == "" {
		command = "ssh"
	}
	switch sshVariant(env, command) {
	case "simple":
		return command
	case "plink", "putty", "tortoiseplink":
		return command + " -batch"
	}
	return command + " -oBatchMode=yes -oConnectTimeout=5"
}

// sshVariant is the kind of the ssh program: what GIT_SSH_VARIANT says, else
// what its name says.
func sshVariant(env []string, command string) string {
	if v := lookup(env, "GIT_SSH_VARIANT"); v != "" && v != "auto" {
		return v
	}
	program, _, _ := strings.Cut(strings.ToLower(command), " ")
	program = strings.Trim(strings.ReplaceAll(program, `\`, "/"), `'"`)
	return strings.TrimSuffix(path.Base(program), ".exe")
}

// key is the name of a variable, in capitals, for Windows knows no case.
func key(kv string) string {
	k, _, _ := strings.Cut(kv, "=")
	return strings.ToUpper(k)
}

// lookup returns the value of a variable, or "".
func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if k, v, ok := strings.Cut(kv, "="); ok && strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}
