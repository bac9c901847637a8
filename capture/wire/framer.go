package wire

import (
	"bytes"
	"slices"
)

// A state is what the next byte belongs to.
type state uint8

const (
	inHead    state = iota
	inBody          // data of a body with a length
	chunkSize       // a size line
	inChunk         // data of a chunk
	chunkEnd        // CRLF behind a chunk
	inTrailer       // trailer lines
	tooLong         // a head over the limit, and all behind it
	refused         // behind a head that net/http turns away
	lost            // a body whose end nobody knows, and all behind it
	given           // up
)

const (
	// maxChunkLine is what net/http takes for a size line, CRLF included.
	maxChunkLine = 4096
	// maxSpare is how much of the buffer is kept from one request to the next.
	maxSpare = 16 << 10
)

// A framer finds the heads in what comes on a connection, cut anywhere. It
// holds at most the heads that nobody took and what is left over: net/http
// reads no more than 4 KiB ahead.
type framer struct {
	state state
	raw   []byte // what came since the beginning of the oldest head not taken
	heads []span // the complete ones in raw, oldest first
	start int    // where the present head begins in raw
	lines int    // how many in raw are of heads, nearly
	line  int    // bytes of the present line of a head or a trailer
	size  []byte // the present size line
	body  uint64 // bytes to come of a body or a chunk
	skip  int    // how many CR and LF net/http still passes over before a head
}

type span struct{ from, to int }

func (f *framer) feed(p []byte) {
	for len(p) > 0 {
		n := len(p)
		switch f.state {
		case inHead:
			n = f.feedHead(p)
		case inBody, inChunk:
			n = f.feedData(p)
		case chunkSize:
			n = f.feedSize(p)
		case chunkEnd:
			n = f.feedChunkEnd(p)
		case inTrailer:
			n = f.feedTrailer(p)
		case tooLong, refused:
			f.keep(p)
		case lost, given:
			return
		}
		p = p[n:]
	}
}

// keep keeps what is behind a head that nobody has taken yet.
func (f *framer) keep(p []byte) {
	if room := maxStray - len(f.raw); room > 0 && len(f.heads) > 0 {
		f.raw = append(f.raw, p[:min(len(p), room)]...)
	}
}

func (f *framer) feedHead(p []byte) int {
	if f.skip > 0 && (p[0] == '\r' || p[0] == '\n') {
		f.skip--
		f.keep(p[:1])
		f.start = len(f.raw)
		return 1
	}
	f.skip = 0
	n, whole := len(p), false
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		n, whole = i+1, true
	}
	f.raw = append(f.raw, p[:n]...)
	f.line += n
	if whole {
		f.lines++
	}
	if len(f.raw) > maxHead+maxStray { // heads that nobody takes
		f.giveUp()
	} else if len(f.raw)-f.start > maxHead {
		f.state = tooLong
	} else if whole {
		empty := isEmpty(f.raw, f.line)
		f.line = 0
		if empty {
			f.endHead()
		}
	}
	return n
}

// isEmpty reports whether the last n bytes of b, which end in LF, are an empty line.
func isEmpty(b []byte, n int) bool {
	return n == 1 || n == 2 && b[len(b)-2] == '\r'
}

func (f *framer) endHead() {
	head := f.raw[f.start:]
	f.heads = append(f.heads, span{f.start, len(f.raw)})
	f.start = len(f.raw)
	fr := framingOf(head)
	f.state, f.body = fr.state, fr.length
	if bytes.HasPrefix(head, []byte("POST ")) {
		f.skip = 4 // for clients that end a body with CRLF; net/http looks at 4 bytes
	}
}

// begin is the end of a body: the next head begins.
func (f *framer) begin() {
	f.state, f.start, f.line = inHead, len(f.raw), 0
}

func (f *framer) feedData(p []byte) int {
	n := int(min(uint64(len(p)), f.body)) //nolint:gosec // not more than len(p)
	f.keep(p[:n])
	if f.body -= uint64(n); f.body > 0 {
		return n
	}
	if f.state == inBody {
		f.begin()
	} else {
		f.state = chunkEnd
	}
	return n
}

func (f *framer) feedSize(p []byte) int {
	n, whole := len(p), false
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		n, whole = i+1, true
	}
	f.keep(p[:n])
	f.size = append(f.size, p[:min(n, maxChunkLine+1)]...)
	if len(f.size) > maxChunkLine {
		f.state = lost
		return n
	}
	if !whole {
		return n
	}
	length, ok := chunkLength(f.size)
	f.size = f.size[:0]
	switch {
	case !ok:
		f.state = lost
	case length == 0:
		f.state, f.line = inTrailer, 0
	default:
		f.state, f.body = inChunk, length
	}
	return n
}

// feedChunkEnd takes one byte of CRLF; f.line is how many came before it.
func (f *framer) feedChunkEnd(p []byte) int {
	f.keep(p[:1])
	if p[0] != "\r\n"[f.line] {
		f.state = lost
	} else if f.line++; f.line == 2 {
		f.state, f.line = chunkSize, 0
	}
	return 1
}

// feedTrailer takes trailer lines up to the empty one. f.size holds what could be its CR.
func (f *framer) feedTrailer(p []byte) int {
	n, whole := len(p), false
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		n, whole = i+1, true
	}
	f.keep(p[:n])
	if f.line == 0 {
		f.size = append(f.size[:0], p[0])
	}
	f.line += n
	if !whole {
		return n
	}
	empty := f.line == 1 || f.line == 2 && f.size[0] == '\r'
	f.line, f.size = 0, f.size[:0]
	if empty {
		f.begin()
	}
	return n
}

// take returns the oldest head that was not taken, nil if there is none.
func (f *framer) take() []byte {
	if len(f.heads) == 0 {
		return nil
	}
	head := bytes.Clone(f.raw[f.heads[0].from:f.heads[0].to])
	f.heads = slices.Delete(f.heads, 0, 1)
	switch {
	case len(f.heads) > 0:
		f.drop(f.heads[0].from)
	case f.state == inHead || f.state == tooLong:
		f.drop(f.start)
	default:
		f.drop(len(f.raw))
		if f.state == refused { // net/http did not, so we know no more
			f.state = lost
		}
	}
	return head
}

// drop forgets the first n bytes of raw.
func (f *framer) drop(n int) {
	f.raw = slices.Delete(f.raw, 0, n)
	f.lines = bytes.Count(f.raw, []byte("\n"))
	f.start = max(f.start-n, 0)
	for i := range f.heads {
		f.heads[i].from -= n
		f.heads[i].to -= n
	}
	if len(f.raw) == 0 && cap(f.raw) > maxSpare {
		f.raw = nil
	}
}

// left returns what nobody took, and whether it begins with a whole head.
func (f *framer) left() (b []byte, whole bool) {
	return f.raw, len(f.heads) > 0
}

// giveUp keeps nothing from here on.
func (f *framer) giveUp() {
	*f = framer{state: given}
}
