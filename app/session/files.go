package session

import (
	"context"
	"fmt"
	"net/url"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/fixture"
)

// Export writes the requests below dir, which is there, and returns the names
// of what it wrote. format is "fixture" or "curl".
func (a *Archive) Export(ctx context.Context, dir, format string, redact bool, ids []capture.ID) ([]string, error) {
	requests := func(yield func(*capture.Request, error) bool) {
		for _, id := range ids {
			r, err := a.Request(ctx, id)
			if err != nil {
				err = fmt.Errorf("export %s: %w", id, err)
			}
			if !yield(r, err) {
				return
			}
		}
	}
	o := fixture.Options{Redact: redact}
	switch format {
	case "fixture":
		return fixture.Write(dir, requests, o)
	case "curl":
		return fixture.WriteCurl(dir, requests, o)
	}
	return nil, fmt.Errorf("there is no format %q: want fixture or curl", format)
}

// ReadFixtures reads the requests of fixture folders or files.
func ReadFixtures(paths []string) ([]*capture.Request, error) {
	var all []*capture.Request
	for _, p := range paths {
		rs, err := fixture.Read(p)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", p, err)
		}
		all = append(all, rs...)
	}
	return all, nil
}

// Import reads fixtures back and returns how many requests it added.
func (s *Session) Import(ctx context.Context, paths []string) (int, error) {
	requests, err := ReadFixtures(paths)
	if err != nil {
		return 0, err
	}
	return s.Add(ctx, requests)
}

// Add appends requests that did not arrive here. They get new ids, and are
// marked as imported; they are not forwarded by themselves. Their signature is
// judged as of the time when they did arrive.
func (s *Session) Add(ctx context.Context, requests []*capture.Request) (int, error) {
	for i, r := range requests {
		c := r.Clone()
		c.Seq, c.ID, c.Kind, c.From, c.Note, c.Events, c.Answered = 0, newID(), capture.Imported, "", "", nil, 0
		c.Header = c.Head.Header()
		c.Method, _, _ = c.Head.Line()
		ep := s.router.Route(pathOf(c.URL))
		c.Endpoint = ep.Name
		s.verify(c, ep)
		if err := s.log.Append(ctx, c); err != nil {
			return i, fmt.Errorf("import request %d of %d: %w", i+1, len(requests), err)
		}
	}
	return len(requests), s.untilRead(ctx)
}

// untilRead waits until the events of all that is stored are read.
func (s *Session) untilRead(ctx context.Context) error {
	for {
		changed := s.db.Bell.C()
		if s.log.ReadTo() >= s.log.Last() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pathOf is the path of a URL as the sender wrote it; "/" for none.
func pathOf(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Path == "" {
		return "/"
	}
	return u.Path
}
