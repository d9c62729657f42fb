//go:build unix

package gitstore

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup starts the command as the leader of a process group, so that the
// helpers and ssh proxies it starts end with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(p *os.Process) error {
	if err := syscall.Kill(-p.Pid, syscall.SIGKILL); err != nil {
		return p.Kill()
	}
	return nil
}
