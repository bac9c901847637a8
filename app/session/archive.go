package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/journal"
)

// FileName is the database's, in the data folder.
const FileName = "anyhook.db"

// An Archive reads what was captured and sent. It may be used by many goroutines.
type Archive struct {
	log     *store.Log
	journal *journal.Journal
	known   *capture.Providers // those that the user described first
	close   func() error
}

// Look opens the data folder for reading only, also while another AnyHook works in it.
func Look(ctx context.Context, dir string) (*Archive, error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s holds no AnyHook data: %w", dir, err)
	}
	a, err := look(ctx, path)
	if errors.Is(err, store.ErrOlder) {
		if err = update(ctx, path); err == nil {
			a, err = look(ctx, path)
		}
	}
	return a, err
}

// update brings a file of an older AnyHook up to date; ErrLocked says that the
// older one still has it open.
func update(ctx context.Context, path string) error {
	db, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	_, err = journal.Open(ctx, db)
	return errors.Join(err, db.Close())
}

func look(ctx context.Context, path string) (*Archive, error) {
	db, err := store.View(ctx, path)
	if err != nil {
		return nil, err
	}
	a, err := newArchive(ctx, db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return a, nil
}

// newArchive reads db, and closes it in Close.
func newArchive(ctx context.Context, db *store.DB) (*Archive, error) {
	j, err := journal.Open(ctx, db)
	if err != nil {
		return nil, err
	}
	known := &capture.Providers{}
	if _, err := loadRecipes(ctx, store.NewSettings(db), known); err != nil {
		return nil, err
	}
	return &Archive{log: store.NewLog(db), journal: j, known: known, close: db.Close}, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.close() }

// Last returns the newest request's place; 0 when there is none.
func (a *Archive) Last(ctx context.Context) (capture.Seq, error) { return a.log.Last(), ctx.Err() }

// Summaries returns those of the seqs that exist, in the order asked for.
func (a *Archive) Summaries(ctx context.Context, seqs []capture.Seq) ([]capture.Summary, error) {
	return a.log.Summaries(ctx, seqs)
}

// Known returns those of the seqs that exist, their bytes aside, in the order asked for.
func (a *Archive) Known(ctx context.Context, seqs []capture.Seq) ([]*capture.Request, error) {
	return a.log.Known(ctx, seqs)
}

// Match returns, ascending, the requests of from ≤ seq ≤ to that f chooses.
func (a *Archive) Match(ctx context.Context, f capture.Filter, from, to capture.Seq) ([]capture.Seq, error) {
	return a.log.Match(ctx, store.Filter{Filter: f, Also: journal.OutcomeCond(f.Outcome)}, from, to)
}

// Request returns one request with its body.
func (a *Archive) Request(ctx context.Context, id capture.ID) (*capture.Request, error) {
	return a.log.Get(ctx, id)
}

// Standings returns one for each seq, in the order asked for.
func (a *Archive) Standings(ctx context.Context, seqs []capture.Seq) ([]replay.Standing, error) {
	return a.journal.Standings(ctx, seqs)
}

// Attempts returns all attempts at a request, first to last.
func (a *Archive) Attempts(ctx context.Context, id capture.ID) ([]replay.Attempt, error) {
	return a.journal.Of(ctx, id)
}

// Providers returns the provider table, with those that the user described first.
func (a *Archive) Providers() []capture.Provider { return a.known.All() }
