// Package ui is the window. It draws what app/view decides and calls what
// app/view offers; an if here is about a place or a colour.
//
// A [Window] belongs to the goroutine that draws. What is slow runs beside it
// by start, and comes back through one [look.Dispatcher].
package ui

import (
	"context"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// Options are what the window needs of the program around it.
type Options struct {
	Now       func() time.Time
	Zone      *time.Location           // nil means the machine's
	Prefs     Prefs                    // nil remembers nothing
	Theme     *look.Theme              // nil leaves the theme of the app alone
	Lang      string                   // the system's language, for users who chose none
	Notify    func(title, text string) // a notification of the desktop; nil for none
	Changelog func(lang string) string // Markdown, shown in the help; nil for none
	Version   string
	Run       func(job func()) // starts a job beside; nil means a goroutine
	Quit      func()           // ends the program as closing the window does; nil closes the window
}

// Prefs remember what may be forgotten: sizes, theme, language.
type Prefs interface {
	String(key string) string
	SetString(key, value string)
}

// A Window is the window.
type Window struct {
	win   fyne.Window
	desk  view.Desk
	ui    look.Dispatcher
	o     Options
	clock view.Clock

	ctx    context.Context // ends with the window, and with it all that it started
	cancel context.CancelFunc
	jobs   sync.WaitGroup

	frame   *look.Frame
	rail    *rail
	bar     *bar
	inbox   *inbox
	runs    *view.Runs
	torn    []*torn // details in windows of their own
	kept    keeper
	splits  map[string]*container.Split
	items   map[string]*fyne.MenuItem // of the main menu, by command
	screen  string                    // "inbox", "endpoints", "providers", "settings" or "help"
	root    *fyne.Container
	center  *fyne.Container
	foot    *footer
	last    view.Status
	redraw  []*look.Redraw
	past    view.TunnelHistory
	notices view.Notices
	status  func()       // draws the status soon
	tunnel  *tunnelPanel // made last
	wanted  *wish        // endpoint to open with the screen

	framework string // whose snippet was shown last
	sought    string // provider to show with the screen
	leave     func() // ends what the screen follows; nil when it follows nothing
}

// New fills win and follows the desk until [Window.Close].
func New(win fyne.Window, desk view.Desk, ui look.Dispatcher, o Options) *Window {
	w := &Window{win: win, desk: desk, ui: ui, o: o, clock: view.Clock{Now: o.Now, Zone: o.Zone}, screen: "inbox"}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	if w.o.Run == nil {
		w.o.Run = func(job func()) { go job() }
	}
	w.recall()
	w.useLanguage()
	w.useTheme()
	w.runs = &view.Runs{Desk: desk, Changed: w.drawer(func() { w.inbox.runs.draw() })}
	w.inbox = newInbox(w)
	w.status = w.drawer(w.drawStatus)
	w.frame = look.NewFrame(ui, container.NewStack())
	w.frame.ToastRoom = w.toastRoom
	w.build()
	w.win.SetContent(w.frame)
	w.shortcuts()
	w.hearEscape()
	w.background(w.inbox.model.Run)
	w.background(w.follow)
	return w
}

// Close ends what the window started, and waits for it.
func (w *Window) Close() {
	w.lastWords()
	w.cancel()
	w.closeTorn()
	for _, r := range w.redraw {
		r.Close()
	}
	w.jobs.Wait()
}

// drawer returns a function that any goroutine may call to have draw called soon.
func (w *Window) drawer(draw func()) func() {
	r := look.NewRedraw(w.ui, draw)
	w.redraw = append(w.redraw, r)
	return r.Mark
}

// background runs job beside the window until it ends.
func (w *Window) background(job func(context.Context)) {
	w.jobs.Add(1)
	w.o.Run(func() {
		defer w.jobs.Done()
		job(w.ctx)
	})
}

// start does a slow job beside the window, and then calls done on the goroutine
// that draws, unless the window was closed.
func start[T any](w *Window, job func(context.Context) (T, error), done func(T, error)) {
	w.background(func(ctx context.Context) {
		out, err := job(ctx)
		w.ui.Post(func() {
			if w.ctx.Err() == nil {
				done(out, err)
			}
		})
	})
}

// try does a slow job beside the window, and says if it failed.
func (w *Window) try(job func(context.Context) error, done func()) {
	start(w, func(ctx context.Context) (struct{}, error) { return struct{}{}, job(ctx) }, func(_ struct{}, err error) {
		if err != nil {
			w.fail(err)
			return
		}
		done()
	})
}

// fail says what went wrong.
func (w *Window) fail(err error) {
	if err != nil && w.ctx.Err() == nil {
		w.frame.Say(look.Message{Badge: look.Invalid(""), Text: view.ErrorText(err)})
	}
}

// say says that something went well.
func (w *Window) say(s string) {
	w.frame.Say(look.Message{Badge: look.Valid(""), Text: s})
}

// build makes all that has words in it, which is done again for another language.
func (w *Window) build() {
	w.keepSplits()
	w.rail = newRail(w)
	w.bar = newBar(w)
	w.foot = newFooter(w)
	w.inbox.build()
	w.center = container.NewStack()
	w.win.SetTitle(text.T("app.title"))
	w.win.SetMainMenu(w.menu())
	w.root = container.NewBorder(w.bar.box, w.foot.box, nil, nil, container.New(fitting{w.rail}, w.rail.box, w.center))
	w.frame.SetContent(w.root)
	w.show(w.screen)
	w.redrawTorn()
	w.drawStatus()
}

// toastRoom is the bottom line, beside its button: nobody clicks there.
func (w *Window) toastRoom(size fyne.Size) (fyne.Position, fyne.Size) {
	foot, button := w.foot.box.Size(), w.foot.mode.Size()
	return fyne.NewPos(8, size.Height-foot.Height), fyne.NewSize(size.Width-button.Width-24, foot.Height)
}

// relay lays the window out again after something of another height came or went.
func (w *Window) relay() { relay(w.root) }

// show turns to a screen.
func (w *Window) show(screen string) {
	w.left()
	w.screen = screen
	w.rail.mark(screen)
	var o fyne.CanvasObject
	switch screen {
	case "endpoints":
		o = newEndpoints(w)
	case "providers":
		o = newProviders(w)
	case "settings":
		o = newSettings(w)
	case "help":
		o = newHelp(w)
	default:
		o = w.inbox.box
	}
	w.center.Objects = []fyne.CanvasObject{o}
	w.center.Refresh()
	w.Focus()
}

// follow draws the status whenever it changes, and tells what deserves to be told.
func (w *Window) follow(ctx context.Context) {
	before := w.desk.Status()
	for ctx.Err() == nil {
		changed := w.desk.Changed() // before looking, so that nothing is missed
		now := w.desk.Status()
		for _, a := range view.Alerts(before, now) {
			w.ui.Post(func() { w.alert(a) })
		}
		before = now
		w.status()
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// alert tells one thing, in the window and on the desktop.
func (w *Window) alert(a view.Alert) {
	m := a.Mark()
	msg := look.Message{Badge: badge(m), Text: m.Text}
	if chips := a.Chips(); chips != (view.Chips{}) {
		msg.Action = text.T("alert.show")
		msg.Do = func() { w.show("inbox"); w.inbox.filters.set(chips) }
	}
	if a.Kind != view.AlertBack && (a.Kind != view.AlertFailing || a.Count > 1 || w.screen != "inbox") { // the bar and the list say the others
		w.frame.Say(msg)
	}
	if w.o.Notify != nil {
		w.o.Run(func() { w.o.Notify(text.T("app.title"), m.Text) }) // a slow desktop must not stop the window
	}
}

func (w *Window) drawStatus() {
	w.last = w.desk.Status()
	w.inbox.runs.draw() // its buttons follow the practice handler
	w.past.Note(w.last, w.o.Now())
	w.bar.draw(view.ViewBar(w.last))
	w.foot.draw(view.StatusLine(w.last))
	w.inbox.drawStatus()
	if p := w.inbox.panel; p != nil && p.redraw != nil {
		p.redraw()
	}
}

// situation is what commands may need.
func (w *Window) situation() view.Situation {
	return view.Situation{Selected: w.inbox.table.Count(), Running: w.inbox.runs.running(), Public: w.last.PublicURL != "", Practice: w.last.Practice != "", Cleared: w.inbox.model.Cleared() > 0}
}

// Select selects requests in the inbox, as far as they are in sight of its filter.
func (w *Window) Select(seqs ...capture.Seq) {
	keys := make([]int64, len(seqs))
	for i, s := range seqs {
		keys[i] = int64(s)
	}
	w.inbox.table.Changed() // what it selects may have come just now
	w.inbox.table.Select(keys...)
}
