package cli

import (
	"os/exec"
	"syscall"
)

// createNewProcessGroup and detachedProcess are Windows' flags of the same
// names.
const (
	createNewProcessGroup = 0x00000200
	detachedProcess       = 0x00000008
)

// beNice does nothing: the process was started with no window and no haste.
func beNice() {}

// detach lets a process outlive this one and its console.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: createNewProcessGroup | detachedProcess, HideWindow: true}
}
