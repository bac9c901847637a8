package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"

	"anyhook.net/desktop/capture"
)

// block is how many requests are searched at a time: forwards, so that the
// disk reads ahead, and few, so that no read lasts long.
const block = 2000

// blockBytes ends a read over large bodies; the next goes on behind it.
const blockBytes = 8 << 20

// search is match with a Text. There is no index for it: one would cost every
// request several times its whole storing, and would not find the two letters
// of a Chinese word.
func (l *Log) search(ctx context.Context, f Filter, from, to capture.Seq) ([]capture.Seq, error) {
	w, _ := conditions(f)
	w.request = true // for the URL
	n := newNeedle(f.Text)
	var found []capture.Seq
	for ; from <= to; from += block {
		seqs, err := l.searchBlock(ctx, w, n, [2]capture.Seq{from, min(to, from+block-1)})
		if err != nil {
			return nil, err
		}
		found = append(found, seqs...)
	}
	return found, nil
}

func (l *Log) searchBlock(ctx context.Context, w where, n *needle, span [2]capture.Seq) ([]capture.Seq, error) {
	query, args := w.over(span[0], span[1], `request.url`)
	found := map[capture.Seq]bool{} // the candidates, and whether they have it
	err := l.scan(ctx, query, args, func(seq capture.Seq, cols []sql.RawBytes) bool {
		found[seq] = n.in(cols[0])
		return true
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	err = l.scan(ctx, `SELECT seq, type, key, object FROM event WHERE seq >= ? AND seq <= ?`, []any{int64(span[0]), int64(span[1])},
		func(seq capture.Seq, cols []sql.RawBytes) bool {
			if has, candidate := found[seq]; candidate && !has {
				found[seq] = slices.ContainsFunc(cols, func(c sql.RawBytes) bool { return n.in(c) })
			}
			return true
		})
	if err != nil {
		return nil, err
	}
	if err := l.searchPayloads(ctx, n, found); err != nil {
		return nil, err
	}
	var seqs []capture.Seq
	for seq, has := range found {
		if has {
			seqs = append(seqs, seq)
		}
	}
	slices.Sort(seqs)
	return seqs, nil
}

// searchPayloads looks into head and body of those that are not found yet.
func (l *Log) searchPayloads(ctx context.Context, n *needle, found map[capture.Seq]bool) error {
	var left []capture.Seq
	for seq, has := range found {
		if !has {
			left = append(left, seq)
		}
	}
	slices.Sort(left)
	for len(left) > 0 {
		list, err := json.Marshal(left)
		if err != nil {
			return err
		}
		done, size := 0, 0
		err = l.scan(ctx, `SELECT p.seq, p.head, p.body FROM json_each(?) j CROSS JOIN payload p ON p.seq = j.value`, []any{string(list)},
			func(seq capture.Seq, cols []sql.RawBytes) bool {
				found[seq] = n.in(cols[0]) || n.in(cols[1])
				done++
				size += len(cols[1])
				return size < blockBytes
			})
		if err != nil {
			return err
		}
		if done == 0 {
			return nil
		}
		left = left[done:]
	}
	return nil
}

// scan calls do with the first column, a Seq, and up to three others of each
// row, until do returns false.
func (l *Log) scan(ctx context.Context, query string, args []any, do func(capture.Seq, []sql.RawBytes) bool) (err error) {
	rows, err := l.db.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	var seq capture.Seq
	cols := make([]sql.RawBytes, len(names)-1)
	into := []any{&seq}
	for i := range cols {
		into = append(into, &cols[i])
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if !do(seq, cols) {
			break
		}
	}
	return rows.Err()
}

// A needle is a text to look for, in which A to Z match a to z.
type needle struct {
	text    []byte // in lower case
	letters bool   // there is a letter in it
	window  []byte
}

const window = 64 << 10

func newNeedle(text string) *needle {
	n := &needle{text: []byte(text)}
	lower(n.text, n.text)
	n.letters = bytes.ContainsFunc(n.text, func(r rune) bool { return r >= 'a' && r <= 'z' })
	n.window = make([]byte, max(window, 2*len(text)))
	return n
}

// in reports whether hay has the needle.
func (n *needle) in(hay []byte) bool {
	if !n.letters {
		return bytes.Contains(hay, n.text)
	}
	for len(hay) >= len(n.text) {
		some := n.window[:min(len(hay), len(n.window))]
		lower(some, hay)
		if bytes.Contains(some, n.text) {
			return true
		}
		if len(some) == len(hay) {
			return false
		}
		hay = hay[len(some)-len(n.text)+1:]
	}
	return false
}

// lower fills to from from, with A to Z made a to z, eight bytes at a time.
func lower(to, from []byte) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(to); i += 8 {
		x := binary.LittleEndian.Uint64(from[i:])
		low := x &^ tops
		fromA := low + (0x80-'A')*ones  // top bit: at least A
		aboveZ := low + (0x7f-'Z')*ones // top bit: above Z
		upper := (fromA ^ aboveZ) & ^x & tops
		binary.LittleEndian.PutUint64(to[i:], x|upper>>2)
	}
	for ; i < len(to); i++ {
		c := from[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		to[i] = c
	}
}
