package secret

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func open(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func read(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, fileName))
	require.NoError(t, err)
	return string(b)
}

func TestSecretsAreKeptWhereverTheyGo(t *testing.T) {
	t.Parallel()
	for where, o := range map[string]Options{"file": {NoKeychain: true}, "keychain": {chain: &chain{}}} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			dir, ctx := filepath.Join(t.TempDir(), "a", "b"), t.Context()
			s := open(t, dir, o)
			_, err := s.Get(ctx, "ngrok")
			require.ErrorIs(t, err, ErrNotFound)
			require.NoError(t, s.Delete(ctx, "ngrok"))

			odd := capture.Secret("whsec_\"\\ä\x00\n</script> ")
			require.NoError(t, s.Set(ctx, "endpoint/stripe/0", odd))
			require.NoError(t, s.Set(ctx, "endpoint/stripe/1", "second"))
			require.NoError(t, s.Set(ctx, "endpoint/a/b/../c/0", ""))
			require.NoError(t, s.Set(ctx, "ngrok", "first"))
			require.NoError(t, s.Set(ctx, "ngrok", "2token"))

			s = open(t, dir, o) // again, as after a restart
			v, err := s.Get(ctx, "endpoint/stripe/0")
			require.NoError(t, err)
			require.Equal(t, odd.Reveal(), v.Reveal())
			v, err = s.Get(ctx, "ngrok")
			require.NoError(t, err)
			require.Equal(t, "2token", v.Reveal())
			names, err := s.List("endpoint/stripe/")
			require.NoError(t, err)
			require.Equal(t, []string{"endpoint/stripe/0", "endpoint/stripe/1"}, names)

			require.NoError(t, s.Delete(ctx, "ngrok"))
			_, err = s.Get(ctx, "ngrok")
			require.ErrorIs(t, err, ErrNotFound)
			names, err = s.List("")
			require.NoError(t, err)
			require.Len(t, names, 3)
			require.Equal(t, where == "file", strings.Contains(read(t, dir), "second"))
			if where == "keychain" {
				require.Equal(t, "keychain", s.Where())
			} else {
				require.Equal(t, filepath.Join(dir, fileName), s.Where())
			}
		})
	}
}

func TestOnlyTheOwnerMayReadTheFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // the folder is in the user's profile, which others cannot read
	}
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir, Options{NoKeychain: true})
	require.NoError(t, s.Set(t.Context(), "ngrok", "x"))
	mode := func(name string) os.FileMode {
		info, err := os.Stat(name)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	require.Equal(t, os.FileMode(0o700), mode(dir))
	require.Equal(t, os.FileMode(0o600), mode(s.Where()))

	require.NoError(t, os.Chmod(s.Where(), 0o644)) // a copy by hand, say
	open(t, dir, Options{NoKeychain: true})
	require.Equal(t, os.FileMode(0o600), mode(s.Where()))

	target := filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.WriteFile(target, []byte("mine"), 0o600))
	require.NoError(t, os.Symlink(target, s.Where()+".new"))
	require.NoError(t, s.Set(t.Context(), "ngrok", "y"))
	b, err := os.ReadFile(target)
	require.NoError(t, err)
	require.Equal(t, "mine", string(b), "a link is not followed")
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestADamagedFileIsReportedAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	for _, damaged := range []string{
		"", "{", "null", "[]", `{"version":2,"folder":"x","names":{}}`, `{"version":1,"names":{}}{}`,
		`{"version":1,"folder":"x","names":{},"more":1}`, `{"version":1}`, `{"version":1,"names":{"":{}}}`,
		`{"version":1,"names":{"ngrok":{"keychain":true}}}`, "\x00\x00\x00\x00", strings.Repeat(" ", most+1),
		`{"version":1,"folder":"x","names":{"ngrok":{"value":"hunter2"}`,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, fileName)
		require.NoError(t, os.WriteFile(path, []byte(damaged), 0o600))
		_, err := Open(t.Context(), dir, Options{NoKeychain: true})
		require.ErrorIs(t, err, ErrDamaged, "%.50q", damaged)
		require.ErrorContains(t, err, path)
		require.NotContains(t, err.Error(), "hunter2")
		require.Equal(t, damaged, read(t, dir))
	}

	dir := t.TempDir() // and one that is damaged while it is used
	s := open(t, dir, Options{NoKeychain: true})
	require.NoError(t, s.Set(t.Context(), "ngrok", "x"))
	require.NoError(t, os.WriteFile(s.Where(), []byte("oops"), 0o600))
	require.ErrorIs(t, s.Set(t.Context(), "ngrok", "y"), ErrDamaged)
	require.ErrorIs(t, s.Delete(t.Context(), "ngrok"), ErrDamaged)
	_, err := s.Get(t.Context(), "ngrok")
	require.ErrorIs(t, err, ErrDamaged)
	_, err = s.List("")
	require.ErrorIs(t, err, ErrDamaged)
	require.Equal(t, "oops", read(t, dir))
}

func TestAHalfWrittenSaveChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, Options{NoKeychain: true})
	require.NoError(t, s.Set(t.Context(), "ngrok", "old"))
	require.NoError(t, os.WriteFile(s.Where()+".new", []byte(`{"versi`), 0o600))
	s = open(t, dir, Options{NoKeychain: true})
	v, err := s.Get(t.Context(), "ngrok")
	require.NoError(t, err)
	require.Equal(t, "old", v.Reveal())
	require.NoError(t, s.Set(t.Context(), "ngrok", "new"))
}

func TestTwoFoldersDoNotShareTheirSecrets(t *testing.T) {
	t.Parallel()
	shared := &chain{}
	a, b := open(t, t.TempDir(), Options{chain: shared}), open(t, t.TempDir(), Options{chain: shared})
	require.NoError(t, a.Set(t.Context(), "ngrok", "of a"))
	require.NoError(t, b.Set(t.Context(), "ngrok", "of b"))
	v, err := a.Get(t.Context(), "ngrok")
	require.NoError(t, err)
	require.Equal(t, "of a", v.Reveal())
}

func TestNamesAndValuesThatCannotBeKeptAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, Options{NoKeychain: true})
	for _, name := range []string{"", "a\nb", "a\x00", "\xff", "a\x7f", strings.Repeat("x", 201)} {
		require.ErrorIs(t, s.Set(t.Context(), name, "v"), ErrName)
	}
	require.ErrorIs(t, s.Set(t.Context(), "ngrok", "\xff\xfe"), ErrText)
	require.NoFileExists(t, s.Where())
}

func TestManyAtOnceAreAllKept(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), Options{chain: &chain{}})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			name := fmt.Sprintf("endpoint/e/%d", i)
			if err := s.Set(context.Background(), name, capture.Secret(name)); err != nil {
				t.Error(err)
			}
			if v, err := s.Get(context.Background(), name); err != nil || v.Reveal() != name {
				t.Error(v, err)
			}
		})
	}
	wg.Wait()
	names, err := s.List("endpoint/e/")
	require.NoError(t, err)
	require.Len(t, names, 20)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"version":1,"folder":"x","names":{"ngrok":{"keychain":true},"a":{"value":"v"}}}`, "{}", "null", `{"version":1,"names":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parse(b)
		if err != nil {
			require.ErrorIs(t, err, ErrDamaged)
			require.Equal(t, ErrDamaged.Error(), err.Error())
			return
		}
		require.NotNil(t, got.Names)
		for name := range got.Names {
			require.NoError(t, checkName(name))
		}
	})
}
