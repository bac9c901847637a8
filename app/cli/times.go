package main

import (
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// human is a moment as a person reads it: to the millisecond, where they are.
// --since and --until take it.
func human(t time.Time) string { return t.Local().Format("2006-01-02T15:04:05.000Z07:00") }

// A span is a range of time given by --since and --until.
type span struct{ since, until string }

func (s *span) flags(f *pflag.FlagSet) {
	f.StringVar(&s.since, "since", "", "arrived at or after: RFC 3339, or 10m, 2h, 3d ago")
	f.StringVar(&s.until, "until", "", "arrived before: RFC 3339, or 10m, 2h, 3d ago")
}

func (s *span) given() bool { return s.since != "" || s.until != "" }

// times returns both ends; zero for one that was not given.
func (s *span) times(now time.Time) (since, until time.Time, err error) {
	if since, err = moment("--since", s.since, now); err != nil {
		return since, until, err
	}
	if until, err = moment("--until", s.until, now); err != nil {
		return since, until, err
	}
	if !since.IsZero() && !until.IsZero() && !since.Before(until) {
		return since, until, usage("--since %s is not before --until %s", s.since, s.until)
	}
	return since, until, nil
}

// moment reads RFC 3339 or a time ago.
func moment(flag, s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t, nil
	}
	ago := strings.TrimSuffix(strings.TrimSpace(s), " ago")
	if days, ok := strings.CutSuffix(ago, "d"); ok {
		if d, err := time.ParseDuration(days + "h"); err == nil && d >= 0 && d <= math.MaxInt64/24 {
			return now.Add(-24 * d), nil
		}
	}
	if d, err := time.ParseDuration(ago); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, usage("%s %q: want RFC 3339 (2026-03-01T12:00:00Z) or a time ago (10m, 2h, 3d)", flag, s)
}
