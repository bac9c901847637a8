package session

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/ledger"
	"anyhook.net/desktop/capture/store"
)

// The child of TestKillLosesNothing is this test binary, run as the program.
const (
	childDir    = "ANYHOOK_TEST_CHILD_DIR"
	childTarget = "ANYHOOK_TEST_CHILD_TARGET"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		child(dir, os.Getenv(childTarget))
	}
	os.Exit(m.Run())
}

// child captures and forwards until it is killed.
func child(dir, target string) {
	ctx := context.Background()
	s, err := Start(ctx, Config{Dir: dir, Listen: "127.0.0.1:0", NoKeychain: true})
	if err == nil {
		err = s.SetEndpoints(ctx, capture.Endpoint{Name: DefaultEndpoint, Path: "/", Target: target})
	}
	if err != nil {
		fmt.Println("cannot start:", err)
		os.Exit(1)
	}
	fmt.Println(s.Status().LocalURL)
	select {}
}

const (
	kills   = 50
	clients = 8
)

// The whole program is killed fifty times while providers send and the handler
// is called. Everything that was acknowledged is there again, once, in a log
// without gaps whose rows have the hashes of what they hold.
func TestKillLosesNothing(t *testing.T) {
	t.Parallel()
	handler := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer handler.Close()
	dir := t.TempDir()
	var mu sync.Mutex
	acked := map[string]bool{}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range kills {
		killed(t, dir, handler.URL, round, time.Duration(20+random.IntN(300))*time.Millisecond, func(id string) {
			mu.Lock()
			defer mu.Unlock()
			acked[id] = true
		})
	}
	require.NotEmpty(t, acked)

	db, err := store.Open(t.Context(), filepath.Join(dir, FileName))
	require.NoError(t, err)
	defer db.Close()
	log := store.NewLog(db)
	found := map[string]int{}
	next := capture.Seq(1)
	for r, err := range log.After(t.Context(), 0) {
		require.NoError(t, err)
		require.Equal(t, next, r.Seq, "a gap")
		next++
		u, err := url.Parse(r.URL)
		require.NoError(t, err)
		id := strings.TrimPrefix(u.Path, "/in/")
		require.Contains(t, string(r.Body), `"evt_`+id+`"`)
		found[id]++
		leaf, err := log.Leaf(t.Context(), r.Seq)
		require.NoError(t, err)
		require.Equal(t, ledger.Leaf(r), leaf, "seq %d", r.Seq)
	}
	for id := range acked {
		require.Equal(t, 1, found[id], "acknowledged %s", id)
	}
	t.Logf("%d kills, %d acknowledged, %d stored", kills, len(acked), len(found))
}

// killed runs the program, sends to it, kills it after the time given, and
// tells of every id that was acknowledged.
func killed(t *testing.T, dir, target string, round int, after time.Duration, acked func(string)) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childDir+"="+dir, childTarget+"="+target)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "http://")
	require.True(t, ok, line)

	var wg sync.WaitGroup
	for c := range clients {
		conn := dial(t, addr)
		wg.Go(func() {
			for n := 0; ; n++ {
				id := fmt.Sprintf("%d-%d-%d", round, c, n)
				status, err := conn.post(request(id))
				if err != nil {
					return // it is dead
				}
				if status == http.StatusOK {
					acked(id)
				}
			}
		})
	}
	kill := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	wg.Wait()
	_ = cmd.Wait()
}
