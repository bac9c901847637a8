package capture

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// A Router knows the endpoints, and how many fixed answers each has still to
// give. It may be used by several goroutines; the zero Router has no endpoints.
type Router struct {
	mu        sync.RWMutex
	endpoints []Endpoint     // the longest path first
	left      map[string]int // of Fixed.Times, by name
}

// Set replaces the endpoints. Where neither Reply nor Fixed changed, the count
// of fixed answers goes on; otherwise it begins anew.
func (r *Router) Set(all []Endpoint) {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b Endpoint) int { return len(cleaned(b.Path)) - len(cleaned(a.Path)) })
	left := map[string]int{}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range sorted {
		left[e.Name] = e.Fixed.Times
		if old, ok := r.byName(e.Name); ok && old.Reply == e.Reply && old.Fixed == e.Fixed {
			left[e.Name] = r.left[e.Name]
		}
	}
	r.endpoints, r.left = sorted, left
}

// Route returns the endpoint whose path is the longest that contains p, by
// whole segments, when doubled slashes and dots are taken out of both. Where
// there is none it is the zero Endpoint, which acknowledges and forwards nothing.
func (r *Router) Route(p string) Endpoint {
	p = cleaned(p)
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, e := range r.endpoints {
		at := cleaned(e.Path)
		if rest, ok := strings.CutPrefix(p, at); ok && (rest == "" || rest[0] == '/' || at == "/") {
			return e
		}
	}
	return Endpoint{}
}

func cleaned(p string) string { return path.Clean("/" + p) }

// ByName returns the endpoint with the name.
func (r *Router) ByName(name string) (Endpoint, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byName(name)
}

func (r *Router) byName(name string) (Endpoint, bool) {
	i := slices.IndexFunc(r.endpoints, func(e Endpoint) bool { return e.Name == name })
	if i < 0 {
		return Endpoint{}, false
	}
	return r.endpoints[i], true
}

// NextFixed returns the fixed answer for the next request of an endpoint, and
// counts it. ok is false if the endpoint has none, or has given all.
func (r *Router) NextFixed(name string) (f Fixed, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.byName(name)
	if !ok || e.Reply != FixedReply {
		return Fixed{}, false
	}
	if e.Fixed.Times > 0 {
		if r.left[name] == 0 {
			return Fixed{}, false
		}
		r.left[name]--
	}
	return e.Fixed, true
}

// putBack undoes NextFixed: the sender never got the answer.
func (r *Router) putBack(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.byName(name); ok && r.left[name] < e.Fixed.Times {
		r.left[name]++
	}
}

// Left returns how many fixed answers an endpoint with Fixed.Times has still to give.
func (r *Router) Left(name string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if e, ok := r.byName(name); !ok || e.Reply != FixedReply {
		return 0
	}
	return r.left[name]
}

// Rearm lets an endpoint give all its fixed answers again.
func (r *Router) Rearm(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.byName(name); ok {
		r.left[name] = e.Fixed.Times
	}
}
