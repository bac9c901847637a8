package provider

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// An encoding is how the bytes of a signature are written.
type encoding struct {
	name   string
	decode func(string) ([]byte, error)
	encode func([]byte) string
	length func(n int) int // of n bytes
}

var (
	hexadecimal = encoding{"hex", hex.DecodeString, hex.EncodeToString, hex.EncodedLen}
	base64std   = encoding{"base64", base64.StdEncoding.Strict().DecodeString, base64.StdEncoding.EncodeToString, base64.StdEncoding.EncodedLen}
	base64url   = encoding{"base64url", base64.RawURLEncoding.Strict().DecodeString, base64.RawURLEncoding.EncodeToString, base64.RawURLEncoding.EncodedLen}
)

// sized decodes a signature of the size.
func (e encoding) sized(s string, size int) ([]byte, bool) {
	b, err := e.decode(s)
	return b, err == nil && len(b) == size
}

// marks is what a signature header says.
type marks struct {
	stamp string   // the time, as it is signed
	times int      // how often it is given
	sigs  [][]byte // of the right size
}

// A form is how signatures stand in a header. The providers' own libraries trim
// nothing and skip what they do not know, and so does it.
type form struct {
	prefix string // before a lone signature
	loose  bool   // the prefix may be left out
	sep    string // between the parts of a list; "" for a lone signature
	time   string // the name of the time in a list, "t"
	sig    string // the name of a signature in a list, "v1"
	enc    encoding
	bare   bool // a list without names: the time comes first
}

// alone is a header that is one signature, with a prefix or "".
func alone(prefix string, enc encoding) form { return form{prefix: prefix, enc: enc} }

// list is a header such as t=…,v1=…[,v1=…], which Stripe made known. The name of the time is "" if it has none.
func list(sep, time, sig string, enc encoding) form {
	return form{sep: sep, time: time, sig: sig, enc: enc}
}

func (f form) read(header string, size int) marks {
	var m marks
	if f.sep == "" {
		text, ok := strings.CutPrefix(header, f.prefix)
		if sig, fits := f.enc.sized(text, size); fits && (ok || f.loose) {
			m.sigs = [][]byte{sig}
		}
		return m
	}
	for item := range strings.SplitSeq(header, f.sep) {
		name, text, ok := strings.Cut(item, "=")
		if f.bare {
			name, text, ok = f.sig, item, true
			if m.times == 0 {
				name = f.time
			}
		}
		switch {
		case !ok:
		case name == f.time:
			m.times++
			m.stamp = text
		case name == f.sig:
			if sig, fits := f.enc.sized(text, size); fits {
				m.sigs = append(m.sigs, sig)
			}
		}
	}
	return m
}

func (f form) write(stamp string, sum []byte) string {
	sig := f.enc.encode(sum)
	switch {
	case f.sep == "":
		return f.prefix + sig
	case f.bare:
		return stamp + f.sep + sig
	case f.time == "":
		return f.sig + "=" + sig
	}
	return f.time + "=" + stamp + f.sep + f.sig + "=" + sig
}

// shape says what a header should look like, where a signature has size bytes.
func (f form) shape(size int) string {
	n := strconv.Itoa(f.enc.length(size))
	what := n + " characters of " + f.enc.name
	if f.enc.name == "hex" {
		what = n + " hex digits"
	}
	switch {
	case f.sep == "" && f.prefix == "":
		return what
	case f.sep == "":
		return f.prefix + "… with " + what
	case f.bare:
		return "time" + f.sep + "… with " + what
	case f.time == "":
		return f.sig + "=… with " + what
	}
	return f.time + "=…" + f.sep + f.sig + "=… with " + what
}

// String names the form for people: "hex with sha256= in front".
func (f form) String() string {
	switch {
	case f.sep == "" && f.prefix == "":
		return f.enc.name
	case f.sep == "":
		return f.enc.name + " with " + f.prefix + " in front"
	case f.bare:
		return f.enc.name + " after the time and " + f.sep
	case f.time == "":
		return f.enc.name + " after " + f.sig + "="
	}
	return f.enc.name + " after " + f.time + "=…" + f.sep + f.sig + "="
}

// unixUnit is a time in digits, counted from 1970 in steps.
func unixUnit(step time.Duration) timeUnit {
	return timeUnit{
		step:  step,
		read:  func(s string) (time.Time, bool) { return unixTime(s, step) },
		write: func(t time.Time) string { return strconv.FormatInt(t.UnixNano()/int64(step), 10) },
	}
}
