// Command storybook draws every screen of the window as a picture, with
// made-up data and without a display:
//
//	go run ./app/ui/storybook -out /tmp/pictures
//
// A new screen, or a new state of one, is a row in stories.
package main

import (
	"context"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"anyhook.net/desktop/app/ui"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/assets"
)

func main() {
	out := flag.String("out", "storybook-out", "folder for the pictures")
	only := flag.String("only", "", "draw only stories whose name contains this")
	lang := flag.String("lang", "en,zh-TW", "languages")
	theme := flag.String("theme", "light,dark", "themes")
	size := flag.String("size", "1280x800,1024x700", "sizes of the window")
	scale := flag.String("scale", "1.00", "size of the text")
	flag.Parse()
	if err := os.MkdirAll(*out, 0o750); err != nil {
		fail(err)
	}
	for _, s := range stories {
		if !strings.Contains(s.name, *only) {
			continue
		}
		for l := range strings.SplitSeq(*lang, ",") {
			for t := range strings.SplitSeq(*theme, ",") {
				for z := range strings.SplitSeq(*size, ",") {
					if err := draw(*out, s, setting{l, t, z, *scale}); err != nil {
						fail(err)
					}
				}
			}
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "storybook:", err)
	os.Exit(1)
}

// prefs are preferences in memory.
type prefs map[string]string

// String implements ui.Prefs.
func (p prefs) String(key string) string { return p[key] }

// SetString implements ui.Prefs.
func (p prefs) SetString(key, value string) { p[key] = value }

// A setting is what a story is drawn in.
type setting struct{ lang, theme, size, scale string }

// draw draws one story into a file.
func draw(dir string, s tale, in setting) error {
	app := test.NewApp()
	defer app.Quit()
	var width, height float32
	if _, err := fmt.Sscanf(in.size, "%fx%f", &width, &height); err != nil {
		return fmt.Errorf("size %q: %w", in.size, err)
	}
	now := time.Date(2026, 11, 30, 12, 0, 7, 0, time.UTC)
	clock := func() time.Time { return now }
	desk := s.desk(clock)
	if err := desk.SetSetting(context.Background(), "window", fmt.Sprintf(`{"text.scale":%q}`, in.scale)); err != nil {
		return err
	}
	win := test.NewWindow(nil)
	defer win.Close()
	win.SetPadded(false)
	win.Resize(fyne.NewSize(width, height))
	queue := &look.Queue{}
	w := ui.New(win, desk, queue, ui.Options{
		Now: clock, Zone: time.FixedZone("CST", 8*3600), Lang: in.lang, Theme: look.NewTheme(look.System), Version: "0.1.0",
		Changelog: assets.Changelog,
		Prefs:     prefs{"theme": in.theme},
	})
	win.Resize(fyne.NewSize(width, height))
	rest(queue)
	for _, step := range s.steps {
		step(w, desk)
		rest(queue)
	}
	name := strings.Join([]string{s.name, in.lang, in.theme, in.size}, "_") + ".png"
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	err = png.Encode(f, win.Canvas().Capture())
	w.Close()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// rest draws until nothing more is to be drawn.
func rest(queue *look.Queue) {
	for quiet := 0; quiet < 6; quiet++ {
		if queue.Drain() > 0 {
			quiet = 0
		}
		time.Sleep(40 * time.Millisecond)
	}
}
