package supervise

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	maxOutput = 64 << 10 // bytes of output that are kept
	maxLine   = 4 << 10  // bytes of a line that Print is told at once
)

// A tail keeps the end of what is written.
type tail struct {
	mu    sync.Mutex
	kept  []byte // at most twice maxOutput
	total int64  // written so far
}

func (t *tail) write(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	t.total += int64(len(p))
	if len(t.kept) > 2*maxOutput {
		t.kept = append([]byte(nil), t.kept[len(t.kept)-maxOutput:]...)
	}
}

func (t *tail) written() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}

// since returns what was written from a place on, as far as it is kept; if its
// beginning is not, from a line on.
func (t *tail) since(from int64) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.total - from
	if n <= int64(min(len(t.kept), maxOutput)) {
		return bytes.Clone(t.kept[len(t.kept)-int(n):])
	}
	kept := t.kept[max(0, len(t.kept)-maxOutput):]
	if i := bytes.IndexByte(kept, '\n'); i >= 0 {
		kept = kept[i+1:]
	}
	return bytes.Clone(kept)
}

// Printable is what a terminal would show in the end, as plain text: escape
// sequences (ECMA-48) and other control characters are left out, characters
// that turn the direction of text, too; of a line that was written over and
// over, the last; bytes that are no UTF-8 become U+FFFD.
func Printable(b []byte) string {
	var out strings.Builder
	line := 0 // where the line begins in out
	for len(b) > 0 {
		if b[0] == 0x1b {
			b = b[escape(b):]
			continue
		}
		r, n := utf8.DecodeRune(b)
		b = b[n:]
		switch {
		case r == '\r':
			if len(b) > 0 && b[0] != '\n' && b[0] != '\r' {
				kept := out.String()[:line]
				out.Reset()
				out.WriteString(kept)
			}
		case r == '\n':
			out.WriteByte('\n')
			line = out.Len()
		case r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r):
			out.WriteRune(r)
		}
	}
	return out.String()
}

// escape is the length of the escape sequence that b begins with; one that is
// not complete is left out as far as it goes.
func escape(b []byte) int {
	if len(b) < 2 {
		return 1
	}
	switch b[1] {
	case '[': // CSI: parameters and intermediates, and a final byte
		for i := 2; i < len(b); i++ {
			if b[i] < 0x20 || b[i] > 0x3f {
				return i + final(b[i])
			}
		}
		return len(b)
	case ']', 'P', 'X', '^', '_': // strings: until BEL or ST, on one line
		for i := 2; i < len(b); i++ {
			switch {
			case b[i] == 0x07:
				return i + 1
			case b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\':
				return i + 2
			case b[i] == '\n' || b[i] == 0x1b:
				return i
			}
		}
		return len(b)
	}
	i := 1
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x2f {
		i++
	}
	if i < len(b) {
		i += final(b[i])
	}
	return i
}

// final is 1 for a byte that ends an escape sequence, and 0 for one that is
// no part of it.
func final(c byte) int {
	if c >= 0x30 && c <= 0x7e {
		return 1
	}
	return 0
}

// lastLines are the last lines of s, n of them and that many bytes at most.
func lastLines(s string, n, size int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	s = strings.Join(lines[max(0, len(lines)-n):], "\n")
	if len(s) > size {
		s = "…" + strings.ToValidUTF8(s[len(s)-size:], "")
	}
	return s
}
