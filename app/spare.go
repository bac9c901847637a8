package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// spareComplaints tells Fyne what it would find out by trying, and complain of
// on standard error, where a system has no Wayland, no session bus, or no
// folder for caches. All is for this process alone. It comes before the app.
func spareComplaints(ctx context.Context) {
	if dir, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(dir, 0o700) // Fyne makes only its own below, and says so if it cannot
	}
	if !unix() {
		return
	}
	if os.Getenv("FYNE_PLATFORM") == "" && !wayland(ctx) {
		_ = os.Setenv("FYNE_PLATFORM", "x11")
	}
	if os.Getenv("FYNE_THEME") == "" && !bus(ctx) {
		_ = os.Setenv("FYNE_THEME", "default") // nobody there tells light from dark, or that it changed
	}
}

// bus reports whether there is a session bus that answers, without which
// nothing can be told on the desktop. Asking for one by D-Bus itself would start one.
func bus(ctx context.Context) bool {
	if !unix() {
		return true
	}
	own := "unix:path=/run/user/" + strconv.Itoa(os.Getuid()) + "/bus"
	for address := range strings.SplitSeq(cmp.Or(os.Getenv("DBUS_SESSION_BUS_ADDRESS"), own), ";") {
		how, where, _ := strings.Cut(address, ":")
		if how != "unix" {
			return how == "tcp" || how == "unixexec"
		}
		for field := range strings.SplitSeq(where, ",") {
			name, path, _ := strings.Cut(field, "=")
			switch {
			case name == "path" && answers(ctx, "unix", filepath.Clean(path)), name == "abstract" && answers(ctx, "unix", "@"+path):
				return true
			}
		}
	}
	return false
}
