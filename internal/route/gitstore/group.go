package gitstore

import "os/exec"

// EndTogether makes the end of a command's context the end of everything
// that the command started, such as hooks, helpers and ssh proxies. Call it
// before the command is started.
func EndTogether(cmd *exec.Cmd) {
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
}
