package look_test

import (
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

func window(t *testing.T, o fyne.CanvasObject) fyne.Window {
	t.Helper()
	test.NewTempApp(t)
	fyne.CurrentApp().Settings().SetTheme(look.NewTheme(look.Light))
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(600, 400))
	return w
}

func key(w fyne.Window, name fyne.KeyName) { w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name}) }

func TestAskStartsOnTheSafeAnswer(t *testing.T) {
	before := look.NewButton("Clear", "", nil)
	w := window(t, before)
	w.Canvas().Focus(before)
	done := 0
	ask := func() {
		look.Ask(w.Canvas(), look.Question{Title: "Clear 12 requests?", Text: "You can undo it.", Do: "Clear", Cancel: "Keep", Danger: true}, func() { done++ })
	}
	for _, no := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyEscape, fyne.KeySpace} {
		ask()
		require.Equal(t, "Keep", w.Canvas().Focused().(*look.Button).Text)
		key(w, no)
		require.Nil(t, w.Canvas().Overlays().Top(), no)
		require.Zero(t, done, no)
		require.Equal(t, before, w.Canvas().Focused(), "the focus goes back")
	}
	ask()
	w.Canvas().FocusNext()
	require.Equal(t, "Clear", w.Canvas().Focused().(*look.Button).Text)
	key(w, fyne.KeyEscape)
	require.Zero(t, done)
	ask()
	w.Canvas().FocusNext()
	key(w, fyne.KeyEnter)
	require.Equal(t, 1, done)
	require.Nil(t, w.Canvas().Overlays().Top())
}

func TestModalWithAnInputStartsThereAndEscapeClosesIt(t *testing.T) {
	w := window(t, container.NewWithoutLayout())
	closed := 0
	m := &look.Modal{Title: "Token", Cancel: "Cancel", OnClose: func() { closed++ }}
	in := m.Input("paste it here")
	m.Content = in
	m.Show(w.Canvas(), look.NewMainButton("Connect", "", nil))
	require.Equal(t, fyne.Focusable(in), w.Canvas().Focused())
	test.Type(in, "abc")
	require.Equal(t, "abc", in.Text)
	key(w, fyne.KeyEscape)
	require.Equal(t, 1, closed)
	m.Hide()
	require.Equal(t, 1, closed, "closing twice is closing once")
}

func TestButtonHearsEnterSpaceAndTap(t *testing.T) {
	n := 0
	b := look.NewButton("Replay", "Replay (R)", func() { n++ })
	w := window(t, b)
	w.Canvas().Focus(b)
	key(w, fyne.KeyReturn)
	key(w, fyne.KeySpace)
	test.Tap(b)
	require.Equal(t, 3, n)
	b.Disable()
	key(w, fyne.KeyReturn)
	require.Equal(t, 3, n)
}

func TestTipComesAfterAMomentAndGoesWithThePointer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q look.Queue
		b := look.NewIconButton(theme.ContentCopyIcon(), "Copy the URL", nil)
		f := look.NewFrame(&q, container.NewCenter(b))
		w := window(t, f)
		shown := func() bool {
			synctest.Wait()
			q.Drain()
			return len(test.TempWidgetRenderer(t, f).Objects()) > 1
		}
		b.MouseIn(nil)
		require.False(t, shown())
		time.Sleep(time.Second)
		require.True(t, shown())
		b.MouseOut()
		require.False(t, shown())
		b.MouseIn(nil)
		b.MouseOut()
		time.Sleep(time.Second)
		require.False(t, shown(), "only touched")
		_ = w
	})
}

func TestToastGoesByItselfAndItsActionWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q look.Queue
		f := look.NewFrame(&q, container.NewWithoutLayout())
		w := window(t, f)
		undone := 0
		f.Say(look.Message{Badge: look.Valid(""), Text: "12 requests cleared", Action: "Undo", Do: func() { undone++ }})
		for range 5 {
			f.Say(look.Message{Badge: look.Valid(""), Text: "Copied"})
		}
		require.Equal(t, []string{"Copied", "12 requests cleared"}, f.Said(), "said once, however often")
		f.Say(look.Message{Text: "12 requests cleared", Action: "Undo", Do: func() { undone++ }})
		require.Equal(t, "12 requests cleared", f.Said()[0])
		test.TapCanvas(w.Canvas(), fyne.NewPos(600-8-20, 400-4-15))
		require.Equal(t, 1, undone)
		require.Equal(t, []string{"Copied"}, f.Said())
		time.Sleep(7 * time.Second)
		synctest.Wait()
		q.Drain()
		require.Empty(t, f.Said())
	})
}

func TestCardIsPressedByTapAndKeys(t *testing.T) {
	n := 0
	c := look.NewCard(look.Action{Icon: theme.MailSendIcon(), Title: "Send a sample", Hint: "A signed event, as a provider sends it", Do: func() { n++ }})
	w := window(t, container.NewCenter(c))
	w.Canvas().Focus(c)
	key(w, fyne.KeyEnter)
	key(w, fyne.KeySpace)
	test.Tap(c)
	require.Equal(t, 3, n)
}

func TestFieldCopiesExactlyItsValue(t *testing.T) {
	said := 0
	f := look.NewField("Id", " evt_1\t", "Copy", func() { said++ })
	window(t, f)
	f.Copy()
	require.Equal(t, " evt_1\t", fyne.CurrentApp().Clipboard().Content())
	require.Equal(t, 1, said)
	f.Set("evt_2")
	require.Equal(t, "evt_2", f.Value())
	f.Full("evt_2, in full").Copy()
	require.Equal(t, "evt_2, in full", fyne.CurrentApp().Clipboard().Content())
	require.Equal(t, "evt_2", f.Value())
}

func TestChipAndStatusGrowWithWhatTheySay(t *testing.T) {
	chip, status := look.NewChip(look.Valid("ok")), look.NewStatus(look.OK, "Online")
	window(t, container.NewHBox(chip, status))
	a, b := chip.MinSize().Width, status.MinSize().Width
	chip.Set(look.Invalid("the timestamp is too old"))
	status.Set(look.Bad, "Offline since 12:00")
	require.Greater(t, chip.MinSize().Width, a)
	require.Greater(t, status.MinSize().Width, b)
	require.Equal(t, "Offline since 12:00", status.Word())
}

func TestWidgetsRenderAsTheyAreDescribed(t *testing.T) {
	w := window(t, container.NewVBox(
		look.NewSection("Signature", look.NewButton("Why?", "", nil)),
		look.NewField("Key", "evt_1", "Copy", nil),
		container.NewHBox(look.NewChip(look.Valid("valid")), look.NewChip(look.Again("2nd")), look.NewStatus(look.OK, "Online")),
	))
	test.AssertRendersToMarkup(t, "widgets.xml", w.Canvas())
}
