package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANewDatabaseIsPrivateAndTuned(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "anyhook.db")
	db := openAt(t, path, usual)
	mode := func(name string) fs.FileMode {
		fi, err := os.Stat(name)
		require.NoError(t, err)
		return fi.Mode().Perm()
	}
	if filepath.Separator == '/' {
		require.Equal(t, fs.FileMode(0o700), mode(filepath.Dir(path)))
		for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
			require.Equal(t, fs.FileMode(0o600), mode(path+suffix), suffix)
		}
	}
	for pragma, want := range map[string]string{
		"page_size": "8192", "journal_mode": "wal", "synchronous": "2", "busy_timeout": "5000",
		"foreign_keys": "1", "journal_size_limit": "67108864", "application_id": "1097759048",
	} {
		var got string
		require.NoError(t, db.Write(t.Context(), func(tx Tx) error { return tx.QueryRow("PRAGMA " + pragma).Scan(&got) }))
		require.Equal(t, want, got, pragma)
	}
	_, err := db.Read().ExecContext(t.Context(), `INSERT INTO setting VALUES ('a', 'b')`)
	require.ErrorIs(t, fault(err), ErrReadOnly, "readers cannot write")
}

func TestAnyPathIsTheFileItSays(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a#b", "100%", "a?mode=ro", "%41", "a&b=c", "with space", "資料", "a;b'\"", "file:x"} {
		dir := filepath.Join(t.TempDir(), name)
		path := filepath.Join(dir, name+".db")
		db := openAt(t, path, usual)
		require.NoError(t, NewLog(db).Append(t.Context(), delivery(1)), name)
		require.NoError(t, db.Close())
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 2, "the file and its lock: %v", entries)
		again := openAt(t, path, usual)
		require.EqualValues(t, 1, again.Last(), name)
		require.Equal(t, path, again.Path())
	}
}

func TestASecondOpenIsLockedOut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	first := openAt(t, path, usual)
	_, err := Open(t.Context(), path)
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorContains(t, err, path)
	require.NoError(t, NewLog(first).Append(t.Context(), delivery(1)))
	require.NoError(t, first.Close())
	require.NoError(t, first.Close(), "closing twice is fine")
	second, err := Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, second.Close())
}

func TestOfManyOpensOneWins(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	var wg sync.WaitGroup
	won := make(chan *DB, 16)
	for range cap(won) {
		wg.Go(func() {
			db, err := Open(context.Background(), path)
			if err == nil {
				won <- db
				return
			}
			if !assertIs(err, ErrLocked) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.Len(t, won, 1)
	require.NoError(t, (<-won).Close())
}

// A damaged or foreign file is left byte for byte as it was, with nothing beside it.
func TestAFileThatIsNoneOfOursIsLeftAlone(t *testing.T) {
	t.Parallel()
	sound := soundFile(t, nil)
	for name, c := range map[string]struct {
		bytes func() []byte
		is    error
		says  string
	}{
		"text": {func() []byte {
			return []byte("Dear diary, this is not a database at all, but it is longer than a header would be, by quite a few words.")
		}, ErrDamaged, "not an SQLite file"},
		"short":     {func() []byte { return sound[:50] }, ErrDamaged, "too short"},
		"cut":       {func() []byte { return sound[:len(sound)-8192] }, ErrDamaged, "cut short"},
		"foreign":   {func() []byte { return with(sound, 68, 1, 2, 3, 4) }, ErrDamaged, "another program"},
		"bad page":  {func() []byte { return with(sound, 2*8192, make([]byte, 8192)...) }, ErrDamaged, ""},
		"bad root":  {func() []byte { return with(sound, 100, 0xff, 0xff, 0xff) }, ErrDamaged, ""},
		"bad size":  {func() []byte { return with(sound, 16, 0x12, 0x34) }, ErrDamaged, ""},
		"a newer":   {func() []byte { return soundFile(t, []string{`UPDATE migration SET done = done + 1`}) }, ErrNewer, "capture: step 3, known 2"},
		"no tables": {func() []byte { return soundFile(t, []string{`DROP TABLE migration`}) }, ErrDamaged, "migration"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "anyhook.db")
			content := c.bytes()
			require.NoError(t, os.WriteFile(path, content, 0o600))
			_, err := Open(t.Context(), path)
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, c.says)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, sha256.Sum256(content), sha256.Sum256(got))
			entries, err := os.ReadDir(filepath.Dir(path))
			require.NoError(t, err)
			require.Len(t, entries, 2, "the file and its lock: %v", entries)
		})
	}
}

// soundFile is a closed database with some requests, after the statements.
func soundFile(tb testing.TB, statements []string) []byte {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "sound.db")
	db, err := Open(context.Background(), path)
	require.NoError(tb, err)
	log := NewLog(db)
	for i := range 30 {
		r := delivery(i)
		r.Body = make([]byte, 4000)
		require.NoError(tb, log.Append(context.Background(), r))
	}
	for _, s := range statements {
		require.NoError(tb, db.Write(context.Background(), func(tx Tx) error { _, err := tx.Exec(s); return err }))
	}
	require.NoError(tb, db.Close())
	b, err := os.ReadFile(path)
	require.NoError(tb, err)
	return b
}

// with returns a copy of b with the bytes put at a place.
func with(b []byte, at int, put ...byte) []byte {
	c := append([]byte(nil), b...)
	copy(c[at:], put)
	return c
}

func TestANewerStepOfAnotherOwnerIsRefusedWithoutAWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	db := openAt(t, path, usual)
	steps := []string{`CREATE TABLE a (n INTEGER) STRICT`, `ALTER TABLE a ADD COLUMN m INTEGER; CREATE TABLE b (n INTEGER) STRICT`}
	require.NoError(t, db.Migrate(t.Context(), "other", steps[:1]))
	require.NoError(t, db.Migrate(t.Context(), "other", steps))
	require.NoError(t, db.Migrate(t.Context(), "other", steps), "what is done is not done again")
	_, err := db.Read().Exec(`SELECT m FROM a, b`)
	require.NoError(t, err)
	require.ErrorIs(t, db.Migrate(t.Context(), "other", steps[:1]), ErrNewer)
}

func TestAStepThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	db := openTemp(t)
	err := db.Migrate(t.Context(), "other", []string{`CREATE TABLE a (n INTEGER) STRICT`, `CREATE TABLE nonsense`})
	require.ErrorContains(t, err, "migrate other: step 2")
	require.NoError(t, db.Migrate(t.Context(), "other", []string{`CREATE TABLE a (n INTEGER) STRICT`}))
	require.NoError(t, NewLog(db).Append(t.Context(), delivery(1)))
}

func TestAPlaceThatCannotHoldADatabaseIsAClearError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Open(t.Context(), filepath.Join(file, "anyhook.db"))
	require.ErrorContains(t, err, "the data folder cannot be made")
	_, err = Open(t.Context(), dir)
	require.ErrorContains(t, err, "it is not a file")
	require.DirExists(t, dir)
	locked := filepath.Join(dir, "locked.db")
	require.NoError(t, os.Mkdir(locked+".lock", 0o700))
	_, err = Open(t.Context(), locked)
	require.ErrorContains(t, err, "lock the data folder")
	readOnly := filepath.Join(dir, "readonly")
	require.NoError(t, os.Mkdir(readOnly, 0o500))
	if db, err := Open(t.Context(), filepath.Join(readOnly, "anyhook.db")); err == nil { // root may
		require.NoError(t, db.Close())
	} else {
		require.ErrorContains(t, err, "the data folder cannot be written")
	}
}

func TestAReadOnlyDatabaseSaysSo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	require.NoError(t, os.WriteFile(path, soundFile(t, nil), 0o600))
	params := writing()
	params["mode"] = []string{"ro"} // what a file without the right to write comes to
	var bell Bell
	_, err := openWriter(t.Context(), dsn(path, params), &bell, usual)
	require.ErrorIs(t, fault(err), ErrReadOnly)
}

func TestAnUnfinishedCreationIsStartedAnew(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	require.NoError(t, os.WriteFile(path+".new", []byte("half"), 0o600))
	require.NoError(t, os.WriteFile(path+"-wal", []byte("of a database that is no more"), 0o600))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	db := openAt(t, path, usual)
	require.NoError(t, NewLog(db).Append(t.Context(), delivery(1)))
	require.NoFileExists(t, path+".new")
	require.FileExists(t, path+"-wal.old")
}

func TestANewerFileWithALogThatACrashLeftIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anyhook.db")
	crashed := filepath.Join(t.TempDir(), "anyhook.db")
	db := openAt(t, path, usual)
	require.NoError(t, db.Write(t.Context(), func(tx Tx) error { _, err := tx.Exec(`UPDATE migration SET done = 99`); return err }))
	for _, suffix := range []string{"", "-wal", "-shm"} { // as they are at this moment
		b, err := os.ReadFile(path + suffix)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(crashed+suffix, b, 0o600))
	}
	wal, err := os.ReadFile(crashed + "-wal")
	require.NoError(t, err)
	_, err = Open(t.Context(), crashed)
	require.ErrorIs(t, err, ErrNewer)
	after, err := os.ReadFile(crashed + "-wal")
	require.NoError(t, err)
	require.Equal(t, sha256.Sum256(wal), sha256.Sum256(after))
}

func TestNoBytesMakeOpenPanicOrWrite(t *testing.T) {
	t.Parallel()
	sound := soundFile(t, nil)
	for i := range 60 { // a byte here and there
		at := int(binary.BigEndian.Uint32([]byte{0, 0, byte(i * 7), byte(i * 31)})) * 2 % len(sound)
		path := filepath.Join(t.TempDir(), "anyhook.db")
		content := with(sound, at, sound[at]^0xff)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		db, err := Open(t.Context(), path)
		if err == nil {
			require.NoError(t, db.Close())
			continue
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, sha256.Sum256(content), sha256.Sum256(got))
	}
}

func TestTheNameForTheDriverIsEscaped(t *testing.T) {
	t.Parallel()
	require.Equal(t, "file:///tmp/a%23%25%3F.db?mode=ro", dsn("/tmp/a#%?.db", url.Values{"mode": {"ro"}}))
	require.Equal(t, "file:///C:/Users/a.db?mode=ro", dsn("C:/Users/a.db", url.Values{"mode": {"ro"}}))
}
