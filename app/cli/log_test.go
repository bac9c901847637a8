package main

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

// What any part of the program logs looks like every other line on standard
// error, is one line, and does not steer a terminal.
func TestTheLogLooksLikeEveryOtherLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := logger(&out)
	l.Info("not worth it")
	l.Warn("tunnel", "phase", "connecting", "url", "", "err", errors.New("no such\nhost \x1b[2J"))
	l.With("id", 7).WithGroup("a").Error("broke", slog.Group("b", "c", "x=y"), slog.Group("", "d", true))
	require.Regexp(t, `^anyhook: `+form+` tunnel phase=connecting err="no such\\nhost \\x1b\[2J"
anyhook: `+form+` broke id=7 a\.b\.c="x=y" a\.d=true
$`, out.String())
}

const form = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)`
