package view_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
)

func TestFiltersAreSavedByNameAndForgotten(t *testing.T) {
	t.Parallel()
	failed, late := view.Chips{Outcome: "failed", Provider: "stripe"}, view.Chips{Late: true, Text: " in_1 "}
	kept := view.SaveFilter("", view.SavedFilter{Name: "a", Chips: failed})
	kept = view.SaveFilter(kept, view.SavedFilter{Name: "b", Chips: late})
	kept = view.SaveFilter(kept, view.SavedFilter{Name: "a", Chips: late})
	require.Equal(t, []view.SavedFilter{{Name: "b", Chips: late}, {Name: "a", Chips: late}}, view.SavedFilters(kept))
	require.Len(t, view.SavedFilters(view.DropFilter(kept, "b")), 1)
	require.Empty(t, view.SavedFilters("not JSON"))
	for i := range 80 {
		kept = view.SaveFilter(kept, view.SavedFilter{Name: fmt.Sprint(i)})
	}
	all := view.SavedFilters(kept)
	require.Len(t, all, 50)
	require.Equal(t, "79", all[49].Name)
	d := story.New(func() time.Time { return noon })
	require.Equal(t, "Stripe · Failed", failed.Name(d))
	require.Equal(t, "Late · “in_1”", late.Name(d))
}
