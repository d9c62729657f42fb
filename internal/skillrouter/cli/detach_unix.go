//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// beNice lets everything else go first.
func beNice() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10) }

// detach lets a process outlive this one and its terminal.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
