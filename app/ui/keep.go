package ui

import (
	"context"
	"encoding/json"
	"maps"
	"strconv"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"anyhook.net/desktop/app/ui/grid"
)

const (
	keptSetting = "window"        // under which the desk keeps all that follows
	keepLimit   = 3 * time.Second // for the last words of a window that closes
)

// A keeper has what the user chose for the window, which the desk keeps: the
// preferences of the system may get lost. The theme alone is in those.
type keeper struct {
	values map[string]string
	asked  int // counts, so that an older state never replaces a newer one

	mu      sync.Mutex
	written int
}

// recall reads what was kept; what cannot be read is as if it were never set.
func (w *Window) recall() {
	w.kept.values = map[string]string{}
	if s, err := w.desk.Setting(w.ctx, keptSetting); err == nil && s != "" {
		_ = json.Unmarshal([]byte(s), &w.kept.values)
	}
}

// pref returns what was kept under key, "" for nothing.
func (w *Window) pref(key string) string {
	if key == themePref && w.o.Prefs != nil {
		return w.o.Prefs.String(key)
	}
	return w.kept.values[key]
}

// setPref keeps a value.
func (w *Window) setPref(key, value string) {
	if key == themePref {
		if w.o.Prefs != nil {
			w.o.Prefs.SetString(key, value)
		}
		return
	}
	if w.kept.values[key] == value {
		return
	}
	w.kept.values[key] = value
	w.kept.asked++
	asked, all := w.kept.asked, maps.Clone(w.kept.values)
	w.background(func(ctx context.Context) { _ = w.writeKept(ctx, asked, all) }) // the last words say it again
}

// writeKept has the desk keep all, unless it has something newer.
func (w *Window) writeKept(ctx context.Context, asked int, all map[string]string) error {
	w.kept.mu.Lock()
	defer w.kept.mu.Unlock()
	if asked < w.kept.written {
		return nil
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := w.desk.SetSetting(ctx, keptSetting, string(data)); err != nil {
		return err
	}
	w.kept.written = asked
	return nil
}

// lastWords keeps how the window is laid out when it closes.
func (w *Window) lastWords() {
	w.keepSplits()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), keepLimit)
	defer cancel()
	_ = w.writeKept(ctx, w.kept.asked, w.kept.values) // nobody is there any more to be told
}

// split makes s keep where it is divided under key, from start on.
func (w *Window) split(key string, s *container.Split, start float64) *container.Split {
	if f, err := strconv.ParseFloat(w.pref(key), 64); err == nil && f > 0.1 && f < 0.95 {
		start = f
	}
	s.SetOffset(start)
	if w.splits == nil {
		w.splits = map[string]*container.Split{}
	}
	w.splits[key] = s
	return s
}

// keepSplits keeps where everything is divided now.
func (w *Window) keepSplits() {
	for key, s := range w.splits {
		if s.Size() != (fyne.Size{}) {
			w.setPref(key, strconv.FormatFloat(s.Offset, 'f', 3, 64))
		}
	}
}

// columns makes a table keep the widths of its columns under key.
func (w *Window) columns(key string, t *grid.Table) {
	var widths map[string]float32
	if json.Unmarshal([]byte(w.pref(key)), &widths) == nil {
		t.SetWidths(widths)
	}
	t.OnWidths = func() {
		if data, err := json.Marshal(t.Widths()); err == nil {
			w.setPref(key, string(data))
		}
	}
}
