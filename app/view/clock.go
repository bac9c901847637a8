package view

import (
	"strconv"
	"time"

	"anyhook.net/desktop/app/text"
)

// A TimeMode is a way to write times.
type TimeMode int

// The modes, in the order in which a click goes through them.
const (
	Local    TimeMode = iota // "12:00:03.512", with the day unless it is today
	UTC                      // "2026-11-30 04:00:03.512 UTC"
	Relative                 // "5 min ago"
)

// Next returns the mode that a click leads to.
func (m TimeMode) Next() TimeMode { return (m + 1) % 3 }

// Name returns the mode in words.
func (m TimeMode) Name() string {
	switch m {
	case UTC:
		return text.T("time.mode.utc")
	case Relative:
		return text.T("time.mode.relative")
	default:
		return text.T("time.mode.local")
	}
}

// A Clock writes times.
type Clock struct {
	Now  func() time.Time
	Zone *time.Location // nil means the machine's
	Mode TimeMode
}

// Write returns t in the clock's mode; "" for the zero time.
func (c Clock) Write(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case c.Mode == UTC:
		return t.UTC().Format("2006-01-02 15:04:05.000") + " UTC"
	case c.Mode == Relative:
		return c.Ago(t)
	}
	return c.local(t, "15:04:05.000")
}

// Short is Write for a narrow column: seconds today, minutes on other days.
func (c Clock) Short(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case c.Mode == UTC && c.Now().Sub(t) < 12*time.Hour:
		return t.UTC().Format("15:04:05Z")
	case c.Mode == UTC:
		return t.UTC().Format("01-02 15:04Z")
	case c.Mode == Relative:
		return c.Ago(t)
	case c.local(t, "") == "":
		return c.local(t, "15:04:05")
	}
	return c.local(t, "15:04")
}

// fact says when something was, and how long that was before or after arrived.
func (c Clock) fact(name string, t, arrived time.Time) Fact {
	at, day := t.In(c.shown()), arrived.In(c.shown())
	layout := "15:04:05.000"
	if at.YearDay() != day.YearDay() || at.Year() != day.Year() {
		layout = "2006-01-02 15:04:05"
	}
	value := at.Format(layout)
	switch d := arrived.Sub(t); {
	case d > 0:
		value += " · " + text.T("fact.before", took(d))
	case d < 0:
		value += " · " + text.T("fact.after", took(-d))
	}
	return Fact{Name: name, Value: value, Full: c.Both(t)}
}

// took writes a duration of any length.
func took(d time.Duration) string {
	if d < time.Minute {
		return Took(d)
	}
	return Span(d)
}

// shown is the zone of the clock's mode.
func (c Clock) shown() *time.Location {
	if c.Mode == UTC {
		return time.UTC
	}
	return c.zone()
}

// zoned returns t with its offset.
func zoned(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2006-01-02 15:04:05.000 -07:00")
}

// Both returns t in local time with its offset, and in UTC.
func (c Clock) Both(t time.Time) string {
	return zoned(t, c.zone()) + " · " + t.UTC().Format("15:04:05.000") + " UTC"
}

func (c Clock) local(t time.Time, layout string) string {
	t, now := t.In(c.zone()), c.Now().In(c.zone())
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format(layout)
	}
	if t.Year() == now.Year() {
		return t.Format("01-02 " + layout)
	}
	return t.Format("2006-01-02 " + layout)
}

func (c Clock) zone() *time.Location {
	if c.Zone == nil {
		return time.Local
	}
	return c.Zone
}

// Ago returns how long ago t was, in one unit.
func (c Clock) Ago(t time.Time) string {
	d := c.Now().Sub(t)
	if d < 0 {
		return text.T("time.ahead", Span(-d))
	}
	if d < 5*time.Second {
		return text.T("time.now")
	}
	return text.T("time.ago", Span(d))
}

// Span writes a duration of seconds and more in one unit: "45 s", "12 min", "3 h", "2 d".
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return text.T("span.s", text.Number(int64(d/time.Second)))
	case d < time.Hour:
		return text.T("span.min", text.Number(int64(d/time.Minute)))
	case d < 48*time.Hour:
		return text.T("span.h", text.Number(int64(d/time.Hour)))
	default:
		return text.N("span.d", int64(d/(24*time.Hour)))
	}
}

// Took writes how long something took, with three digits: "3.14 ms", "1.20 s", "92.0 s".
func Took(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 ms"
	case d < time.Millisecond:
		return digits(float64(d)/1e3) + " µs"
	case d < time.Second:
		return digits(float64(d)/1e6) + " ms"
	default:
		return digits(d.Seconds()) + " s"
	}
}

// digits writes f with about three significant digits.
func digits(f float64) string {
	switch {
	case f < 9.995:
		return strconv.FormatFloat(f, 'f', 2, 64)
	case f < 99.95:
		return strconv.FormatFloat(f, 'f', 1, 64)
	default:
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
}
