package session

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/replay"
)

// What waits goes where this start says, and not first to where the last said:
// the endpoints of a start are set before anything is captured or forwarded.
func TestWhatWaitsGoesToTheTargetOfThisStart(t *testing.T) {
	t.Parallel()
	old := nobody(t)
	cfg := Config{Dir: t.TempDir()}
	d := beginWith(t, cfg, all("http://"+old))
	for range 20 {
		status, _ := d.say(posted("/in", `{"id":1}`))
		require.Equal(t, http.StatusOK, status)
	}
	d.stands(20, replay.Queued)
	require.NoError(t, d.Close())

	former, now := handleAt(t, old, taken), handle(t, taken)
	cfg.Endpoints = append(cfg.Endpoints, all(now.url))
	d = beginWith(t, cfg)
	d.stands(20, replay.Delivered)
	require.Len(t, now.all(), 20)
	require.Empty(t, former.all())
}
