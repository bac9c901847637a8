package journal

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
)

func TestScenariosAreKeptTheLastChangedFirst(t *testing.T) {
	t.Parallel()
	f := openWith(t, 0)
	all := func() []replay.Scenario {
		got, err := f.Scenarios(t.Context())
		require.NoError(t, err)
		return got
	}
	require.Empty(t, all())
	one, two := hostileOne(), replay.Scenario{Name: "夜中の二回", Waves: []replay.Wave{{{Request: "req_1"}}}}
	require.NoError(t, f.SaveScenario(t.Context(), "", one, noon))
	require.NoError(t, f.SaveScenario(t.Context(), "", two, noon.Add(1)))
	require.Equal(t, []replay.Scenario{two, one}, all())
	require.ErrorIs(t, f.SaveScenario(t.Context(), "", one, noon), ErrTaken)
	require.ErrorIs(t, f.SaveScenario(t.Context(), two.Name, one, noon), ErrTaken, "it would be gone")
	require.ErrorIs(t, f.SaveScenario(t.Context(), "no such", replay.Scenario{Name: "new"}, noon), store.ErrNotFound)
	require.Error(t, f.SaveScenario(t.Context(), "", replay.Scenario{}, noon), "it has no name")

	one.Speed = 2
	require.NoError(t, f.SaveScenario(t.Context(), one.Name, one, noon.Add(time.Minute)))
	require.Equal(t, []replay.Scenario{one, two}, all())
	old := one.Name
	one.Name = "another"
	require.NoError(t, f.SaveScenario(t.Context(), old, one, noon.Add(time.Hour)))
	require.NoError(t, f.db.Close())

	f = openAt(t, f.path)
	require.Equal(t, []replay.Scenario{one, two}, all())
	require.NoError(t, f.DeleteScenario(t.Context(), "another"))
	require.NoError(t, f.DeleteScenario(t.Context(), "another"), "it is gone, as it should be")
	require.Equal(t, []replay.Scenario{two}, all())
}
