package session

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
)

// The first thing that a new user tries: the shop has charged for the event
// when it arrived, and still charges twice for two at once.
func TestThePracticeShopShowsTheDoubleChargeOfWhatItHadBefore(t *testing.T) {
	t.Parallel()
	d := begin(t)
	require.NoError(t, d.Practice(t.Context(), true))
	require.NoError(t, d.SendSample(t.Context(), "stripe", "invoice.paid"))
	require.Eventually(t, func() bool { return d.Status().Charged == 1 }, 10*time.Second, 5*time.Millisecond)
	r := d.stored(1)
	require.Equal(t, 1, d.replayed(once(r), "").OK)
	require.Equal(t, 1, d.Status().Charged, "one after the other is no danger")
	require.Zero(t, d.Status().Twice)
	require.Equal(t, 2, d.replayed(plan.AtOnce(ids(r), 2, replay.AsReceived), "").OK)
	require.Equal(t, 1, d.Status().Twice)
	require.Equal(t, 2, d.replayed(plan.AtOnce(ids(r), 2, replay.AsReceived), "").OK)
	require.Equal(t, 1, d.Status().Twice, "and again")
}
