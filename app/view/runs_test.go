package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/replay"
)

// Each run shows what the practice handler made of it when it ended; those
// that had nothing to do with it show nothing, whatever the shop does later.
func TestOldRunsSayWhatWasFoundAtTheTime(t *testing.T) {
	t.Parallel()
	d := story.New(func() time.Time { return noon })
	runs := &view.Runs{Desk: d, Changed: func() {}}
	do := func(found *replay.Practised) {
		d.Practised = found
		_, err := runs.Do(t.Context(), view.Plan{}, "")
		require.NoError(t, err)
	}
	require.NoError(t, d.Practice(t.Context(), true))
	do(&replay.Practised{Charged: 1, Twice: 1})
	do(nil)
	do(&replay.Practised{Charged: 2})
	said := func() (out [][]view.Notice) {
		for _, r := range runs.All() {
			out = append(out, r.Notices)
		}
		return out
	}
	good := view.Mark{Tone: view.Good, Text: "The practice shop charged no event twice"}
	twice := view.Mark{Tone: view.Bad, Text: "The practice shop charged 1 event twice"}
	shop := []string{"shop"}
	require.Equal(t, [][]view.Notice{{{Mark: good, Commands: shop}}, nil, {{Mark: twice, Commands: shop}}}, said())

	d.Set(func(s *view.Status) { s.Charged, s.Twice = 9, 9 })
	require.Equal(t, [][]view.Notice{{{Mark: good, Commands: shop}}, nil, {{Mark: twice, Commands: shop}}}, said())
	require.NoError(t, d.Practice(t.Context(), false))
	require.Equal(t, [][]view.Notice{{{Mark: good}}, nil, {{Mark: twice}}}, said(), "there is no shop to open any more")
}
