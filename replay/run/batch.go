package run

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// A batchKey tells batches apart: what they are made of.
type batchKey [sha256.Size]byte

func keyOf(s replay.Send) (batchKey, error) {
	text, err := json.Marshal(replay.Send{Request: s.Request, Items: s.Items})
	return sha256.Sum256(text), err
}

// fetch returns what a send sends, or says why it cannot be sent. The same
// batch is made once.
func (w *walk) fetch(ctx context.Context, s replay.Send, load func(capture.ID) (*capture.Request, error)) (r *capture.Request, why string, err error) {
	if len(s.Items) == 0 {
		r, err = load(s.Request)
		return r, cannot(r), err
	}
	key, err := keyOf(s)
	if err != nil {
		return nil, "", err
	}
	if id, ok := w.made[key]; ok {
		r, err = load(id)
		return r, cannot(r), err
	}
	r, why, err = w.batch(s, load)
	if err != nil || why != "" {
		return nil, why, err
	}
	if r, err = w.Make(ctx, r); err != nil {
		return nil, "", fmt.Errorf("store a batch: %w", err)
	}
	w.made[key] = r.ID
	return r, "", nil
}

func cannot(r *capture.Request) string {
	switch {
	case r == nil:
		return "the request is gone"
	case r.Kind != "" && !r.Kind.Replayable():
		return "it is no delivery"
	}
	return ""
}

// batch puts the parts together, or says why that is not possible.
func (w *walk) batch(s replay.Send, load func(capture.ID) (*capture.Request, error)) (*capture.Request, string, error) {
	base, err := load(s.Request)
	if why := cannot(base); err != nil || why != "" {
		return nil, why, err
	}
	p, ok := w.Provider(base)
	if !ok || p.Batch == nil || p.Join == nil {
		return nil, "its sender puts one event in a request: there are no batches", nil
	}
	var parts [][]byte
	split := map[capture.ID][][]byte{}
	for _, item := range s.Items {
		all, ok := split[item.Request]
		if !ok {
			r, err := load(item.Request)
			if why := cannot(r); err != nil || why != "" {
				return nil, why, err
			}
			if of, known := w.Provider(r); !known || of.Name != p.Name {
				return nil, "a batch has events of one provider", nil
			}
			if all, err = p.Batch(r); err != nil {
				return nil, "its events cannot be told apart: " + err.Error(), nil //nolint:nilerr // told
			}
			split[item.Request] = all
		}
		switch {
		case item.N == 0:
			parts = append(parts, all...)
		case item.N <= len(all):
			parts = append(parts, all[item.N-1])
		default:
			return nil, fmt.Sprintf("it has no event %d", item.N), nil
		}
	}
	r := base.Clone()
	if err := p.Join(r, parts); err != nil {
		return nil, "its events cannot be put together: " + err.Error(), nil //nolint:nilerr // told
	}
	if r.Header.Get("Content-Length") != "" {
		r.SetHeader("Content-Length", strconv.Itoa(len(r.Body)))
	}
	r.Kind, r.From, r.Note = capture.Made, base.ID, fmt.Sprintf("a batch of %d events", len(parts))
	return r, "", nil
}
