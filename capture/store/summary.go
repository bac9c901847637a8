package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"anyhook.net/desktop/capture"
)

// perQuery is how many rows are asked for at a time.
const perQuery = 500

// Summaries returns what a list shows of the requests that exist, in the order asked for.
func (l *Log) Summaries(ctx context.Context, seqs []capture.Seq) ([]capture.Summary, error) {
	out := make([]capture.Summary, 0, len(seqs))
	for some := range slices.Chunk(seqs, perQuery) {
		bySeq, err := l.summaries(ctx, some)
		if err != nil {
			return nil, fmt.Errorf("list requests: %w", fault(err))
		}
		for _, seq := range some {
			if s, ok := bySeq[seq]; ok {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

// Known returns what is known of the requests that exist, their bytes aside,
// in the order asked for: many at once take a small part of the time of Get.
func (l *Log) Known(ctx context.Context, seqs []capture.Seq) ([]*capture.Request, error) {
	out := make([]*capture.Request, 0, len(seqs))
	for some := range slices.Chunk(seqs, perQuery) {
		list, err := json.Marshal(some)
		if err != nil {
			return nil, err
		}
		rs, err := l.load(ctx, known, `request.seq IN (SELECT value FROM json_each(?))`, string(list))
		if err != nil {
			return nil, fmt.Errorf("list requests: %w", err)
		}
		bySeq := make(map[capture.Seq]*capture.Request, len(rs))
		for _, r := range rs {
			bySeq[r.Seq] = r
		}
		for _, seq := range some {
			if r, ok := bySeq[seq]; ok {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// MadeFrom returns the places of the first requests, at most limit, that were
// made from the one with the id, oldest first.
func (l *Log) MadeFrom(ctx context.Context, id capture.ID, limit int) ([]capture.Seq, error) {
	list, err := l.column(ctx, `SELECT seq FROM request INDEXED BY request_made_from
		WHERE made_from = ? AND made_from <> '' ORDER BY seq LIMIT ?`, string(id), limit)
	if err != nil {
		return nil, fmt.Errorf("made from %s: %w", id, fault(err))
	}
	return list, nil
}

func (l *Log) summaries(ctx context.Context, seqs []capture.Seq) (_ map[capture.Seq]capture.Summary, err error) {
	list, err := json.Marshal(seqs)
	if err != nil {
		return nil, err
	}
	rows, err := l.db.readers.QueryContext(ctx, `SELECT r.seq, r.id, r.kind, r.endpoint, r.at, r.method, r.url, r.note, r.made_from, r.body_size,
		d.provider, d.status, d.answered, d.read > 0, d.events, d.type, d.object, d.key, d.seen, d.late
		FROM json_each(?) j CROSS JOIN request r ON r.seq = j.value CROSS JOIN reading d ON d.seq = r.seq`, string(list))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out := make(map[capture.Seq]capture.Summary, len(seqs))
	for rows.Next() {
		var s capture.Summary
		var at int64
		if err := rows.Scan(&s.Seq, &s.ID, &s.Kind, &s.Endpoint, &at, &s.Method, &s.URL, &s.Note, &s.From, &s.BodySize,
			&s.Provider, &s.Signature, &s.Answered, &s.Read, &s.Events, &s.Type, &s.Object, &s.Key, &s.Seen, &s.Late); err != nil {
			return nil, err
		}
		s.At = time.Unix(0, at).UTC()
		out[s.Seq] = s
	}
	return out, rows.Err()
}
