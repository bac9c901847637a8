package look

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Words is a label of sentences that wraps, also where a language has no
// spaces between words, at which alone Fyne's breaks.
type Words struct {
	widget.Label
	said string
	at   float32 // the width that it is wrapped for
}

// NewText makes a label in a tone that wraps between words.
func NewText(s string, tone Tone) *Words {
	l := &Words{said: s}
	l.Text = s
	l.Wrapping, l.Importance = fyne.TextWrapWord, importances[tone]
	l.ExtendBaseWidget(l)
	return l
}

// importances are how Fyne's labels call our tones.
var importances = map[Tone]widget.Importance{
	Plain: widget.MediumImportance, Muted: widget.LowImportance, OK: widget.SuccessImportance,
	Warn: widget.WarningImportance, Bad: widget.DangerImportance, Info: widget.HighImportance, Accent: widget.HighImportance,
}

// SetTone says it in another tone.
func (w *Words) SetTone(tone Tone) {
	if to := importances[tone]; w.Importance != to {
		w.Importance = to
		w.Refresh()
	}
}

// Said is what it says, without the breaks that wrapping put in.
func (w *Words) Said() string { return w.said }

// SetText says something else.
func (w *Words) SetText(s string) {
	if s == w.said {
		return
	}
	w.said = s
	w.Label.SetText(w.wrapped(w.at))
}

// Resize implements fyne.CanvasObject.
func (w *Words) Resize(size fyne.Size) {
	if w.at != size.Width {
		w.at = size.Width
		if s := w.wrapped(size.Width); s != w.Text {
			w.Label.SetText(s)
		}
	}
	w.Label.Resize(size)
}

// wrapped is what is said with breaks for a width, where Fyne finds none.
func (w *Words) wrapped(width float32) string {
	if width <= 0 || !strings.ContainsFunc(w.said, Wide) {
		return w.said
	}
	name := w.SizeName
	if name == "" {
		name = theme.SizeNameText
	}
	return strings.Join(Wrap(w.said, width-2*Size(theme.SizeNameInnerPadding)-1, Size(name), w.TextStyle), "\n")
}
