package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view/story"
)

// holding is the first input in sight that holds a text.
func (s *stage) holding(holds string) *look.Input {
	s.t.Helper()
	for _, o := range test.LaidOutObjects(s.win.Content()) {
		if i, ok := o.(*look.Input); ok && i.Text == holds && i.Visible() {
			return i
		}
	}
	s.t.Fatalf("no input holds %q", holds)
	return nil
}

// stripe opens the form of the endpoint for Stripe.
func stripe(t *testing.T) *stage {
	s := open(t, story.Day(now))
	s.editEndpoint("stripe")
	s.until("the form is open", func() bool { return strings.Contains(s.words(), "Secret 2") })
	return s
}

func TestTheFormOfAnEndpointIsSavedByEnterAndLeftByEscape(t *testing.T) {
	s := stripe(t)
	i := s.holding("/stripe")
	i.SetText("/billing")
	i.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Equal(t, "What was changed in the form was dropped.", s.frame.Said()[0])
	s.holding("/stripe")
	require.Equal(t, fyne.Focusable(tableIn(s.center)), s.win.Canvas().Focused())
	test.Tap(s.button("Undo"))
	i = s.holding("/billing")
	i.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.until("it is saved", func() bool {
		all, err := s.desk.Endpoints(t.Context())
		return err == nil && all[0].Path == "/billing"
	})
}

func TestEnterInAFormWithMistakesSaysSo(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("add-endpoint")
	s.until("the form is open", func() bool { return strings.Contains(s.words(), "Signing secrets") })
	require.NotContains(t, s.words(), "It needs a name")
	s.holding("").TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Contains(t, s.words(), "It needs a name")
	require.Contains(t, s.frame.Said()[0], "Nothing was saved")
}

func TestAnEmptySecretIsLeftOutAndToldOf(t *testing.T) {
	s := stripe(t)
	test.Tap(s.button("Add a secret"))
	test.Tap(s.button("Save"))
	s.until("it says so", func() bool { return len(s.frame.Said()) > 0 })
	require.Equal(t, "Saved stripe. The empty secret was left out.", s.frame.Said()[0])
	all, err := s.desk.Endpoints(t.Context())
	require.NoError(t, err)
	require.Len(t, all[0].Secrets, 2)
}

func TestDeleteInTheListAsksFirst(t *testing.T) {
	s := stripe(t)
	table := tableIn(s.center)
	table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	require.Contains(t, s.words(), "Delete the endpoint stripe?")
	test.Tap(s.button("Cancel"))
	table.Select(1) // the one that takes what no other does
	table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	require.Contains(t, s.frame.Said()[0], "and stays")
	require.Nil(t, s.win.Canvas().Overlays().Top())
}

func TestTheListOfEndpointsShowsTargetsWhole(t *testing.T) {
	for _, size := range []fyne.Size{fyne.NewSize(1280, 800), fyne.NewSize(1024, 700)} {
		s := openAt(t, story.Day(now), size)
		s.press("endpoints")
		s.until("they are listed", func() bool { return tableIn(s.center).Source.Len() == 4 })
		s.rest()
		for _, o := range test.LaidOutObjects(tableIn(s.center)) {
			if w, ok := o.(*canvas.Text); ok {
				require.NotContains(t, w.Text, "…", "at %v", size)
			}
		}
		require.Contains(t, cellText(tableIn(s.center), 3, 2), "localhost:3000/webhooks")
		s.Close()
	}
}
