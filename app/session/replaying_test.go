package session

import (
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
)

func ids(rs ...*capture.Request) []capture.ID {
	out := make([]capture.ID, 0, len(rs))
	for _, r := range rs {
		out = append(out, r.ID)
	}
	return out
}

func once(rs ...*capture.Request) replay.Scenario { return plan.Once(ids(rs...), replay.AsReceived) }

// replayed carries a scenario out and wants sums that add up.
func (d *desk) replayed(sc replay.Scenario, target string) replay.Run {
	d.t.Helper()
	run, err := d.Replay(d.t.Context(), sc, target, nil)
	require.NoError(d.t, err)
	require.Equal(d.t, sc.Sends(), run.Sent+run.Skipped)
	require.Equal(d.t, run.Sent, run.OK+run.Failed)
	return run
}
