package view

import (
	"errors"
	"strings"
	"time"

	"anyhook.net/desktop/app/text"
)

// layouts are the ways to write a time of day or a date.
var layouts = []string{
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02",
}

// Parse reads a time as a person writes it: "now", "10m" and "2h" and "3d" ago,
// a time of today, a date, or both; in the clock's zone unless it ends in Z or
// an offset.
func (c Clock) Parse(s string) (time.Time, error) {
	s = strings.TrimSpace(s)
	now := c.Now()
	switch {
	case s == "":
		return time.Time{}, errors.New(text.T("times.empty"))
	case strings.EqualFold(s, "now"):
		return now, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, strings.Replace(s, " ", "T", 1)); err == nil {
		return t, nil
	}
	if d, ok := ago(s); ok {
		return now.Add(-d), nil
	}
	for _, layout := range []string{"15:04:05.999999999", "15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			y, m, d := now.In(c.zone()).Date()
			return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), c.zone()), nil
		}
	}
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, s, c.zone()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New(text.T("times.bad", Clean(s, 40)))
}

func ago(s string) (time.Duration, bool) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		d, err := time.ParseDuration(days + "h")
		return 24 * d, err == nil && d >= 0 && !strings.ContainsAny(days, "hms")
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}

// ParseRange reads both edges.
func (c Clock) ParseRange(since, until string) (Range, error) {
	from, err := c.Parse(since)
	if err != nil {
		return Range{}, err
	}
	to, err := c.Parse(until)
	if err != nil {
		return Range{}, err
	}
	if !from.Before(to) {
		return Range{}, errors.New(text.T("times.order"))
	}
	return Range{from.UTC(), to.UTC()}, nil
}

// Edit writes t as Parse reads it, in the clock's zone.
func (c Clock) Edit(t time.Time) string { return t.In(c.zone()).Format("2006-01-02 15:04:05") }
