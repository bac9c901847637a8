package supervise

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"anyhook.net/desktop/replay"
)

// An instance is one run of the command: its processes, from the first to the
// last.
type instance struct {
	cmd   *exec.Cmd
	group *group
	from  int64         // where its output begins
	doom  chan struct{} // closed when it is to die
	over  chan struct{} // closed when nothing is left of it

	mu     sync.Mutex // guards what follows
	is     replay.HandlerState
	reason replay.HandlerPhase // why it ends, if somebody ends it
	err    error               // what of it could not be ended
}

// slow and quick are the pauses between two looks at whether processes live
// that the command left behind, and that were killed.
const (
	slow  = 200 * time.Millisecond
	quick = 2 * time.Millisecond
)

// freeing bounds the wait for the port of a dead handler to be free.
const freeing = 2 * time.Second

// launch starts the command.
func (h *Handler) launch(ctx context.Context) (*instance, error) {
	dir, err := folder(h.Dir)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer write.Close()
	cmd := shell(h.Command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), h.Env...)
	cmd.Stdout, cmd.Stderr = write, write
	run := &instance{
		cmd: cmd, from: h.out.written(), doom: make(chan struct{}), over: make(chan struct{}),
		is: replay.HandlerState{Phase: replay.HandlerStarting, Since: h.Now()},
	}
	if run.group, err = begin(cmd); err != nil {
		_ = read.Close()
		return nil, err
	}
	h.run = run
	go h.tend(run, read)
	return run, nil
}

// folder is the folder to run in.
func folder(dir string) (string, error) {
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, rest)
	}
	if dir == "" {
		return "", nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("there is no folder %s", dir)
	}
	return dir, nil
}

// tend waits until nothing is left of run. It ends with the last process, which
// Close kills.
func (h *Handler) tend(run *instance, output *os.File) {
	read := make(chan struct{})
	go func() {
		defer close(read)
		h.read(output)
	}()
	err := run.cmd.Wait()
	for run.group.alive() {
		run.rest()
	}
	run.group.close()
	timer := time.NewTimer(slow)
	defer timer.Stop()
	select {
	case <-read:
	case <-timer.C: // somebody that nobody knows holds the other end
	}
	_ = output.Close()
	<-read
	run.ended(err, h.Now())
	if run.doomed() && !h.free() {
		run.fail(h.trouble(replay.StillServed))
	}
	close(run.over)
	h.changed()
}

// free waits until nobody listens any more, and reports whether it came to that.
func (h *Handler) free() bool {
	ctx, cancel := context.WithTimeout(context.Background(), freeing)
	defer cancel()
	for h.Listening(ctx) {
		timer := time.NewTimer(quick)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
	return true
}

// rest passes the time between two looks; what is to die, it kills again, for
// it may have had children in the meantime.
func (r *instance) rest() {
	timer := time.NewTimer(slow)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.doom:
		r.group.kill()
		timer.Reset(quick)
		<-timer.C
	}
}

// read keeps what the handler prints.
func (h *Handler) read(output io.Reader) {
	lines := bufio.NewReaderSize(output, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 {
			h.out.write(line)
			if h.Print != nil {
				h.Print(strings.TrimSuffix(Printable(line), "\n"))
			}
			h.changed()
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

func (r *instance) doomed() bool { return closed(r.doom) }
func (r *instance) gone() bool   { return closed(r.over) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// kill dooms r, and kills what there is of it.
func (r *instance) kill() {
	r.mu.Lock()
	if !r.doomed() {
		close(r.doom)
	}
	r.mu.Unlock()
	r.group.kill()
}

// note remembers who ends r; the first who does counts.
func (r *instance) note(why replay.HandlerPhase) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reason == "" {
		r.reason = why
	}
}

// listens notes that r does, unless it ended meanwhile.
func (r *instance) listens(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.is.Phase == replay.HandlerStarting && !r.doomed() {
		r.is = replay.HandlerState{Phase: replay.HandlerListening, Since: now}
	}
	return r.is.Phase == replay.HandlerListening
}

// ended notes how the command ended.
func (r *instance) ended(err error, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.is = replay.HandlerState{Phase: replay.HandlerEnded, Since: now, Status: "exit status 0"}
	if r.reason != "" {
		r.is = replay.HandlerState{Phase: r.reason, Since: now}
	} else if err != nil {
		r.is.Status = err.Error()
	}
}

func (r *instance) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

func (r *instance) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *instance) state() replay.HandlerState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.is
}

func (r *instance) phase() replay.HandlerPhase { return r.state().Phase }
