package store

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// victim is the environment variable that makes this binary the program that is killed.
const victim = "ANYHOOK_TEST_VICTIM"

func TestMain(m *testing.M) {
	if path := os.Getenv(victim); path != "" {
		os.Exit(beVictim(path))
	}
	os.Exit(m.Run())
}

// beVictim appends under load, reads events beside it, and says the id of
// what is stored, until it is killed.
func beVictim(path string) int {
	ctx := context.Background()
	db, err := Open(ctx, path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	log := NewLog(db)
	go func() {
		_ = log.ReadAll(ctx, func(r *capture.Request) {
			r.Events = []capture.Event{event(string(r.ID), "x", 1), event("same", "x", 1)}
		})
	}()
	fmt.Println("ready")
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for i := 0; ; i++ {
				r := delivery(i)
				r.ID = capture.ID(fmt.Sprintf("req_%016x", rand.Uint64()))
				r.Body = make([]byte, 500)
				if err := log.Append(ctx, r); err != nil {
					fmt.Fprintln(os.Stderr, err)
					return
				}
				fmt.Println(r.ID) // one write, one line
			}
		})
	}
	wg.Wait()
	return 1
}

func TestNothingStoredIsLostWhenTheProgramIsKilled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	stored := map[string]bool{}
	const kills = 50
	for i := range kills {
		for _, id := range killed(t, path, 1+rand.IntN(60)) {
			stored[id] = true
		}
		if i%25 != 24 {
			continue
		}
		db, err := Open(t.Context(), path)
		require.NoError(t, err)
		log := NewLog(db)
		requireSound(t, log)
		if i == kills-1 {
			requireRead(t, log, stored)
		}
		require.NoError(t, db.Close())
	}
	require.NotEmpty(t, stored)
	t.Logf("%d kills, %d stored, none lost", kills, len(stored))
}

// killed runs the victim, kills it when it has said so many ids, and returns all that it said.
func killed(t *testing.T, path string, enough int) (ids []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), victim+"="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var trouble strings.Builder
	cmd.Stderr = &trouble
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan(), trouble.String())
	require.Equal(t, "ready", lines.Text())
	for lines.Scan() {
		if len(lines.Text()) == len("req_0123456789abcdef") { // else it was cut off
			ids = append(ids, lines.Text())
		}
		if len(ids) == enough {
			require.NoError(t, cmd.Process.Kill())
		}
	}
	require.NoError(t, lines.Err())
	require.Error(t, cmd.Wait())
	require.Empty(t, trouble.String())
	return ids
}

// requireRead checks that all that was said to be stored is, with its events.
func requireRead(t *testing.T, log *Log, stored map[string]bool) {
	t.Helper()
	readAll(t, log, func(r *capture.Request) {
		r.Events = []capture.Event{event(string(r.ID), "x", 1), event("same", "x", 1)}
	})
	lost := maps.Clone(stored)
	for r, err := range log.After(t.Context(), 0) {
		require.NoError(t, err)
		delete(lost, string(r.ID))
		require.Len(t, r.Events, 2)
		require.Equal(t, 1, r.Events[0].Seen)
		require.EqualValues(t, r.Seq, r.Events[1].Seen, "each was counted once")
	}
	require.Empty(t, lost, "said to be stored, and lost")
}
