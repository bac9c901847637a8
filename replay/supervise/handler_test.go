//go:build unix

package supervise

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The handlers of these tests are this test binary, which serves an address and
// answers with the number of its process.
const (
	roleOf    = "SUPERVISE_TEST_ROLE"
	addressOf = "SUPERVISE_TEST_ADDRESS"
)

// soon is more than anything here takes.
const soon = 20 * time.Second

func TestMain(m *testing.M) {
	role, addr := os.Getenv(roleOf), os.Getenv(addressOf)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := play(role, addr); err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
}

func play(role, addr string) error {
	switch role {
	case "server":
		return serve(addr)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		return serve(addr)
	case "deserter": // leaves the serving to another, and ends
		return again("stubborn", nil).Start()
	case "supervisor": // is to be killed
		h := handler(addr, "trap '' TERM; "+command("parent")+" & wait")
		if err := h.Start(context.Background()); err != nil {
			return err
		}
		fmt.Println("ready")
		select {}
	}
	return playMore(role)
}

// again is this binary in another role.
func again(role string, attr *syscall.SysProcAttr) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleOf+"="+role)
	cmd.SysProcAttr, cmd.Stdout, cmd.Stderr = attr, os.Stdout, os.Stderr
	return cmd
}

func serve(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("serving %s by \x1b[1m%d\x1b[0m\n", addr, os.Getpid())
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, os.Getpid()) }))
}

// command is a command that plays a role.
func command(role string) string { return roleOf + "=" + role + " '" + os.Args[0] + "'" }

// handler is a Handler that serves addr.
func handler(addr, command string) *Handler {
	return &Handler{
		Command: command, Env: []string{addressOf + "=" + addr}, Target: "http://" + addr, Now: time.Now, Patience: soon,
		Listening: func(context.Context) bool { return listens(addr) },
	}
}

func listens(addr string) bool {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// ports are given out below those that the system gives, so that no test gets
// the port that another has in mind.
var ports atomic.Int64

// free is an address where nobody listens. It is not listened at to find out: a
// process that is being born meanwhile would listen, too, for a moment.
func free(t *testing.T) string {
	t.Helper()
	for {
		addr := fmt.Sprintf("127.0.0.1:%d", 20000+os.Getpid()%10*1000+int(ports.Add(1)))
		if !listens(addr) {
			return addr
		}
	}
}

// supervised is a Handler that plays a role until the test ends, and its address.
func supervised(t *testing.T, role string) (*Handler, string) {
	t.Helper()
	addr := free(t)
	h := handler(addr, command(role))
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h, addr
}

// served is the number of the process that answers at addr.
func served(t *testing.T, addr string) int {
	t.Helper()
	client := &http.Client{Timeout: soon, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + addr)
	require.NoError(t, err)
	defer res.Body.Close()
	var b [20]byte
	n, _ := res.Body.Read(b[:])
	pid, err := strconv.Atoi(string(b[:n]))
	require.NoError(t, err)
	return pid
}

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, soon, 2*time.Millisecond, what)
}

// counted counts how often Changed is called.
func counted(h *Handler) *atomic.Int64 {
	n := &atomic.Int64{}
	h.Changed = func() { n.Add(1) }
	return n
}

// words are what is said of a wrong start, on one line.
func words(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
