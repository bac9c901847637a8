package supervise

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A group is the job of a command: all its processes, and all of theirs. It
// ends when its last handle is closed, which the system does for a dead AnyHook.
type group struct {
	mu  sync.Mutex
	job windows.Handle // 0 when it is closed
}

// shell is a command for the shell, which has quoting rules of its own.
func shell(command string) *exec.Cmd {
	name := os.Getenv("COMSPEC")
	if name == "" {
		name = "cmd.exe"
	}
	cmd := exec.Command(name) //nolint:gosec,noctx // the user's own; see the package comment
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `/S /C "` + command + `"`}
	return cmd
}

// begin starts cmd in a job of its own. It is put there before it runs, so that
// nothing of it can be born outside.
func begin(cmd *exec.Cmd) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	g := &group{job: job}
	var limit windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limit.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limit)), uint32(unsafe.Sizeof(limit))) //nolint:gosec // as the system wants it
	if err != nil {
		g.close()
		return nil, err
	}
	cmd.SysProcAttr.HideWindow = true
	cmd.SysProcAttr.CreationFlags = windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW
	if err := cmd.Start(); err != nil {
		g.close()
		return nil, err
	}
	pid := uint32(cmd.Process.Pid) //nolint:gosec // numbers of processes have 32 bits
	if err := errors.Join(assign(job, pid), resume(pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.close()
		return nil, err
	}
	return g, nil
}

// assign puts a process into a job.
func assign(job windows.Handle, pid uint32) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	return errors.Join(windows.AssignProcessToJobObject(job, p), windows.CloseHandle(p))
}

// resume lets a process run that was started suspended.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(snapshot) }()
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		return errors.Join(err, windows.CloseHandle(thread))
	}
	return err
}

// ask reports that programs without a window and a console cannot be asked to end.
func (g *group) ask() bool { return false }

// kill kills all.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of winnt.h.
type accounting struct {
	TotalUserTime, TotalKernelTime, ThisPeriodTotalUserTime, ThisPeriodTotalKernelTime int64
	TotalPageFaultCount, TotalProcesses, ActiveProcesses, TotalTerminatedProcesses     uint32
}

// alive reports whether any process of the job lives.
func (g *group) alive() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	var is accounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&is)), uint32(unsafe.Sizeof(is)), nil) //nolint:gosec // as the system wants it
	return err == nil && is.ActiveProcesses > 0
}

// close gives the job back.
func (g *group) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = windows.CloseHandle(g.job)
	g.job = 0
}
