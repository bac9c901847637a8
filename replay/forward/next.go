package forward

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"anyhook.net/desktop/capture"
)

// lookAhead is how far a parallel lane looks for an object that nobody works on.
const lookAhead = 128

// next takes the item that is next out of line, with its request; nil if none can go now.
func (l *lane) next(ctx context.Context, ep capture.Endpoint) (item, *capture.Request, error) {
	now := state{down: l.down != nil, strict: ep.Strict}
	parallel := limit(ep) > 1
	busy := l.busy()
	var passed []item // over, because their objects are worked on
	defer func() {
		for _, it := range passed {
			l.line.back(it)
		}
	}()
	for len(passed) < lookAhead {
		it, ok := l.line.pop(now)
		if !ok {
			return item{}, nil, nil
		}
		if parallel && it.read && overlaps(it.objects, busy) {
			passed, busy = append(passed, it), append(busy, it.objects...)
			continue
		}
		r, err := l.f.Request(ctx, it.id)
		switch {
		case err != nil:
			return item{}, nil, fmt.Errorf("load %s: %w", it.id, err)
		case r == nil:
			if err := l.keep(ctx, it); err != nil {
				return item{}, nil, err
			}
			continue
		case parallel && !it.read:
			it.objects, it.read = objects(r), true
			if overlaps(it.objects, busy) {
				passed, busy = append(passed, it), append(busy, it.objects...)
				continue
			}
		}
		return it, r, nil
	}
	return item{}, nil, nil
}

// busy are the objects of the attempts under way.
func (l *lane) busy() []string {
	var out []string
	for _, it := range l.flying {
		out = append(out, it.objects...)
	}
	return out
}

func overlaps(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// objects are those of r's events. The strings are copies: they must not hold r's body.
func objects(r *capture.Request) []string {
	var out []string
	for _, e := range r.Events {
		if e.Object != "" && !slices.Contains(out, e.Object) {
			out = append(out, strings.Clone(e.Object))
		}
	}
	return out
}
