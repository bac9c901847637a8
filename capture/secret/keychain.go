package secret

import (
	"context"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/zalando/go-keyring"
)

// service is under what the entries stand in the keychain.
const service = "AnyHook Desktop"

// A keychain is what the operating system has.
type keychain interface {
	set(key, value string) error
	get(key string) (string, error)
	delete(key string) error
}

type system struct{}

func (system) set(key, value string) error    { return keyring.Set(service, key, value) }
func (system) get(key string) (string, error) { return keyring.Get(service, key) }
func (system) delete(key string) error        { return keyring.Delete(service, key) }

// reachable reports whether asking the keychain can do no harm. Without a
// session bus, the D-Bus library would start one, and leave it running.
func reachable() bool {
	switch runtime.GOOS {
	case "darwin", "windows":
		return true
	}
	if addr := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); addr != "" {
		return !strings.HasPrefix(addr, "autolaunch:")
	}
	me, err := user.Current()
	if err != nil {
		return false
	}
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join("/run/user", me.Uid, name)); err == nil {
			return true
		}
	}
	return false
}

// bounded asks a keychain one thing at a time, and waits no longer than the
// context. What hangs keeps its turn: at most one goroutine is ever stuck.
type bounded struct {
	chain keychain
	turn  chan struct{} // holds a token while nobody asks
}

func newBounded(k keychain) *bounded {
	b := &bounded{k, make(chan struct{}, 1)}
	b.turn <- struct{}{}
	return b
}

func (b *bounded) do(ctx context.Context, ask func() error) error {
	select {
	case <-b.turn:
	case <-ctx.Done():
		return ErrKeychain
	}
	answer := make(chan error, 1)
	go func() {
		defer func() { b.turn <- struct{}{} }()
		answer <- ask()
	}()
	select {
	case err := <-answer:
		return translated(err)
	case <-ctx.Done():
		return ErrKeychain
	}
}

func (b *bounded) get(ctx context.Context, key string) (string, error) {
	found := make(chan string, 1)
	err := b.do(ctx, func() error {
		v, err := b.chain.get(key)
		found <- v
		return err
	})
	if err != nil {
		return "", err
	}
	return <-found, nil
}

func (b *bounded) set(ctx context.Context, key, value string) error {
	return b.do(ctx, func() error { return b.chain.set(key, value) })
}

func (b *bounded) delete(ctx context.Context, key string) error {
	return b.do(ctx, func() error { return b.chain.delete(key) })
}

// close waits for what is being asked, but not for what hangs.
func (b *bounded) close() {
	if b == nil {
		return
	}
	late := time.NewTimer(probing)
	defer late.Stop()
	select {
	case <-b.turn:
		b.turn <- struct{}{}
	case <-late.C:
	}
}

// translated makes our errors of the library's. Its texts are kept out: they
// are for programmers, and could hold anything.
func translated(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return ErrTooLong
	}
	return ErrKeychain
}
