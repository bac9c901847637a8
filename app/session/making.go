package session

import (
	"context"
	"errors"
	"fmt"

	"anyhook.net/desktop/capture"
)

// The bounds of what is made here.
const (
	maxMade     = 1000 // requests in one go
	maxMadeHead = 1 << 20
	maxMadeNote = 1000 // bytes
)

// Make stores requests that were made here from captured ones: each says From
// which. They get new IDs, which are returned in their order, and the time of
// now; they arrive nowhere, so nothing forwards them by itself. None is stored
// if one cannot be. A signature that one carries is not judged.
func (s *Session) Make(ctx context.Context, rs []*capture.Request) ([]capture.ID, error) {
	if len(rs) > maxMade {
		return nil, fmt.Errorf("%d requests are too many to make in one go: at most %d", len(rs), maxMade)
	}
	made := make([]*capture.Request, 0, len(rs))
	for i, r := range rs {
		c, err := s.madeOf(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("make request %d of %d: %w", i+1, len(rs), err)
		}
		made = append(made, c)
	}
	ids := make([]capture.ID, 0, len(made))
	for i, c := range made {
		if err := s.log.Append(ctx, c); err != nil {
			return ids, fmt.Errorf("make request %d of %d: %w", i+1, len(made), err)
		}
		ids = append(ids, c.ID)
	}
	return ids, s.untilRead(ctx)
}

// madeOf is r as it is stored.
func (s *Session) madeOf(ctx context.Context, r *capture.Request) (*capture.Request, error) {
	switch method, target, _ := r.Head.Line(); {
	case r.From == "":
		return nil, errors.New("it does not say from which request it was made")
	case method == "" || target == "" || r.URL == "":
		return nil, errors.New("it is not readable as an HTTP request")
	case int64(len(r.Body)) > s.cfg.MaxBody:
		return nil, fmt.Errorf("the body of %d bytes is over the limit of %d", len(r.Body), s.cfg.MaxBody)
	case len(r.Head) > maxMadeHead:
		return nil, fmt.Errorf("the headers of %d bytes are over the limit of %d", len(r.Head), maxMadeHead)
	case len(r.Note) > maxMadeNote:
		return nil, fmt.Errorf("the note of %d bytes is over the limit of %d", len(r.Note), maxMadeNote)
	}
	from, err := s.log.Get(ctx, r.From)
	if err != nil {
		return nil, fmt.Errorf("it was made from %s: %w", r.From, err)
	}
	c := r.Clone()
	c.Seq, c.ID, c.Kind, c.At, c.Peer, c.Events, c.Answered = 0, newID(), capture.Made, s.now().UTC(), "", nil, 0
	c.Header = c.Head.Header()
	c.Method, _, _ = c.Head.Line()
	if c.Endpoint == "" {
		c.Endpoint = s.endpointOf(from).Name
	}
	c.Signature = capture.Signature{Status: capture.Unchecked, Why: capture.WhyMade, Detail: string(from.Signature.Worth())}
	return c, nil
}

// MadeFrom returns the places of the first requests, at most limit, that were
// made from the one with the id, oldest first.
func (a *Archive) MadeFrom(ctx context.Context, id capture.ID, limit int) ([]capture.Seq, error) {
	return a.log.MadeFrom(ctx, id, limit)
}
