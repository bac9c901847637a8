package store

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatNobodyWouldFindIsNotStored(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // there a file that is open stays
	}
	for name, lose := range map[string]func(dir, path string) error{
		"the folder is deleted":          func(dir, _ string) error { return os.RemoveAll(dir) },
		"the folder is moved":            func(dir, _ string) error { return os.Rename(dir, dir+"2") },
		"the file is deleted":            func(_, path string) error { return os.Remove(path) },
		"the write-ahead log is deleted": func(_, path string) error { return os.Remove(path + "-wal") },
		"another file takes the file's place": func(dir, path string) error {
			if err := os.WriteFile(filepath.Join(dir, "other"), nil, 0o600); err != nil {
				return err
			}
			return os.Rename(filepath.Join(dir, "other"), path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			db := openAt(t, filepath.Join(dir, "anyhook.db"), usual)
			log := NewLog(db)
			require.NoError(t, log.Append(t.Context(), delivery(1)))
			require.NoError(t, lose(dir, db.Path()))
			require.ErrorIs(t, log.Append(t.Context(), delivery(2)), ErrGone)
			require.EqualValues(t, 1, log.Last())
			if name == "the folder is moved" {
				require.NoError(t, os.Rename(dir+"2", dir))
				require.NoError(t, log.Append(t.Context(), delivery(3)), "put back, it goes on")
			}
		})
	}
}
