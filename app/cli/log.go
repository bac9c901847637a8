package main

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
)

// logger writes what is worth a person's attention to standard error, in lines
// like all others there: "anyhook: …".
func logger(w io.Writer) *slog.Logger { return slog.New(&logLines{out: w, mu: &sync.Mutex{}}) }

// logLines is a slog.Handler: a line a record, fit for a terminal.
type logLines struct {
	out   io.Writer
	mu    *sync.Mutex // of out
	known string      // attributes of all lines, each with a blank before it
	group string      // of the attributes to come, "a.b."
}

// Enabled implements slog.Handler.
func (*logLines) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }

// Handle implements slog.Handler.
func (h *logLines) Handle(_ context.Context, r slog.Record) error {
	line := "anyhook: " + human(r.Time) + " " + r.Message + h.known
	r.Attrs(func(a slog.Attr) bool {
		line += said(h.group, a)
		return true
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := io.WriteString(h.out, short(printable(line))+"\n")
	return err
}

// WithAttrs implements slog.Handler.
func (h *logLines) WithAttrs(as []slog.Attr) slog.Handler {
	c := *h
	for _, a := range as {
		c.known += said(h.group, a)
	}
	return &c
}

// WithGroup implements slog.Handler.
func (h *logLines) WithGroup(name string) slog.Handler {
	c := *h
	c.group += name + "."
	return &c
}

// said is an attribute with a blank before it; "" for one without a value.
func said(group string, a slog.Attr) string {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		var all strings.Builder
		for _, a := range v.Group() {
			all.WriteString(said(group, a))
		}
		return all.String()
	}
	s := v.String()
	if v.Kind() == slog.KindTime {
		s = human(v.Time())
	}
	if s == "" {
		return ""
	}
	if strings.ContainsAny(s, " \"\n\t=") {
		s = strconv.Quote(s)
	}
	return " " + group + a.Key + "=" + s
}
