// Package ledger makes what was captured tamper-evident. It is pure: values
// in, values out; keeping is the business of capture/store.
//
// # The leaf of a request
//
// Every request has a leaf hash, made from its evidence alone. Our reading of
// a request (provider, signature, events) is not in it, because a later
// version may read better; nor is its place in the log, which the tree over
// the leaves gives.
//
// The leaf hash is that of RFC 6962, section 2.1: SHA-256 of one zero byte
// followed by the record. The record is, in this order:
//
//	the text "anyhook leaf 1\n", which names this format
//	ID
//	Kind
//	Endpoint
//	At: nanoseconds since 1970 UTC, eight bytes, big-endian two's complement
//	Peer
//	URL
//	Head
//	Body
//	Note
//
// What was made here from another request has a record of its own format: the
// text "anyhook leaf 2\n", the same fields, and behind them
//
//	From
//
// It is for a request whose From is not empty, and the other for all that
// arrived.
//
// where each field is its length in bytes (eight bytes, big-endian) and then
// its bytes as they are. The lengths keep the borders of the fields: no two
// different requests have one record. The format is for ever: a change gets
// another number, and old leaves stay as they are.
package ledger

import (
	"encoding/binary"

	"golang.org/x/mod/sumdb/tlog"

	"anyhook.net/desktop/capture"
)

const (
	format     = "anyhook leaf 1\n"
	formatMade = "anyhook leaf 2\n"
)

// Leaf returns the leaf hash of r's evidence.
func Leaf(r *capture.Request) [32]byte {
	return tlog.RecordHash(record(r))
}

// record is the evidence of r in the form of the package comment.
func record(r *capture.Request) []byte {
	const lengths = 10 * 8
	size := len(format) + lengths + len(r.ID) + len(r.Kind) + len(r.Endpoint) + 8 +
		len(r.Peer) + len(r.URL) + len(r.Head) + len(r.Body) + len(r.Note) + len(r.From)
	b := append(make([]byte, 0, size), format...)
	if r.From != "" {
		b = append(b[:0], formatMade...)
	}
	b = field(b, string(r.ID))
	b = field(b, string(r.Kind))
	b = field(b, r.Endpoint)
	b = binary.BigEndian.AppendUint64(b, 8)
	b = binary.BigEndian.AppendUint64(b, uint64(r.At.UnixNano())) // in two's complement
	b = field(b, r.Peer)
	b = field(b, r.URL)
	b = field(b, r.Head)
	b = field(b, r.Body)
	b = field(b, r.Note)
	if r.From == "" {
		return b
	}
	return field(b, string(r.From))
}

func field[T string | []byte | capture.Head](b []byte, v T) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(len(v)))
	return append(b, v...)
}
