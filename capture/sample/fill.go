package sample

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A filling is where the words of a sample get their values from.
type filling struct {
	seed string
	now  time.Time
}

// word is a word in braces: its name, length, label and shift in seconds.
var word = regexp.MustCompile(`\{\{(\w+?)(?::(\d+))?(?:#(\w+))?(?:([+-]\d+)s)?\}\}`)

// fill puts values for the words. The error names a word that is not known.
func fill(text string, f filling) (string, error) {
	var bad error
	out := word.ReplaceAllStringFunc(text, func(s string) string {
		m := word.FindStringSubmatch(s)
		size, _ := strconv.Atoi(m[2])
		shift, _ := strconv.Atoi(m[4])
		value, ok := f.fresh(m[1], size, m[3])
		if !ok {
			value, ok = moment(m[1], f.now.Add(time.Duration(shift)*time.Second))
		}
		if !ok {
			bad = fmt.Errorf("unknown word %s", s)
		}
		return value
	})
	if bad == nil && strings.Contains(out, "{{") {
		bad = errors.New("a word that cannot be read")
	}
	return out, bad
}

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

func (f filling) fresh(name string, size int, label string) (string, bool) {
	switch name {
	case "hex":
		return f.letters(digits+"abcdef", size, label), true
	case "base62":
		return f.letters(digits+upper+lower, size, label), true
	case "upper":
		return f.letters(digits+upper, size, label), true
	case "digits":
		return f.letters("123456789", 1, label) + f.letters(digits, size-1, label+" rest"), true
	case "zeros":
		return strings.Repeat("0", size), true
	case "uuid":
		h := f.letters(digits+"abcdef", 30, label)
		return h[:8] + "-" + h[8:12] + "-4" + h[12:15] + "-8" + h[15:18] + "-" + h[18:30], true
	}
	return "", false
}

// letters returns size letters of the alphabet, which follow from the seed and the label.
func (f filling) letters(alphabet string, size int, label string) string {
	var b strings.Builder
	for block := uint64(0); b.Len() < size; block++ {
		sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(f.seed+"\x00"+label+"\x00"), block))
		for i := 0; i < len(sum) && b.Len() < size; i += 2 {
			b.WriteByte(alphabet[int(binary.BigEndian.Uint16(sum[i:]))%len(alphabet)])
		}
	}
	return b.String()
}

func moment(name string, t time.Time) (string, bool) {
	switch name {
	case "unix":
		return strconv.FormatInt(t.Unix(), 10), true
	case "milli":
		return strconv.FormatInt(t.UnixMilli(), 10), true
	case "iso":
		return t.Format(time.RFC3339), true
	case "isomilli":
		return t.Format("2006-01-02T15:04:05.000Z07:00"), true
	case "isoutc": // without a zone, as some write UTC
		return t.UTC().Format("2006-01-02T15:04:05"), true
	case "isomicro":
		return t.Format("2006-01-02T15:04:05.000000Z07:00"), true
	case "isonano":
		return t.Format("2006-01-02T15:04:05.000000000Z07:00"), true
	case "rfc2822": // as in a form
		return url.QueryEscape(t.Format(time.RFC1123Z)), true
	case "slack":
		return fmt.Sprintf("%d.%06d", t.Unix(), t.Nanosecond()/1000), true
	}
	return "", false
}
