package ui

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/app/view/story"
	"anyhook.net/desktop/assets"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// Fyne has one current app, so these tests do not run beside each other.

func TestMain(m *testing.M) {
	os.Setenv("LC_ALL", "en_US.UTF-8") // Fyne complains of a system without a language
	os.Exit(m.Run())
}

var noon = time.Date(2026, 11, 30, 12, 0, 7, 0, time.UTC)

func now() time.Time { return noon }

// prefs are preferences in memory.
type prefs map[string]string

func (p prefs) String(key string) string    { return p[key] }
func (p prefs) SetString(key, value string) { p[key] = value }

// A stage is a window under test.
type stage struct {
	*Window
	t     *testing.T
	win   fyne.Window
	desk  *story.Desk
	queue *look.Queue
	prefs prefs
}

func open(t *testing.T, desk *story.Desk) *stage { return openAt(t, desk, fyne.NewSize(1280, 800)) }

func openAt(t *testing.T, desk *story.Desk, size fyne.Size) *stage {
	t.Helper()
	test.NewTempApp(t)
	s := &stage{t: t, desk: desk, queue: &look.Queue{}, prefs: prefs{}}
	s.win = test.NewTempWindow(t, nil)
	s.win.SetPadded(false)
	s.win.Resize(size)
	s.Window = New(s.win, desk, s.queue, Options{Now: now, Zone: time.UTC, Prefs: s.prefs, Theme: look.NewTheme(look.Light), Lang: "en", Version: "0.1.0", Changelog: assets.Changelog})
	s.win.Resize(size)
	t.Cleanup(func() { s.Close(); text.Use("en") })
	s.until("the rows are there", func() bool {
		return s.inbox.model.Len() == int(desk.Status().Requests) && (s.inbox.model.Len() == 0 || s.inbox.model.Row(0).Loaded)
	})
	return s
}

// until draws until a condition holds.
func (s *stage) until(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		s.queue.Drain()
		if holds() {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	s.t.Fatalf("never: %s", what)
}

// rest draws what there is to draw now.
func (s *stage) rest() {
	for range 10 {
		s.queue.Drain()
		time.Sleep(5 * time.Millisecond)
	}
}

// press sends a command's key, which the menu hears first.
func (s *stage) press(id string) {
	s.t.Helper()
	want := shortcut(view.CommandOf(id).Key).ShortcutName()
	for _, m := range s.win.MainMenu().Items {
		for _, i := range m.Items {
			if i.Shortcut != nil && i.Shortcut.ShortcutName() == want {
				i.Action()
				s.queue.Drain()
				return
			}
		}
	}
	s.t.Fatalf("no menu hears %s", want)
}

// back is the request so many before the newest.
func (s *stage) back(n int) capture.Seq { return s.desk.Status().Requests - capture.Seq(n) }

func (s *stage) selectBack(n ...int) {
	seqs := make([]capture.Seq, len(n))
	for i, b := range n {
		seqs[i] = s.back(b)
	}
	s.Select(seqs...)
	if len(n) == 1 {
		s.until("the detail is open", func() bool { return s.inbox.detail.shown != nil && s.inbox.detail.shown.Request.Seq == seqs[0] })
	}
}

// words is all text in sight.
func (s *stage) words() string {
	var b strings.Builder
	for _, root := range append([]fyne.CanvasObject{s.win.Content()}, s.win.Canvas().Overlays().List()...) {
		for _, o := range test.LaidOutObjects(root) {
			switch w := o.(type) {
			case *widget.Label:
				b.WriteString(w.Text + "\n")
			case *look.Words:
				b.WriteString(w.Said() + "\n")
			case *look.Button:
				b.WriteString(w.Text + "\n")
			case *look.Field:
				b.WriteString(w.Value() + "\n")
			case *look.Status:
				b.WriteString(w.Word() + "\n")
			}
		}
	}
	return b.String()
}

// button is the button with a word.
func (s *stage) button(word string) *look.Button {
	s.t.Helper()
	b := s.buttonOrNil(word)
	require.NotNil(s.t, b, "there is no button %q", word)
	return b
}

func (s *stage) buttonOrNil(word string) *look.Button {
	for _, root := range append(s.win.Canvas().Overlays().List(), s.win.Content()) {
		for _, o := range test.LaidOutObjects(root) {
			if b, ok := o.(*look.Button); ok && b.Text == word && b.Visible() {
				return b
			}
		}
	}
	return nil
}

func TestEveryCommandIsCarriedOutHere(t *testing.T) {
	s := open(t, story.New(now))
	done := s.commands()
	require.Len(t, done, len(view.Commands))
	for _, c := range view.Commands {
		require.NotNil(t, done[c.ID], c.ID)
	}
	menus := map[string]bool{}
	for _, m := range s.win.MainMenu().Items {
		for _, i := range m.Items {
			menus[i.Label] = true
		}
	}
	for _, c := range view.Commands {
		require.True(t, menus[c.Title()], "%s is in no menu", c.ID)
	}
}

func TestFirstContactTakesOneClick(t *testing.T) {
	s := open(t, story.New(now))
	require.Contains(t, s.words(), "No requests yet")
	s.press("sample")
	require.NotNil(t, s.win.Canvas().Overlays().Top())
	s.win.Canvas().Overlays().Top().Hide()
	s.sendSample("stripe", "invoice.paid")
	s.until("the sample is in the list", func() bool { return s.inbox.model.Len() == 1 && s.inbox.model.Row(0).What == "invoice.paid" })
	s.Select(1)
	s.press("twice")
	s.until("it was delivered twice", func() bool { return s.inbox.model.Row(0).Outcome.Text == "200 · 3 tries" })
	require.Len(t, s.desk.Sent()[0].Waves, 2)
	s.until("the sums are told", func() bool { return strings.Contains(s.words(), "2 of 2 sent · 2 taken · 0 failed") })
}

func TestOneKeyPlansWhatItSays(t *testing.T) {
	s := open(t, story.Day(now))
	for id, waves := range map[string][]int{"replay": {1, 1}, "resign": {1, 1}, "twice": {1, 1, 1, 1}, "at-once": {2, 2}, "reverse": {1, 1}} {
		s.selectBack(0, 3)
		n := len(s.desk.Sent())
		s.press(id)
		s.until(id+" was sent", func() bool { return len(s.desk.Sent()) == n+1 && !s.inbox.runs.running() })
		var sizes []int
		for _, w := range s.desk.Sent()[n].Waves {
			sizes = append(sizes, len(w))
		}
		require.Equal(t, waves, sizes, id)
		require.Equal(t, id == "resign", s.desk.Sent()[n].Waves[0][0].Signing == replay.Fresh, id)
	}
	last := s.desk.Sent()[len(s.desk.Sent())-1]
	require.NotEmpty(t, last)
}

func TestSeveralAtOnceAsksHowMany(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3)
	s.press("copies")
	s.fill("8", "1")
	require.True(t, s.button("Send them at once").Disabled())
	s.fill("8", "20")
	test.Tap(s.button("Send them at once"))
	s.until("it was sent", func() bool { return len(s.desk.Sent()) == 1 })
	require.Len(t, s.desk.Sent()[0].Waves[0], 20)
}

func TestThePaletteFindsByNameAndEnterDoesIt(t *testing.T) {
	s := open(t, story.Day(now))
	s.press("palette")
	test.Type(s.win.Canvas().Focused(), "settings")
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, "settings", s.screen)
	require.Nil(t, s.win.Canvas().Overlays().Top())
}

func TestTheLanguageChangesAtRunTime(t *testing.T) {
	s := open(t, story.Day(now))
	s.selectBack(3)
	s.press("language")
	require.Equal(t, "zh-TW", text.Lang())
	s.until("it speaks Chinese", func() bool {
		w := s.words()
		return strings.Contains(w, "收件匣") && strings.Contains(w, "簽章有效")
	})
	s.until("it is kept", func() bool {
		kept, err := s.desk.Setting(t.Context(), "window")
		return err == nil && strings.Contains(kept, `"language":"zh-TW"`)
	})
	require.Equal(t, []int64{int64(s.back(3))}, s.inbox.table.Selected())
	s.press("language")
	require.Contains(t, s.words(), "Inbox")
}

func TestClosingUnderLoadEndsEverything(t *testing.T) {
	d := story.Day(now)
	d.Hold = func(ctx context.Context) { <-ctx.Done() }
	s := open(t, d)
	s.selectBack(3)
	s.press("replay")
	s.until("it runs", s.inbox.runs.running)
	done := make(chan struct{})
	go func() {
		for range 100 {
			_ = d.SendSample(context.Background(), "github", "push")
		}
		close(done)
	}()
	s.Close() // it waits for what it started, which ends because it is told to
	<-done
}

func TestNothingIsCutOffInTheSmallestWindow(t *testing.T) {
	for _, lang := range []string{"en", "zh-TW"} {
		s := openAt(t, story.Day(now), fyne.NewSize(1024, 700))
		s.setLanguage(lang)
		s.selectBack(3)
		for _, id := range []string{"inbox", "tab.body", "tab.deliveries", "tunnel", "range", "endpoints", "settings"} {
			s.press(id)
			s.rest()
			for _, o := range test.LaidOutObjects(s.win.Content()) {
				b, ok := o.(*look.Button)
				if !ok || !b.Visible() {
					continue
				}
				at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
				require.LessOrEqual(t, b.MinSize().Width, b.Size().Width+0.5, "%s: %s %q is narrower than its word", lang, id, b.Text)
				require.LessOrEqual(t, at.X+b.Size().Width, float32(1024.5), "%s: %s %q reaches out of the window", lang, id, b.Text)
			}
			require.LessOrEqual(t, s.win.Content().MinSize().Width, float32(1024), "%s %s", lang, id)
			require.LessOrEqual(t, s.win.Content().MinSize().Height, float32(700), "%s %s", lang, id)
		}
		s.Close()
	}
}
