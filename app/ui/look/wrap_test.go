package look_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

func TestLinesEndWhereALanguageLetsThem(t *testing.T) {
	window(t, container.NewWithoutLayout())
	em := look.Text("字", 13, fyne.TextStyle{}).Width
	for _, tt := range []struct {
		name, text string
		width      float32 // in Chinese characters
		want       []string
	}{
		{"a short line stays", "簽章有效", 10, []string{"簽章有效"}},
		{"between any two characters", "簽章有效而且完整", 4.5, []string{"簽章有效", "而且完整"}},
		{"a full stop never begins a line", "簽章有效。完整", 4.5, []string{"簽章有", "效。完整"}},
		{"a bracket never ends a line", "簽章有「效」完整", 4.5, []string{"簽章有", "「效」完", "整"}},
		{"at spaces", "one two", 2.6, []string{"one", "two"}},
		{"a word is kept whole beside Chinese", "請用 webhook 測試", 5, []string{"請用", "webhook", "測試"}},
		{"line breaks stay", "甲\n乙", 10, []string{"甲", "乙"}},
		{"nothing is a line", "", 10, []string{""}},
	} {
		require.Equal(t, tt.want, look.Wrap(tt.text, tt.width*em, 13, fyne.TextStyle{}), tt.name)
	}
}

func TestAWordLongerThanALineIsCutAndNothingIsLost(t *testing.T) {
	window(t, container.NewWithoutLayout())
	for _, s := range []string{strings.Repeat("x", 200), "http://127.0.0.1:4080/" + strings.Repeat("long/", 20), "送到" + strings.Repeat("y", 90) + "出現。"} {
		lines := look.Wrap(s, 100, 13, fyne.TextStyle{})
		require.Greater(t, len(lines), 1)
		require.Equal(t, s, strings.Join(lines, ""))
		for _, l := range lines {
			require.LessOrEqual(t, look.Text(l, 13, fyne.TextStyle{}).Width, float32(101), l)
		}
	}
	require.NotEmpty(t, look.Wrap("字字", 0, 13, fyne.TextStyle{}), "no room at all ends, too")
}

func TestAChineseSentenceGrowsDownWhenItGetsNarrow(t *testing.T) {
	s := "送到這裡的一切都會出現在這裡，先儲存、再回應，所以沒有任何一個事件會遺失。"
	l := look.NewText(s, look.Plain)
	w := window(t, container.NewBorder(l, nil, nil, nil))
	high := l.MinSize().Height
	w.Resize(fyne.NewSize(160, 400))
	require.Greater(t, l.MinSize().Height, high)
	require.Equal(t, s, l.Said(), "what it says stays")
	require.Greater(t, strings.Count(l.Text, "\n"), 1)
	w.Resize(fyne.NewSize(600, 400))
	require.InDelta(t, high, l.MinSize().Height, 0)
	l.SetText("Short")
	require.Equal(t, "Short", l.Said())
	_ = test.TempWidgetRenderer(t, l)
}

// What an empty list says lay over what stands beside the list.
func TestWhatAnEmptyListSaysStaysInItsRoom(t *testing.T) {
	window(t, container.NewWithoutLayout())
	said := "Everything sent to http://127.0.0.1:4080 appears here, stored before it is answered."
	e := look.NewEmpty("No requests yet", said)
	for _, room := range []fyne.Size{fyne.NewSize(240, 400), fyne.NewSize(1200, 400)} {
		e.Resize(room)
		for _, o := range test.LaidOutObjects(e) {
			if w, ok := o.(*look.Words); ok {
				require.LessOrEqual(t, w.Size().Width, room.Width)
				require.GreaterOrEqual(t, w.Size().Height, w.MinSize().Height)
			}
		}
	}
}
