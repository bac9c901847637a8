// Package secret keeps signing secrets and tokens in the keychain of the
// operating system. Where there is none that answers (a bare Linux, a
// container), they go into a file in the data folder that only its owner may
// read, and Where says so.
//
// A keychain cannot list what it holds, so the names, which are no secrets, are
// in the file in any case; a value stands there only if no keychain took it:
//
//	{"version": 1, "folder": "K3J…", "names": {"ngrok": {"keychain": true}, "endpoint/stripe/0": {"value": "whsec_…"}}}
//
// folder tells the entries of several data folders apart within one keychain.
// A file that cannot be understood is never overwritten.
package secret

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"anyhook.net/desktop/capture"
)

// The errors, to be found with errors.Is.
var (
	ErrNotFound = errors.New("no such secret")
	ErrDamaged  = errors.New("the file of secrets is damaged") // move it away, then type the secrets again
	ErrKeychain = errors.New("the keychain does not answer")   // it may be locked
	ErrTooLong  = errors.New("the secret is too long for the keychain")
	ErrText     = errors.New("the secret is not text")
	ErrName     = errors.New("not a name of a secret")
)

// probing is how long the keychain may take at Open to show that it is there;
// asking is how long it may take afterwards, while the user types a password.
const (
	probing = 2 * time.Second
	asking  = 30 * time.Second
)

// Options of Open. The zero value is what the product uses.
type Options struct {
	NoKeychain bool          // keep everything in the file
	NewID      func() string // names the folder within the keychain; nil means random

	chain keychain // for tests; nil means the real one
}

// A Store keeps secrets by names such as "ngrok" and "endpoint/stripe/0". Its
// methods may be called from any goroutine, but may wait for a person who
// unlocks the keychain: not from the one that draws.
type Store struct {
	dir   *os.Root
	path  string
	newID func() string
	chain *bounded // nil: there is none to put new secrets in
	late  *bounded // what may still hold old ones

	mu sync.Mutex // one change of the file at a time; reading needs none
}

// Open opens the store of the data folder dir, which is made if need be. It
// waits for the keychain, for two seconds at most. A damaged file is found here,
// as ErrDamaged; nothing is changed.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the data folder: %w", err)
	}
	s := &Store{dir: root, path: filepath.Join(dir, fileName), newID: o.NewID}
	if s.newID == nil {
		s.newID = rand.Text
	}
	if _, err := s.load(); err != nil {
		root.Close()
		return nil, err
	}
	_ = root.Chmod(fileName, 0o600) // there may be none, and not every file system has modes
	chain := o.chain
	if chain == nil && reachable() {
		chain = system{}
	}
	if chain == nil || o.NoKeychain {
		return s, nil
	}
	s.late = newBounded(chain)
	ctx, cancel := context.WithTimeout(ctx, probing)
	defer cancel()
	if _, err := s.late.get(ctx, "probe"); err == nil || errors.Is(err, ErrNotFound) {
		s.chain = s.late
	}
	return s, nil
}

// Where says where the next secret goes: "keychain", or the path of the file.
func (s *Store) Where() string {
	if s.chain != nil {
		return "keychain"
	}
	return s.path
}

// Get returns a secret, or ErrNotFound, or ErrKeychain if it is in a keychain
// that does not answer.
func (s *Store) Get(ctx context.Context, name string) (capture.Secret, error) {
	f, err := s.load()
	if err != nil {
		return "", err
	}
	e, ok := f.Names[name]
	switch {
	case !ok:
		return "", fmt.Errorf("%w: %s", ErrNotFound, name)
	case !e.Keychain:
		return capture.Secret(e.Value), nil
	}
	var v string
	err = s.ask(ctx, func(ctx context.Context) error {
		v, err = s.late.get(ctx, f.key(name))
		return err
	})
	switch {
	case err == nil:
		return capture.Secret(v), nil
	case e.Value != "": // the keychain never got the newer one
		return capture.Secret(e.Value), nil
	}
	return "", fmt.Errorf("get %s: %w", name, err)
}

// ask gives the keychain its time: long if it answered at Open.
func (s *Store) ask(ctx context.Context, f func(context.Context) error) error {
	if s.late == nil {
		return ErrKeychain
	}
	wait := asking
	if s.chain == nil {
		wait = probing
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return f(ctx)
}

// Set keeps v under name, in place of what was there.
func (s *Store) Set(ctx context.Context, name string, v capture.Secret) error {
	if err := checkName(name); err != nil {
		return err
	}
	if !utf8.ValidString(v.Reveal()) {
		return fmt.Errorf("set %s: %w", name, ErrText)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.load()
	if err != nil {
		return err
	}
	if f.Folder == "" {
		f.Folder = s.newID()
	}
	if s.chain == nil {
		f.Names[name] = entry{Value: v.Reveal()}
		return s.save(f)
	}
	// The name first: a name without a value is found missing, a value without a name never.
	if !f.Names[name].Keychain {
		before := f.Names[name]
		f.Names[name] = entry{Keychain: true, Value: before.Value}
		if err := s.save(f); err != nil {
			return err
		}
	}
	err = s.ask(ctx, func(ctx context.Context) error { return s.chain.set(ctx, f.key(name), v.Reveal()) })
	if err != nil {
		return fmt.Errorf("set %s: %w", name, err)
	}
	if f.Names[name].Value == "" {
		return nil
	}
	f.Names[name] = entry{Keychain: true}
	return s.save(f)
}

// Delete forgets a secret; one that is not there is forgotten already.
func (s *Store) Delete(ctx context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.load()
	if err != nil {
		return err
	}
	e, ok := f.Names[name]
	if !ok {
		return nil
	}
	if e.Keychain {
		err := s.ask(ctx, func(ctx context.Context) error { return s.late.delete(ctx, f.key(name)) })
		if err != nil && !errors.Is(err, ErrNotFound) {
			return fmt.Errorf("delete %s: %w", name, err)
		}
	}
	delete(f.Names, name)
	return s.save(f)
}

// List returns the names that begin with prefix, sorted.
func (s *Store) List(prefix string) ([]string, error) {
	f, err := s.load()
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(f.Names))
	return slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, prefix) }), nil
}

// Close lets the folder go. A keychain that hangs is left behind.
func (s *Store) Close() error {
	s.late.close()
	return s.dir.Close()
}

// checkName keeps names to what every keychain takes.
func checkName(name string) error {
	ok := name != "" && len(name) <= 200 && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd })
	if !ok {
		return fmt.Errorf("%w: %.40q", ErrName, name)
	}
	return nil
}
