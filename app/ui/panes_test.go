package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/tunnel"
)

var escapeKey = &fyne.KeyEvent{Name: fyne.KeyEscape}

// input is the input in sight with a hint.
func (s *stage) input(hint string) *look.Input {
	s.t.Helper()
	for _, o := range test.LaidOutObjects(s.win.Content()) {
		if i, ok := o.(*look.Input); ok && i.PlaceHolder == hint && i.Visible() {
			return i
		}
	}
	s.t.Fatalf("there is no input %q", hint)
	return nil
}

// place is where something stands in the window.
func place(o fyne.CanvasObject) fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
}

func TestEscapeClosesThePanelAndTheKeyboardGoesBack(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3)
	for name, from := range map[string]fyne.Focusable{"the list": s.inbox.table, "a tab": s.inbox.detail.buttons["summary"], "the search": s.inbox.filters.search} {
		for _, id := range []string{"tunnel", "import"} {
			s.win.Canvas().Focus(from)
			s.press(id)
			if f := s.win.Canvas().Focused(); f != nil {
				f.TypedKey(escapeKey)
			}
			require.Nil(t, s.inbox.panel, "%s %s", name, id)
			require.Equal(t, from, s.win.Canvas().Focused(), "%s %s", name, id)
		}
	}
	require.Len(t, s.inbox.table.Selected(), 1, "the selection stays")
}

// Who presses a row wants to see it: the panel stood over its detail.
func TestARowThatIsPickedUncoversItsDetail(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3)
	row := s.inbox.model.Index(s.back(3))
	s.press("tunnel")
	s.inbox.table.Pick(row, fyne.KeyModifierShortcutDefault)
	s.inbox.table.Pick(row+1, fyne.KeyModifierShift)
	require.NotNil(t, s.inbox.panel, "several are no detail")
	s.inbox.table.Pick(row, 0)
	require.Nil(t, s.inbox.panel)
	s.press("tunnel")
	s.inbox.table.Pick(row, 0)
	require.Nil(t, s.inbox.panel, "the one that was selected already, too")
	require.Contains(t, test.LaidOutObjects(s.win.Content()), s.inbox.detail.box)
	s.selectBack(3, 2)
	s.press("reorder")
	s.until("it is open", func() bool { return s.inbox.panel != nil })
	s.inbox.table.Pick(row, 0)
	require.NotNil(t, s.inbox.panel, "an order that was made is not lost by a click")
}

func TestEscapeLeavesTheSettings(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("settings")
	s.win.Canvas().OnTypedKey()(escapeKey)
	require.Equal(t, "inbox", s.screen)
	require.Equal(t, fyne.Focusable(s.inbox.table), s.win.Canvas().Focused())
}

// Fyne's own check boxes and choices swallow Escape.
func TestEscapeIsHeardWhateverHasTheKeyboard(t *testing.T) {
	s := open(t, story.Day(now))
	for id, screen := range map[string]string{"tunnel": "inbox", "export": "inbox", "settings": "settings"} {
		for n := 0; ; n++ {
			s.selectBack(3)
			s.press(id)
			var all []fyne.Focusable
			for _, o := range test.LaidOutObjects(s.center) {
				f, ok := o.(fyne.Focusable)
				_, label := o.(interface{ SelectedText() string }) // a text that can be selected: Escape ends that
				_, input := o.(*look.Input)
				if ok && o.Visible() && (input || !label) {
					all = append(all, f)
				}
			}
			if n == len(all) {
				require.Greater(t, n, 3, id)
				s.win.Canvas().OnTypedKey()(escapeKey)
				break
			}
			if b, ok := all[n].(fyne.Disableable); (ok && b.Disabled()) || all[n] == fyne.Focusable(s.inbox.filters.search) {
				s.win.Canvas().OnTypedKey()(escapeKey)
				continue
			}
			require.True(t, s.screen == screen && (screen != "inbox" || s.inbox.panel != nil))
			s.win.Canvas().Focus(all[n])
			all[n].TypedKey(escapeKey)
			require.True(t, s.screen == "inbox" && s.inbox.panel == nil, "%s: %T keeps Escape", id, all[n])
		}
	}
}

func TestEnterUsesTheTunnelAndNothingJumps(t *testing.T) {
	d := story.New(now)
	d.Set(func(s *view.Status) { s.TokenIn = "/home/ada/.config/anyhook/secrets" })
	s := open(t, d)
	s.press("tunnel")
	at := func() fyne.Position { return place(s.tunnel.connect) }
	s.tunnel.kinds.Choose(2)
	before := at()
	s.input("https://hooks.example.com").OnSubmitted("")
	require.Contains(t, s.words(), "Write the whole URL")
	require.Equal(t, before, at())
	s.input("https://hooks.example.com").SetText("https://dev.example.test")
	s.input("https://hooks.example.com").OnSubmitted("")
	s.until("it is chosen", func() bool { return d.Status().Choice.URL == "https://dev.example.test" })
	d.Set(func(s *view.Status) {
		s.PublicURL, s.Tunnel = "https://dev.example.test", tunnel.State{Backend: "own", Phase: tunnel.Online, URL: "https://dev.example.test", Since: noon}
	})
	s.until("it is set", func() bool { return strings.Contains(s.words(), "Nobody knows yet whether this URL leads here") })
	require.Equal(t, before, at())

	s.tunnel.kinds.Choose(1)
	require.Contains(t, s.words(), "The token will be kept in the file /home/ada/.config/anyhook/secrets")
	before = at()
	s.input("authtoken").OnSubmitted("")
	require.Contains(t, s.words(), "Paste the authtoken first")
	require.Equal(t, before, at())
	s.input("authtoken").SetText("2abc_secret")
	s.input("authtoken").OnSubmitted("")
	s.until("it is told where the token is", func() bool {
		return strings.Contains(s.words(), "Saved: the token is kept in the file /home/ada/.config/anyhook/secrets")
	})
	require.Empty(t, s.input("a token is kept; paste another to replace it").Text)
	require.Equal(t, before, at())
	d.Set(func(s *view.Status) {
		s.PublicURL, s.Tunnel = "", tunnel.State{Backend: "ngrok", Phase: tunnel.Connecting, Err: &tunnel.Error{Advice: "no-network", Msg: "connect: network is unreachable"}}
	})
	s.until("the trouble is told", func() bool { return strings.Contains(s.words(), "Seen on this machine: connect: network") })
	require.Equal(t, before, at())
}

// Five strips once took a third of a small window.
func TestOneNoticeIsInSightAndTheOthersAreCounted(t *testing.T) {
	d := story.Day(now)
	d.Set(func(s *view.Status) {
		s.Store, s.PortTaken, s.LocalURL, s.Practice = errors.New("no space left on device"), 4080, "http://127.0.0.1:4081", "http://127.0.0.1:4999"
	})
	s := openAt(t, d, fyne.NewSize(1024, 700))
	low := s.bar.box.MinSize().Height
	require.Contains(t, s.words(), "no space left on device")
	require.NotContains(t, s.words(), "Port 4080")
	test.Tap(s.button("and 2 more"))
	require.Contains(t, s.words(), "Port 4080 belongs to another program")
	require.Contains(t, s.words(), "Practice handler")
	require.Greater(t, s.bar.box.MinSize().Height, low)
	test.Tap(s.button("Show one"))
	require.NotContains(t, s.words(), "Port 4080")
	require.InDelta(t, low, s.bar.box.MinSize().Height, 0.5)
	for _, next := range []string{"Port 4080", "Practice handler", ""} {
		for _, o := range test.LaidOutObjects(s.bar.trouble) {
			if b, ok := o.(*look.Button); ok && b.Tip == "Close" {
				test.Tap(b)
				break
			}
		}
		require.Contains(t, s.words(), next)
	}
	require.Empty(t, s.bar.trouble.Objects)
	require.NoError(t, d.SendSample(context.Background(), "github", "push"))
	s.setLanguage("zh-TW")
	require.Empty(t, s.bar.trouble.Objects, "what was closed stays closed")
}

// With large text in a small window the address was three letters, and a strip
// lay over the search below it.
func TestTheBarHasRoomForLargeText(t *testing.T) {
	d := story.Day(now)
	d.Set(func(s *view.Status) {
		s.Store, s.PortTaken, s.LocalURL = errors.New("no space left on device"), 4080, "http://127.0.0.1:4081"
	})
	require.NoError(t, d.SetSetting(t.Context(), "window", `{"text.scale":"1.50"}`))
	s := openAt(t, d, fyne.NewSize(1024, 700))
	require.Empty(t, s.bar.sample.Text)
	require.NotNil(t, s.bar.sample.Icon)
	require.Greater(t, s.bar.url.Size().Width, float32(150))
	bottom := func(o fyne.CanvasObject) float32 { return place(o).Y + o.Size().Height }
	for _, o := range test.LaidOutObjects(s.bar.trouble) {
		if w, ok := o.(*look.Words); ok {
			require.GreaterOrEqual(t, w.Size().Height, w.MinSize().Height, w.Said())
		}
	}
	require.LessOrEqual(t, bottom(s.bar.trouble), place(s.inbox.filters.search).Y)
	require.LessOrEqual(t, s.win.Content().MinSize().Width, float32(1024))
	s.press("pause")
	s.until("it offers to go on", func() bool { return s.bar.pause.Icon.Name() == theme.MediaPlayIcon().Name() })
	s.press("tunnel")
	s.input("a token is kept; paste another to replace it").SetText("2abc_secret")
	test.Tap(s.tunnel.connect)
	s.until("where it went is in sight", func() bool {
		return s.tunnel.saved.Visible() && bottom(s.tunnel.saved) <= bottom(s.tunnel.scroll)+0.5
	})
}
