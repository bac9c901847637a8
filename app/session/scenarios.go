package session

import (
	"context"

	"anyhook.net/desktop/replay"
)

// Scenarios returns those that are saved, the one that changed last first.
func (a *Archive) Scenarios(ctx context.Context) ([]replay.Scenario, error) {
	return a.journal.Scenarios(ctx)
}

// SaveScenario puts sc in the place of the one called old, or adds it if old is "".
func (s *Session) SaveScenario(ctx context.Context, old string, sc replay.Scenario) error {
	if err := sc.Check(); err != nil {
		return err
	}
	return s.journal.SaveScenario(ctx, old, sc, s.now())
}

// DeleteScenario forgets a scenario; its runs stay.
func (s *Session) DeleteScenario(ctx context.Context, name string) error {
	return s.journal.DeleteScenario(ctx, name)
}

// PastRuns returns the newest runs, the newest first.
func (a *Archive) PastRuns(ctx context.Context, limit int) ([]replay.Run, error) {
	return a.journal.Runs(ctx, limit)
}

// RunAttempts returns the attempts of a run, in the order of their beginning.
func (a *Archive) RunAttempts(ctx context.Context, id replay.RunID) ([]replay.Attempt, error) {
	return a.journal.OfRun(ctx, id)
}
