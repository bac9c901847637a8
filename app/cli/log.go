package main

import (
	"io"
	"log/slog"
)

// logger writes what is worth a person's attention to standard error.
func logger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
