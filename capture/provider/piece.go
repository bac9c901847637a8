package provider

import (
	"crypto/sha1" //nolint:gosec // some senders sign with nothing better
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// A piece is a part of what is signed.
type piece struct {
	kind pieceKind
	text string // of a literal, or the name of a header
}

type pieceKind uint8

const (
	literalPiece pieceKind = iota
	headerPiece
	bodyPiece
	timePiece
	methodPiece
	urlPiece
	formPiece
)

var (
	theBody   = piece{kind: bodyPiece}
	theTime   = piece{kind: timePiece} // as it was written
	theMethod = piece{kind: methodPiece}
	theURL    = piece{kind: urlPiece}  // as the sender has it on file
	theForm   = piece{kind: formPiece} // names and values of the body, sorted
)

func literal(s string) piece     { return piece{literalPiece, s} }
func headerOf(name string) piece { return piece{headerPiece, name} }

// bytes is what stands for the piece in a request that was signed at stamp for the address u.
func (p piece) bytes(r *capture.Request, stamp, u string) []byte {
	switch p.kind {
	case headerPiece:
		return []byte(r.Header.Get(p.text))
	case bodyPiece:
		return r.Body
	case timePiece:
		return []byte(stamp)
	case methodPiece:
		return []byte(r.Method)
	case urlPiece:
		return []byte(u)
	case formPiece:
		return sortedForm(r.Body)
	case literalPiece:
	}
	return []byte(p.text)
}

// String writes the piece for people.
func (p piece) String() string {
	switch p.kind {
	case bodyPiece:
		return "body"
	case timePiece:
		return "time"
	case methodPiece:
		return "method"
	case urlPiece:
		return "url"
	case formPiece:
		return "sorted form"
	case literalPiece, headerPiece:
	}
	return p.text
}

// prose writes pieces for people: "time.body", "url, body".
func prose(pieces []piece) string {
	var b strings.Builder
	for i, p := range pieces {
		if i > 0 && p.kind != literalPiece && pieces[i-1].kind != literalPiece {
			b.WriteString(", ")
		}
		b.WriteString(strings.ReplaceAll(p.String(), "\n", `\n`))
	}
	return b.String()
}

// An algorithm is a hash function and its name.
type algorithm struct {
	name string
	new  func() hash.Hash
}

var (
	usingSHA1   = algorithm{"SHA1", sha1.New}
	usingSHA256 = algorithm{"SHA256", sha256.New}
	usingSHA512 = algorithm{"SHA512", sha512.New}
)

// A stamp is where a scheme has the time of signing. The zero stamp is none.
type stamp struct {
	header string // "" when it is not in a header of its own
	place  string // in the body, which is signed; "" when it is written beside the signature
	unit   timeUnit
	window time.Duration // how old it may be; 0 when the sender names no limit
	both   bool          // the provider's own library refuses the future, too
}

// in returns where the body has the time.
func (s stamp) in(r *capture.Request) value { return source{r: r, doc: r.Body}.value(s.place) }

// rewrite returns the body with another text or number where it has v, which
// is a part of it, and every other byte as it is.
func rewrite(body []byte, v value, text string) []byte {
	if len(v) == 0 {
		return body
	}
	if v.kind() == '"' {
		text = strconv.Quote(text)
	}
	start := cap(body) - cap(v)
	return slices.Concat(body[:start], []byte(text), body[start+len(v):])
}

func (s stamp) none() bool { return s.unit.read == nil }

// A timeUnit is how a time is written.
type timeUnit struct {
	step  time.Duration
	read  func(string) (time.Time, bool)
	write func(time.Time) string
}

var (
	inSeconds = unixUnit(time.Second)
	inMillis  = unixUnit(time.Millisecond)
	inISO     = timeUnit{
		step:  time.Second,
		read:  readISO,
		write: func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") },
	}
)

func readISO(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	y := t.UTC().Year()
	return t.UTC(), err == nil && y >= 1 && y <= 9999
}
