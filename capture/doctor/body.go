package doctor

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"anyhook.net/desktop/capture"
)

// maxRewritten is the size in bytes of the largest body that is written anew.
const maxRewritten = 1 << 20

var byteOrderMark = []byte("\xef\xbb\xbf")

// bodies are the ways in which a body is changed on its way.
func (e *examination) bodies() []change {
	if len(e.Request.Body) > maxRewritten {
		return nil
	}
	one := func(c Cause, f func([]byte) []byte) change {
		return change{cause: c, undo: func(r *capture.Request) bool {
			b := f(r.Body)
			if b == nil || bytes.Equal(b, r.Body) {
				return false
			}
			r.Body = b
			return true
		}}
	}
	return []change{
		one(BodyLineEnd, func(b []byte) []byte { return append(slices.Clone(b), '\n') }),
		one(BodyLineEnd, func(b []byte) []byte { return append(slices.Clone(b), "\r\n"...) }),
		one(BodyLineEnd, func(b []byte) []byte { return bytes.TrimRight(b, "\r\n") }),
		one(BodyLineEnd, bytes.TrimSpace),
		one(BodyLineEnd, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }),
		one(BodyLineEnd, withCR),
		one(BodyMark, func(b []byte) []byte { return bytes.TrimPrefix(b, byteOrderMark) }),
		one(BodyMark, func(b []byte) []byte { return append(slices.Clone(byteOrderMark), b...) }),
		one(BodyPretty, compact),
		one(BodyCompact, func(b []byte) []byte { return indented(b, "  ") }),
		one(BodyCompact, func(b []byte) []byte { return indented(b, "    ") }),
		one(BodyCompact, func(b []byte) []byte { return indented(b, "\t") }),
		one(BodyCompact, spaced),
		one(BodyEscapes, escaped),
		one(BodyEscapes, unescaped),
		one(BodyEscapes, func(b []byte) []byte { return htmlEscaped(b) }),
		one(BodyEscapes, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("/"), []byte(`\/`)) }),
		one(BodyEscapes, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`\/`), []byte("/")) }),
		one(BodyEscapes, func(b []byte) []byte { return escaped(bytes.ReplaceAll(b, []byte("/"), []byte(`\/`))) }),
		one(BodyForm, formOf),
		one(BodyJSON, payloadOf),
		one(BodyJSON, objectOf),
		one(BodyJSON, func(b []byte) []byte { return spaced(objectOf(b)) }),
	}
}

func withCR(b []byte) []byte {
	if bytes.Contains(b, []byte("\r\n")) {
		return nil
	}
	return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
}

// The name of a cause says what happened; the func undoes it: a body that was
// made pretty on the way was compact when it was signed.

func compact(b []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return nil
	}
	return out.Bytes()
}

func indented(b []byte, with string) []byte {
	out, _ := capture.Indent(b, with, 8*maxRewritten)
	return out
}

// spaced is JSON on one line with a space after colons and commas, as Python writes it.
func spaced(b []byte) []byte {
	flat := compact(b)
	if len(flat) == 0 {
		return nil
	}
	var out []byte
	inside := false
	for i := 0; i < len(flat); i++ {
		c := flat[i]
		out = append(out, c)
		switch {
		case inside && c == '\\' && i+1 < len(flat):
			i++
			out = append(out, flat[i])
		case c == '"':
			inside = !inside
		case !inside && (c == ',' || c == ':'):
			out = append(out, ' ')
		}
	}
	return out
}

// escaped writes every letter outside ASCII as \u and four digits.
func escaped(b []byte) []byte {
	if !json.Valid(b) {
		return nil
	}
	const digits = "0123456789abcdef"
	var out []byte
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r < utf8.RuneSelf {
			out = append(out, b[0])
			b = b[1:]
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			out = append(out, '\\', 'u', digits[u>>12], digits[u>>8&15], digits[u>>4&15], digits[u&15])
		}
		b = b[n:]
	}
	return out
}

// unescaped writes letters as they are, which is what encoders other than the sender's do.
func unescaped(b []byte) []byte {
	if !json.Valid(b) || !bytes.Contains(b, []byte(`\u`)) {
		return nil
	}
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 >= len(b) {
			out = append(out, b[i])
			continue
		}
		if b[i+1] != 'u' {
			out = append(out, b[i], b[i+1])
			i++
			continue
		}
		n := 6
		if i+12 <= len(b) && b[i+6] == '\\' && b[i+7] == 'u' && (b[i+2]|0x20) == 'd' && b[i+3] >= '8' {
			n = 12 // a pair
		}
		var s string
		if i+n > len(b) || json.Unmarshal([]byte(`"`+string(b[i:i+n])+`"`), &s) != nil {
			return nil
		}
		if s < " " || s == `"` || s == `\` {
			s = string(b[i : i+n])
		}
		out = append(out, s...)
		i += n - 1
	}
	return out
}

func htmlEscaped(b []byte) []byte {
	var out bytes.Buffer
	json.HTMLEscape(&out, b)
	return out.Bytes()
}

// formOf writes the members of a flat JSON object as a form.
func formOf(b []byte) []byte {
	var flat map[string]any
	if json.Unmarshal(b, &flat) != nil {
		return nil
	}
	v := url.Values{}
	for name, value := range flat {
		s, ok := value.(string)
		if !ok {
			return append([]byte("payload="), url.QueryEscape(string(b))...)
		}
		v.Set(name, s)
	}
	return []byte(v.Encode())
}

// payloadOf takes the JSON out of a form.
func payloadOf(b []byte) []byte {
	v, err := url.ParseQuery(string(b))
	if err != nil || v.Get("payload") == "" {
		return nil
	}
	return []byte(v.Get("payload"))
}

// objectOf writes the fields of a form as a JSON object, in their order.
func objectOf(b []byte) []byte {
	if json.Valid(b) || !bytes.Contains(b, []byte("=")) {
		return nil
	}
	out := []byte("{")
	for pair := range strings.SplitSeq(string(b), "&") {
		name, value, _ := strings.Cut(pair, "=")
		for i, text := range []string{name, value} {
			plain, err := url.QueryUnescape(text)
			quoted, bad := json.Marshal(plain)
			if err != nil || bad != nil {
				return nil
			}
			out = append(append(out, quoted...), ":,"[i])
		}
	}
	out[len(out)-1] = '}'
	return out
}

// testMode reports whether a body says that it is of a sandbox.
func testMode(b []byte) bool {
	var doc struct {
		Livemode *bool  `json:"livemode"`
		Live     string `json:"live"`
		Mode     string `json:"mode"`
	}
	if len(b) > maxRewritten || json.Unmarshal(b, &doc) != nil {
		return false
	}
	return doc.Livemode != nil && !*doc.Livemode || doc.Live == "false" || slices.Contains([]string{"test", "sandbox"}, strings.ToLower(doc.Mode))
}
