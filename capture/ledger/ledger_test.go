package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func sample() *capture.Request {
	return &capture.Request{
		Seq: 7, ID: "req_1", Kind: capture.Delivery, Endpoint: "stripe",
		At: time.Unix(1_700_000_000, 123_456_789).UTC(), Peer: "192.0.2.1",
		URL:  "https://example.com/stripe?a=b",
		Head: capture.Head("POST /stripe?a=b HTTP/1.1\r\nHost: example.com\r\n\r\n"),
		Body: []byte(`{"id":"evt_1"}`), Note: "note",
		Header: http.Header{"Host": {"example.com"}}, Method: "POST", Provider: "stripe",
		Signature: capture.Signature{Status: capture.Valid},
		Events:    []capture.Event{{Type: "a"}}, Answered: 200,
	}
}

// flips change one field of the evidence each.
var flips = map[string]func(*capture.Request){
	"ID":       func(r *capture.Request) { r.ID = "req_2" },
	"Kind":     func(r *capture.Request) { r.Kind = capture.Other },
	"Endpoint": func(r *capture.Request) { r.Endpoint = "strip" },
	"At":       func(r *capture.Request) { r.At = r.At.Add(1) },
	"Peer":     func(r *capture.Request) { r.Peer = "" },
	"URL":      func(r *capture.Request) { r.URL += "#" },
	"Head":     func(r *capture.Request) { r.Head[0] ^= 0x20 },
	"Body":     func(r *capture.Request) { r.Body[3] ^= 1 },
	"Note":     func(r *capture.Request) { r.Note += "\x00" },
	"From":     func(r *capture.Request) { r.From = "req_0" },
}

// readings are the fields that a leaf does not speak of.
var readings = []string{"Seq", "Header", "Method", "Provider", "Signature", "Events", "Answered"}

func TestEveryFieldOfTheEvidenceChangesTheLeaf(t *testing.T) {
	t.Parallel()
	seen := map[[32]byte]string{Leaf(sample()): "unchanged"}
	for name, flip := range flips {
		r := sample()
		flip(r)
		leaf := Leaf(r)
		require.Empty(t, seen[leaf], "%s does not show in the leaf", name)
		seen[leaf] = name
	}
}

func TestEveryFieldOfARequestIsEvidenceOrReading(t *testing.T) {
	t.Parallel()
	var names []string
	for f := range reflect.TypeFor[capture.Request]().Fields() {
		names = append(names, f.Name)
		_, evidence := flips[f.Name]
		require.NotEqual(t, evidence, slices.Contains(readings, f.Name), "%s: decide whether it is in the leaf", f.Name)
	}
	require.Len(t, names, len(flips)+len(readings))
}

func TestTheReadingIsNotInTheLeaf(t *testing.T) {
	t.Parallel()
	r := sample()
	want := Leaf(r)
	r.Seq, r.Header, r.Method, r.Provider, r.Signature, r.Events, r.Answered = 0, nil, "", "", capture.Signature{}, nil, 0
	r.At = r.At.In(time.FixedZone("elsewhere", 3600)) // the same moment
	require.Equal(t, want, Leaf(r))
}

func TestEveryBitOfHeadAndBodyChangesTheLeaf(t *testing.T) {
	t.Parallel()
	want := Leaf(sample())
	for i := range 8 * len(sample().Body) {
		r := sample()
		r.Body[i/8] ^= 1 << (i % 8)
		require.NotEqual(t, want, Leaf(r))
	}
	for i := range 8 * len(sample().Head) {
		r := sample()
		r.Head[i/8] ^= 1 << (i % 8)
		require.NotEqual(t, want, Leaf(r))
	}
}

func TestBytesDoNotMoveBetweenFields(t *testing.T) {
	t.Parallel()
	a, b := sample(), sample()
	a.Peer, a.URL = "ab", "c"
	b.Peer, b.URL = "a", "bc"
	require.NotEqual(t, Leaf(a), Leaf(b))
	a, b = sample(), sample()
	a.Head, a.Body = capture.Head("xy"), []byte{}
	b.Head, b.Body = capture.Head("x"), []byte("y")
	require.NotEqual(t, Leaf(a), Leaf(b))
}

// The format is for ever, so it is written down here a second time.
func TestLeafIsWhatThePackageCommentSays(t *testing.T) {
	t.Parallel()
	r := sample()
	r.At = time.Unix(0, -5)
	b := []byte("\x00anyhook leaf 1\n")
	for _, f := range []string{
		"req_1", "delivery", "stripe", "\xff\xff\xff\xff\xff\xff\xff\xfb", "192.0.2.1",
		r.URL, string(r.Head), string(r.Body), "note",
	} {
		b = append(binary.BigEndian.AppendUint64(b, uint64(len(f))), f...)
	}
	require.Equal(t, sha256.Sum256(b), Leaf(r))
}

func TestWhatWasMadeHereSaysFromWhatInARecordOfItsOwn(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Kind, r.From = capture.Made, "req_0"
	b := []byte("\x00anyhook leaf 2\n")
	for _, f := range []string{
		"req_1", "made", "stripe", string(binary.BigEndian.AppendUint64(nil, uint64(r.At.UnixNano()))), "192.0.2.1",
		r.URL, string(r.Head), string(r.Body), "note", "req_0",
	} {
		b = append(binary.BigEndian.AppendUint64(b, uint64(len(f))), f...)
	}
	require.Equal(t, sha256.Sum256(b), Leaf(r))
}

func TestAnOldLeafIsStillTheSame(t *testing.T) {
	t.Parallel()
	leaf := Leaf(sample())
	require.Equal(t, "4fbdc188acbfffeb420ddec18d59bb0b2db44db7a5684ccfa6a1e98f550b1752", hex.EncodeToString(leaf[:]))
}

func TestAnEmptyBodyIsNoBody(t *testing.T) {
	t.Parallel()
	a, b := sample(), sample()
	a.Body, b.Body = nil, []byte{}
	require.Equal(t, Leaf(a), Leaf(b), "the store makes nil an empty body")
}
