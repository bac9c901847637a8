package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestViewReadsBesideAnotherProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := Open(t.Context(), path)
	require.NoError(t, err)
	log := NewLog(db)
	require.NoError(t, log.Append(t.Context(), delivery(1)))

	view, err := View(t.Context(), path)
	require.NoError(t, err)
	seen := NewLog(view)
	require.EqualValues(t, 1, seen.Last())
	require.NoError(t, log.Append(t.Context(), delivery(2)))
	require.EqualValues(t, 2, seen.Last(), "what came later")

	require.ErrorIs(t, seen.Append(t.Context(), delivery(3)), ErrViewing)
	require.ErrorIs(t, view.Write(t.Context(), func(Tx) error { return nil }), ErrViewing)
	readAll(t, log, nothing)
	require.EqualValues(t, 2, seen.ReadTo())
	require.ErrorIs(t, seen.ReadAll(t.Context(), nothing), ErrViewing)
	var after []capture.Seq
	for r, err := range seen.Follow(t.Context(), 0) {
		require.NoError(t, err)
		if after = append(after, r.Seq); len(after) == 2 {
			break
		}
	}
	require.Equal(t, []capture.Seq{1, 2}, after)
	require.NoError(t, view.Close())
	require.NoError(t, log.Append(t.Context(), delivery(3)), "closing the view takes nothing from the other")
	require.NoError(t, db.Close())

	view, err = View(t.Context(), path)
	require.NoError(t, err, "after a clean end, too")
	got, err := NewLog(view).Match(t.Context(), Filter{}, 1, 10)
	require.NoError(t, err)
	require.Equal(t, []capture.Seq{1, 2, 3}, got)
	require.NoError(t, view.Close())

	_, err = View(t.Context(), path+".none")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAViewOfAFileThatIsNoneOfOursIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content []byte
		is      error
	}{
		"foreign": {with(soundFile(t, nil), 68, 1, 2, 3, 4), ErrDamaged},
		"text":    {make([]byte, 200), ErrDamaged},
		"newer":   {soundFile(t, []string{`UPDATE migration SET done = done + 1`}), ErrNewer},
	} {
		path := filepath.Join(t.TempDir(), "a.db")
		require.NoError(t, os.WriteFile(path, c.content, 0o600))
		_, err := View(t.Context(), path)
		require.ErrorIs(t, err, c.is, name)
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, c.content, got, name)
	}
}
