package secret

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zalando/go-keyring"
)

// chain is a keychain in memory.
type chain struct {
	mu   sync.Mutex
	kept map[string]string
	err  error
	hang chan struct{} // what is asked waits for it, if there is one
}

func (c *chain) ask() error {
	if c.hang != nil {
		<-c.hang
	}
	return c.err
}

func (c *chain) set(key, value string) error {
	if err := c.ask(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]string{}
	}
	c.kept[key] = value
	return nil
}

func (c *chain) get(key string) (string, error) {
	if err := c.ask(); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.kept[key]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return v, nil
}

func (c *chain) delete(key string) error {
	if _, err := c.get(key); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.kept, key)
	return nil
}

func TestWithoutAKeychainSecretsGoIntoTheFileAndMoveOverLater(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	s := open(t, dir, Options{chain: &chain{err: errors.New("org.freedesktop.secrets was not provided")}})
	require.NoError(t, s.Set(ctx, "ngrok", "2token"))
	require.Equal(t, filepath.Join(dir, fileName), s.Where())

	there := &chain{}
	s = open(t, dir, Options{chain: there})
	v, err := s.Get(ctx, "ngrok")
	require.NoError(t, err)
	require.Equal(t, "2token", v.Reveal(), "from the file, still")
	require.NoError(t, s.Set(ctx, "ngrok", "3token"))
	require.NotContains(t, read(t, dir), "token", "and out of it with the next change")
	require.Len(t, there.kept, 1)

	s = open(t, dir, Options{NoKeychain: true})
	_, err = s.Get(ctx, "ngrok")
	require.ErrorIs(t, err, ErrKeychain)
	require.ErrorIs(t, s.Delete(ctx, "ngrok"), ErrKeychain)
	require.NoError(t, s.Set(ctx, "ngrok", "4token"), "typed again, it is kept where it can be")
	v, err = s.Get(ctx, "ngrok")
	require.NoError(t, err)
	require.Equal(t, "4token", v.Reveal())
}

func TestAKeychainThatRefusesLosesNothingAndTellsNothing(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	require.NoError(t, open(t, dir, Options{NoKeychain: true}).Set(ctx, "ngrok", "old"))
	c := &chain{}
	s := open(t, dir, Options{chain: c})
	for from, want := range map[error]error{
		errors.New("prompt dismissed, value new"):       ErrKeychain,
		fmt.Errorf("win: %w", keyring.ErrSetDataTooBig): ErrTooLong,
	} {
		c.err = from
		err := s.Set(ctx, "ngrok", "new")
		require.ErrorIs(t, err, want)
		require.NotContains(t, err.Error(), "new")
		v, err := s.Get(ctx, "ngrok")
		require.NoError(t, err)
		require.Equal(t, "old", v.Reveal())
	}
	c.err = nil
	require.NoError(t, s.Set(ctx, "ngrok", "new"))
	v, err := s.Get(ctx, "ngrok")
	require.NoError(t, err)
	require.Equal(t, "new", v.Reveal())
}

func TestAKeychainThatHangsIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, open(t, dir, Options{chain: &chain{}}).Set(t.Context(), "ngrok", "x"))
	synctest.Test(t, func(t *testing.T) {
		c := &chain{hang: make(chan struct{})}
		begin := time.Now()
		s, err := Open(t.Context(), dir, Options{chain: c})
		require.NoError(t, err)
		require.Equal(t, probing, time.Since(begin))
		require.NotEqual(t, "keychain", s.Where())
		for range 10 {
			_, err = s.Get(t.Context(), "ngrok")
			require.ErrorIs(t, err, ErrKeychain)
		}
		require.Equal(t, 11*probing, time.Since(begin))
		require.NoError(t, s.Set(t.Context(), "other", "y"))
		begin = time.Now()
		require.NoError(t, s.Close())
		require.Equal(t, probing, time.Since(begin))

		close(c.hang)
		synctest.Wait()
		_, err = s.late.get(t.Context(), "x")
		require.ErrorIs(t, err, ErrNotFound, "unlocked late, it answers again")
	})
}

func TestTheSystemsKeychainIsUsed(t *testing.T) { // not parallel: the mock is for the whole process
	keyring.MockInit()
	s := open(t, t.TempDir(), Options{chain: system{}, NewID: func() string { return "folder" }})
	require.Equal(t, "keychain", s.Where())
	require.NoError(t, s.Set(t.Context(), "ngrok", "2token"))
	v, err := keyring.Get("AnyHook Desktop", "folder/ngrok")
	require.NoError(t, err)
	require.Equal(t, "2token", v)
	require.NoError(t, s.Delete(t.Context(), "ngrok"))
	_, err = keyring.Get("AnyHook Desktop", "folder/ngrok")
	require.ErrorIs(t, err, keyring.ErrNotFound)
}

// In a process of its own, since the D-Bus library hangs for good with its bus.
func TestABusThatHangsIsNotWaitedFor(t *testing.T) {
	if dir := os.Getenv("ANYHOOK_TEST_BUS"); dir != "" {
		s := open(t, dir, Options{})
		require.NotEqual(t, "keychain", s.Where())
		require.NoError(t, s.Set(t.Context(), "ngrok", "x"))
		return
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return // there is no bus
	}
	t.Parallel()
	dir := t.TempDir()
	for name, bus := range map[string]string{"silent": "unix:path=" + dir + "/bus", "missing": "unix:path=" + dir + "/none", "none": "autolaunch:"} {
		if name == "silent" {
			l, err := net.Listen("unix", dir+"/bus")
			require.NoError(t, err)
			defer l.Close() // it accepts, and says nothing
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestABusThatHangsIsNotWaitedFor$")
		cmd.Env = append(os.Environ(), "ANYHOOK_TEST_BUS="+t.TempDir(), "DBUS_SESSION_BUS_ADDRESS="+bus)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
	}
}
