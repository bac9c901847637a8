package session

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
)

// What the shop made of a run was once read anew from the shop whenever it was
// shown, so that an old run changed when the shop forgot.
func TestWhatThePracticeShopMadeOfARunIsKeptWithTheRun(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t)
	require.NoError(t, d.Practice(t.Context(), true))
	require.NoError(t, d.SendSample(t.Context(), "stripe", "invoice.paid"))
	require.Eventually(t, func() bool { return d.Status().Charged == 1 }, 10*time.Second, 5*time.Millisecond)
	r := d.stored(1)
	double := d.replayed(plan.AtOnce(ids(r), 2, replay.AsReceived), "")
	require.Equal(t, &replay.Practised{Charged: 1, Twice: 1}, double.Practice)
	single := d.replayed(once(r), "")
	require.Equal(t, &replay.Practised{Charged: 1}, single.Practice, "it is charged twice, but not by this run")
	other := d.replayed(once(r), h.url)
	require.Nil(t, other.Practice, "the shop had nothing to do with it")

	shop := strings.TrimSuffix(d.Status().Practice, "/webhooks")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, shop+"/state", nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Zero(t, d.Status().Twice, "it forgot")
	require.NoError(t, d.Practice(t.Context(), false))
	runs, err := d.journal.Runs(t.Context(), 9)
	require.NoError(t, err)
	require.Equal(t, []replay.Run{other, single, double}, runs)
}

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
