package main

import (
	"cmp"
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// screen reports whether there is one that answers: the toolkit falls over
// where one is named and not there.
func screen(ctx context.Context) bool {
	if !unix() || wayland(ctx) {
		return true
	}
	for _, at := range x11(os.Getenv("DISPLAY")) {
		if answers(ctx, at.network, at.address) {
			return true
		}
	}
	return false
}

// unix reports whether this is a system with X11 or Wayland, and D-Bus.
func unix() bool { return runtime.GOOS != "darwin" && runtime.GOOS != "windows" }

// wayland reports whether a Wayland display answers.
func wayland(ctx context.Context) bool {
	w := os.Getenv("WAYLAND_DISPLAY")
	if w == "" {
		return false
	}
	if !filepath.IsAbs(w) {
		w = filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), w)
	}
	return answers(ctx, "unix", w)
}

// A socket is where a screen may answer.
type socket struct{ network, address string }

// x11 are the sockets that DISPLAY stands for, as in "man 7 X": [host]:number[.screen].
func x11(display string) []socket {
	host, number, ok := strings.Cut(display, ":")
	if i := strings.LastIndex(display, ":"); ok && i > 0 { // an IPv6 address has more of them
		host, number = strings.Trim(display[:i], "[]"), display[i+1:]
	}
	number, _, _ = strings.Cut(number, ".")
	n, err := strconv.ParseUint(number, 10, 16)
	switch {
	case !ok || err != nil || n > 1<<16-6001:
		return nil
	case strings.HasPrefix(host, "/"): // a path, as XQuartz has it
		return []socket{{"unix", display}}
	}
	path := "/tmp/.X11-unix/X" + number
	all := []socket{{"tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), strconv.FormatUint(6000+n, 10))}}
	if host == "" || host == "unix" {
		all = append([]socket{{"unix", path}, {"unix", "@" + path}}, all...)
	}
	return all
}

func answers(ctx context.Context, network, address string) bool {
	d := net.Dialer{Timeout: 5 * time.Second}
	conn, err := d.DialContext(ctx, network, address)
	return err == nil && conn.Close() == nil
}
