// Command app is AnyHook Desktop: a window over a [session.Session]. It is the
// only package that needs a screen and OpenGL; the program without a window is
// in app/cli.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/lang"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/assets"
)

// What FyneApp.toml says too, held by a test: builds without the fyne command do not read it.
const (
	appID    = "net.anyhook.desktop"
	appName  = "AnyHook Desktop"
	appBuild = 1

	noticeID = appID + ".notice" // of a second start: two programs with one ID overwrite each other's preferences
)

const (
	sizePref  = "window.size"
	crashFile = "crash.log"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run starts the program and returns its exit status when its window was closed.
func run(args []string, errs io.Writer) int {
	flags := flag.NewFlagSet("anyhook-desktop", flag.ContinueOnError)
	flags.SetOutput(errs)
	data := flags.String("data", session.DefaultDir(), "the data `folder`")
	listen := flags.String("listen", session.DefaultListen, "capture at this `address`; if its port is taken, at the next free one")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 64
	}
	system := speak()
	text.Use(system)
	if !screen(context.Background()) {
		fmt.Fprintln(errs, text.T("main.noscreen"))
		return 1
	}
	if err := keepCrashes(*data); err != nil {
		fmt.Fprintln(errs, text.T("main.nodata", *data, err.Error()))
		return 1
	}
	s, err := session.Start(context.Background(), session.Config{
		Dir: *data, Listen: *listen, AnyPort: true, NoKeychain: os.Getenv("ANYHOOK_NO_KEYCHAIN") != "",
		Logger: slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		problem := problemOf(err, *data)
		fmt.Fprintln(errs, problem)
		a := newApp(noticeID)
		a.Settings().SetTheme(look.NewTheme(look.System)) // which has the letters
		ui.ShowProblem(a.NewWindow(appName), problem)
		a.Run()
		return 1
	}
	a := newApp(appID)
	if err := s.Reconnect(context.Background()); err != nil { // the window shows no tunnel, and offers one
		fmt.Fprintln(errs, err)
	}
	show(a, s, system)
	if err := s.Close(); err != nil { // after the window's loop: its hooks do not run at every quit
		fmt.Fprintln(errs, err)
		return 1
	}
	return 0
}

// problemOf puts in words why a data folder cannot be used. They are in the
// system's language: what the user chose is in the folder.
func problemOf(err error, dir string) string {
	switch {
	case errors.Is(err, session.ErrLocked):
		return text.T("main.locked", dir)
	case errors.Is(err, session.ErrNewer):
		return text.T("main.newer", dir)
	case errors.Is(err, session.ErrDamaged):
		return text.T("main.damaged", dir, err.Error())
	}
	return text.T("main.nostart", err.Error())
}

// speak returns the system's language. Fyne complains of a LANG that names
// none, so it is told English then.
func speak() string {
	if !unix() { // LANG says nothing there
		return lang.SystemLocale().LanguageString()
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		v := os.Getenv(name)
		if base, _, _ := strings.Cut(v, "."); v != "" && base != "C" && base != "POSIX" {
			return v
		}
	}
	_ = os.Setenv("LC_ALL", "en_US.UTF-8") // for this process alone; without it there is a complaint on standard error
	return "en"
}

// keepCrashes makes the data folder, and writes what a crash says into a file there, too.
func keepCrashes(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, crashFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return debug.SetCrashOutput(f, debug.CrashOptions{})
}

// newApp makes the app with what FyneApp.toml says, also where nobody reads it.
func newApp(id string) fyne.App {
	spareComplaints(context.Background())
	icon := fyne.NewStaticResource("icon.png", assets.Icon)
	a := app.NewWithID(id)
	if a.Metadata().ID == "" {
		app.SetMetadata(fyne.AppMetadata{ID: id, Name: appName, Version: assets.Version, Build: appBuild, Icon: icon})
	}
	a.SetIcon(icon)
	endWithLoop(a)
	return a
}

// endWithLoop keeps Fyne from saving the preferences once more when its loop
// has ended: that is done from another goroutine, which, once in a while, sends
// into the queue of the loop just as that is closed, and panics. Nothing is
// lost, since a preference is saved when it is set.
func endWithLoop(a fyne.App) {
	if l, ok := a.Lifecycle().(interface{ SetOnStoppedHookExecuted(hook func()) }); ok {
		l.SetOnStoppedHookExecuted(nil)
	}
}

// show opens the window and returns when it was closed.
func show(a fyne.App, s *session.Session, system string) {
	win := a.NewWindow(appName)
	win.SetMaster()
	win.SetPadded(false)
	win.Resize(sizeOf(a.Preferences().String(sizePref)))
	leave := func() {
		size := win.Canvas().Size()
		a.Preferences().SetString(sizePref, fmt.Sprintf("%.0fx%.0f", size.Width, size.Height))
		win.Close()
	}
	var notify func(title, msg string)
	if bus(context.Background()) {
		notify = func(title, msg string) { a.SendNotification(fyne.NewNotification(title, msg)) }
	}
	w := ui.New(win, s, look.Loop{}, ui.Options{
		Now: time.Now, Prefs: a.Preferences(), Theme: look.NewTheme(look.System), Lang: system,
		Notify:    notify,
		Changelog: assets.Changelog, Version: assets.Version, Quit: leave,
	})
	win.SetCloseIntercept(leave)
	a.Lifecycle().SetOnStarted(w.Focus)
	win.ShowAndRun()
	w.Close()
}

// sizeOf reads a size of the window; the usual one if it is none.
func sizeOf(s string) fyne.Size {
	width, height, _ := strings.Cut(s, "x")
	w, err1 := strconv.ParseFloat(width, 32)
	h, err2 := strconv.ParseFloat(height, 32)
	if err1 != nil || err2 != nil || !within(w, 600, 10_000) || !within(h, 400, 10_000) {
		return fyne.NewSize(1280, 800)
	}
	return fyne.NewSize(float32(w), float32(h))
}

// within reports whether f is a number from least to most.
func within(f, least, most float64) bool { return f >= least && f <= most }
