package ui

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/replay"
)

// height is where a text of an overlay stands; -1 if it does not.
func (s *stage) height(word string) float32 {
	found := float32(-1)
	var walk func(o fyne.CanvasObject, y float32)
	walk = func(o fyne.CanvasObject, y float32) {
		if o == nil || !o.Visible() {
			return
		}
		y += o.Position().Y
		switch o := o.(type) {
		case *canvas.Text:
			if o.Text == word {
				found = y
			}
		case *fyne.Container:
			for _, c := range o.Objects {
				walk(c, y)
			}
		case fyne.Widget:
			for _, c := range test.TempWidgetRenderer(s.t, o).Objects() {
				walk(c, y)
			}
		}
	}
	for _, root := range s.win.Canvas().Overlays().List() {
		walk(root, 0)
	}
	return found
}

func TestTheSampleMenuDropsBelowWhatWasPressed(t *testing.T) {
	s := open(t, story.New(now))
	bottom := func(o fyne.CanvasObject) float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y + o.Size().Height
	}
	test.Tap(s.bar.sample)
	require.Greater(t, s.height("Stripe"), bottom(s.bar.sample))
	require.Less(t, s.height("Stripe"), s.height("GitHub"), "the best known are first")
	require.Less(t, s.height("Twilio"), s.height("Calendly"))
	require.Greater(t, s.height("Deliver to the practice handler"), float32(0))
	s.win.Canvas().Overlays().Top().Hide()
	for _, o := range test.LaidOutObjects(s.win.Content()) {
		if c, ok := o.(*look.Card); ok && c.Action.DoAt != nil {
			test.Tap(c)
			require.True(t, s.height("Stripe") > bottom(c) || s.height("Deliver to the practice handler") < bottom(c)-c.Size().Height, "it covers the card")
		}
	}
}

func TestTheDoubleChargeIsShownWhereTheRunIs(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("practice")
	s.until("the shop is open", func() bool { return s.last.Practice != "" })
	require.Contains(t, s.words(), "Practice handler: a small shop")
	s.desk.Practised = &replay.Practised{Charged: 1, Twice: 1}
	s.selectBack(3)
	s.press("at-once")
	s.until("it says so in the run", func() bool { return strings.Contains(s.words(), "The practice handler charged 1 event twice") })
	s.desk.Set(func(st *view.Status) { st.Charged, st.Twice = 1, 1 })
	s.until("in the bottom line, too", func() bool { return strings.Contains(s.words(), "practice handler: 1 event charged twice") })
	test.Tap(s.button("Open its page"))
	require.Equal(t, []string{"The practice handler is at http://127.0.0.1:4999/"}, s.frame.Said())
	fyne.SetCurrentApp(noBrowser{fyne.CurrentApp()})
	test.Tap(s.button("Open its page"))
	require.Equal(t, "There is no browser here to open: the practice handler is at http://127.0.0.1:4999/", s.frame.Said()[0])
	test.Tap(s.button("Copy"))
	require.Equal(t, "http://127.0.0.1:4999/", fyne.CurrentApp().Clipboard().Content())
	test.Tap(s.button("Stop practising"))
	s.until("it is closed", func() bool { return s.last.Practice == "" })
	require.NotContains(t, s.words(), "Stop practising")
	require.Contains(t, s.words(), "The practice handler charged 1 event twice", "what was found does not change")
}

// noBrowser is an app on a system without one.
type noBrowser struct{ fyne.App }

// OpenURL implements fyne.App.
func (noBrowser) OpenURL(*url.URL) error {
	return errors.New(`exec: "xdg-open": executable file not found in $PATH`)
}

func TestToastsCoverNothingToClickOn(t *testing.T) {
	for _, size := range []fyne.Size{fyne.NewSize(1280, 800), fyne.NewSize(1024, 700)} {
		s := openAt(t, story.Day(now), size)
		s.selectBack(3)
		for range 3 {
			s.say("Copied: something")
			s.fail(&url.Error{Op: "open", URL: "http://localhost:3000/" + strings.Repeat("long ", 30), Err: url.EscapeError("x")})
		}
		require.Len(t, s.frame.Said(), 2)
		at, room := s.toastRoom(s.frame.Size())
		for _, o := range test.LaidOutObjects(s.root) {
			b, ok := o.(fyne.Tappable)
			if !ok || !o.Visible() || o.Size().IsZero() {
				continue
			}
			p := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
			apart := p.Y+o.Size().Height <= at.Y+0.5 || p.Y >= at.Y+room.Height || p.X >= at.X+room.Width || p.X+o.Size().Width <= at.X
			require.True(t, apart, "%T at %v", b, p)
		}
		s.Close()
	}
}
