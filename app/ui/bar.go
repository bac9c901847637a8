package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

// A bar is the top of the window: the way in, the target, and what waits.
type bar struct {
	w       *Window
	box     *fyne.Container
	tunnel  *look.Status
	url     *widget.Label
	handler *look.Status
	target  *widget.Label
	waiting *look.Chip
	pause   *look.Button
	sample  *look.Button
	palette *look.Button
	top     *fyne.Container
	trouble *fyne.Container
	shown   []view.Notice
	all     bool // of the notices are shown, and not the first alone
	narrow  bool // the buttons have icons in place of words
	paused  bool
}

func newBar(w *Window) *bar {
	b := &bar{w: w}
	b.tunnel, b.handler = look.NewStatus(look.Muted, ""), look.NewStatus(look.Muted, "")
	b.url, b.target = line(""), line("")
	b.url.TextStyle.Bold = true
	b.waiting = look.NewChip(look.Badge{})
	b.sample = w.button("sample", text.T("bar.sample"))
	b.palette = w.button("palette", key(view.CommandOf("palette").Key))
	b.palette.Importance = widget.LowImportance
	b.pause = w.button("pause", text.T("bar.pause"))
	arrow := widget.NewLabel("→")
	arrow.Importance = widget.LowImportance
	left := container.NewBorder(nil, nil,
		newPress(b.tunnel, w.tip("tunnel"), func() { w.Do("tunnel") }),
		container.NewHBox(w.icon("copy-url", theme.ContentCopyIcon()), w.icon("tunnel", theme.MoreHorizontalIcon())), b.url)
	right := container.NewBorder(nil, nil,
		container.NewHBox(arrow, newPress(b.handler, w.tip("endpoints"), func() { w.Do("endpoints") })), nil, b.target)
	end := container.NewHBox(container.NewCenter(b.waiting), b.pause, b.sample, b.palette)
	b.trouble = container.NewVBox()
	b.top = container.NewPadded(container.New(topLine{b}, container.New(sharing{b}, left, right), end))
	b.box = container.NewVBox(b.top, widget.NewSeparator(), b.trouble)
	return b
}

// narrowBar is the width, in text of the usual size, below which the buttons
// leave their words to the URL and the target; the tips have them too.
const narrowBar = 900

// A topLine puts the buttons at the end, with words where there is room.
type topLine struct{ b *bar }

// MinSize implements fyne.Layout.
func (topLine) MinSize(o []fyne.CanvasObject) fyne.Size {
	rest, end := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(rest.Width+min(end.Width, 6*end.Height), max(rest.Height, end.Height))
}

// Layout implements fyne.Layout.
func (l topLine) Layout(o []fyne.CanvasObject, s fyne.Size) {
	l.b.fit(s.Width < narrowBar*l.b.w.scale())
	const left = 4
	end := o[1].MinSize().Width
	o[0].Move(fyne.NewPos(left, 0))
	o[0].Resize(fyne.NewSize(s.Width-left-end, s.Height))
	o[1].Move(fyne.NewPos(s.Width-end, 0))
	o[1].Resize(fyne.NewSize(end, s.Height))
}

// fit gives the buttons words, or icons.
func (b *bar) fit(narrow bool) {
	b.narrow = narrow
	word, icon := text.T("bar.pause"), theme.MediaPauseIcon()
	if b.paused {
		word, icon = text.T("bar.resume"), theme.MediaPlayIcon()
	}
	b.label(b.pause, word, icon)
	b.label(b.sample, text.T("bar.sample"), theme.MailSendIcon())
	b.label(b.palette, key(view.CommandOf("palette").Key), theme.SearchIcon())
}

// label gives a button its word, or its icon where room is short.
func (b *bar) label(o *look.Button, word string, icon fyne.Resource) {
	if !b.narrow {
		icon = nil
	} else {
		word = ""
	}
	if o.Text != word || (o.Icon == nil) != (icon == nil) || icon != nil && o.Icon.Name() != icon.Name() {
		o.Text = word
		o.SetIcon(icon)
	}
}

// A sharing gives the URL and the target the room that their words need, as far as there is some.
type sharing struct{ b *bar }

// MinSize implements fyne.Layout.
func (s sharing) MinSize(o []fyne.CanvasObject) fyne.Size {
	a, b := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(a.Width+b.Width, max(a.Height, b.Height))
}

// Layout implements fyne.Layout.
func (s sharing) Layout(o []fyne.CanvasObject, size fyne.Size) {
	words := func(l *widget.Label) float32 {
		return look.Text(l.Text, look.Size(theme.SizeNameText), l.TextStyle).Width + 2*look.Size(theme.SizeNameInnerPadding)
	}
	a, b := o[0].MinSize().Width+words(s.b.url), o[1].MinSize().Width+words(s.b.target)
	if a+b > size.Width {
		a = max(o[0].MinSize().Width, min(a, size.Width-b))
		a = max(a, size.Width*0.5)
	}
	o[0].Resize(fyne.NewSize(a, size.Height))
	o[1].Move(fyne.NewPos(a, 0))
	o[1].Resize(fyne.NewSize(size.Width-a, size.Height))
}

func (b *bar) draw(v view.Bar) {
	b.tunnel.Set(tones[v.Tunnel.Tone], v.Tunnel.Text)
	setText(b.url, v.URL)
	b.handler.Set(tones[v.Handler.Tone], v.Handler.Text)
	setText(b.target, strings.TrimSpace(v.Target+"   "+v.More))
	b.waiting.Set(look.Waiting(v.Waiting))
	visible(b.waiting, v.Waiting != "")
	b.paused = v.Paused
	b.fit(b.narrow)
	b.top.Refresh()
	if open := b.w.notices.Open(v.Trouble); !slices.EqualFunc(open, b.shown, view.Notice.Equal) {
		b.shown = open
		b.tell()
	}
}

// A speaker is a label of one line, or of many.
type speaker interface{ SetText(s string) }

// setText draws only what is new.
func setText(l speaker, s string) {
	if l, ok := l.(*widget.Label); ok && l.Text == s {
		return
	}
	l.SetText(s)
}

// visible shows or hides o, and reports whether that was a change: what stands
// around it then has to be laid out again.
func visible(o fyne.CanvasObject, on bool) bool {
	if on == o.Visible() {
		return false
	}
	if on {
		o.Show()
	} else {
		o.Hide()
	}
	return true
}

// A rail turns from screen to screen.
type rail struct {
	box     fyne.CanvasObject
	buttons map[string]*look.Button
	narrow  bool
}

// narrowWindow is the width below which the rail has icons alone.
const narrowWindow = 1120

// fit drops the words where room is short; the tips have them too.
func (r *rail) fit(width float32) {
	if narrow := width < narrowWindow; narrow != r.narrow {
		r.narrow = narrow
		for screen, b := range r.buttons {
			word := view.CommandOf(screen).Title()
			if narrow {
				word = ""
			}
			b.SetText(word)
		}
	}
}

// A fitting lays the rail beside the screen, with or without words.
type fitting struct{ r *rail }

// MinSize implements fyne.Layout.
func (f fitting) MinSize(o []fyne.CanvasObject) fyne.Size {
	rail, rest := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(48+rest.Width, max(rail.Height, rest.Height))
}

// Layout implements fyne.Layout.
func (f fitting) Layout(o []fyne.CanvasObject, s fyne.Size) {
	f.r.fit(s.Width)
	width := o[0].MinSize().Width
	o[0].Resize(fyne.NewSize(width, s.Height))
	o[1].Move(fyne.NewPos(width, 0))
	o[1].Resize(fyne.NewSize(s.Width-width, s.Height))
}

func newRail(w *Window) *rail {
	r := &rail{buttons: map[string]*look.Button{}}
	column := container.NewVBox()
	for _, s := range []struct {
		screen string
		icon   fyne.Resource
	}{{"inbox", theme.MailComposeIcon()}, {"endpoints", theme.ComputerIcon()}, {"providers", theme.ListIcon()}, {"settings", theme.SettingsIcon()}} {
		b := w.button(s.screen, view.CommandOf(s.screen).Title())
		b.Icon, b.Alignment, b.Importance = s.icon, widget.ButtonAlignLeading, widget.LowImportance
		r.buttons[s.screen] = b
		column.Add(b)
	}
	r.box = container.NewHBox(container.NewPadded(container.NewVBox(column, layout.NewSpacer())), widget.NewSeparator())
	return r
}

// mark shows which screen is on.
func (r *rail) mark(screen string) {
	for name, b := range r.buttons {
		to := widget.LowImportance
		if name == screen {
			to = widget.MediumImportance
		}
		if b.Importance != to {
			b.Importance = to
			b.Refresh()
		}
	}
}

// A footer is the bottom line.
type footer struct {
	box  fyne.CanvasObject
	line *widget.Label
	mode *look.Button
	w    *Window
}

func newFooter(w *Window) *footer {
	f := &footer{w: w, line: line("")}
	f.line.SizeName, f.line.Importance = theme.SizeNameCaptionText, widget.LowImportance
	f.mode = w.button("times", w.clock.Mode.Name())
	f.mode.Importance = widget.LowImportance
	f.box = container.NewVBox(widget.NewSeparator(), container.NewBorder(nil, nil, nil, f.mode, f.line))
	return f
}

func (f *footer) draw(s string) {
	setText(f.line, s)
	if name := f.w.clock.Mode.Name(); f.mode.Text != name {
		f.mode.SetText(name)
	}
}
