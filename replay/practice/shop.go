// Package practice is a webhook handler to try things on: a small shop that
// does one piece of work, a charge, for each event, and keeps the newest state
// of each object. It takes whatever the providers send, by any path, and can be
// given one of the usual flaws, so that one can see what a replay, a duplicate
// or another order does to a handler.
//
// It keeps everything in memory, and only so much of it. It checks no
// signatures.
//
//	POST, PUT, PATCH  any path: a webhook; 200 when its work is done, or as the flaw has it
//	GET /             a page for people
//	GET /state        the same as JSON, for programs
//	DELETE /state     forgets everything
//
// A flaw is a row in [Flaws], and a case where the shop asks for it.
package practice

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A Flaw is something to be wrong with the shop.
type Flaw struct {
	Name string // "double-charge"; what New takes
	Text string // what it does, in English
}

// Flaws are all there are, "none" first.
var Flaws = []Flaw{
	{None, "charges once for each event, however often it comes, and keeps the newest state of each object"},
	{DoubleCharge, "charges again for every delivery: it does not remember what it has had"},
	{Race, "looks whether it knows an event, and notes it only after its work: two at once are both new to it"},
	{Order, "the last delivery wins: an old event that comes late brings the old state back"},
	{Slow, "does its work at once, and answers after 12 seconds: most providers give up before that, and send again"},
	{Fails, "answers 500 to every third request, and does nothing for it"},
	{RejectsDuplicates, "answers 409 to what it has had: the provider takes that for a failure, and sends again"},
}

// The flaws.
const (
	None              = "none"
	DoubleCharge      = "double-charge"
	Race              = "race"
	Order             = "order"
	Slow              = "slow"
	Fails             = "fails"
	RejectsDuplicates = "rejects-duplicates"
)

const (
	maxBody = 1 << 20 // bytes of a request that are read; a longer one is answered 413
	maxKept = 10_000  // keys, and objects, that are remembered; then the oldest go
	window  = 50 * time.Millisecond
	nap     = 12 * time.Second
)

// A Shop is the practice handler.
type Shop struct {
	flaw string

	mu         sync.Mutex
	requests   int
	duplicates int
	failed     int
	charges    kept[int]
	objects    kept[Object]
}

// An Object is what the shop knows of a thing that events tell of.
type Object struct {
	State   string    `json:"state"`
	Type    string    `json:"type"`        // of the event that said so
	At      time.Time `json:"at,omitzero"` // by the provider's clock
	Changes int       `json:"changes"`     // events that were taken
	rank    int64
}

// New returns a shop with the flaw of that name; "" is "none".
func New(flaw string) (*Shop, error) {
	flaw = cmp.Or(flaw, None)
	if !slices.ContainsFunc(Flaws, func(f Flaw) bool { return f.Name == flaw }) {
		return nil, fmt.Errorf("there is no flaw %q", flaw)
	}
	return &Shop{flaw: flaw}, nil
}

// ServeHTTP answers as the package comment says.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		s.webhook(w, r)
	case http.MethodGet, http.MethodHead:
		s.show(w, r)
	case http.MethodDelete:
		if r.URL.Path != "/state" {
			http.NotFound(w, r)
			return
		}
		s.Reset()
		w.WriteHeader(http.StatusNoContent)
	default:
		http.Error(w, "the shop takes webhooks by POST", http.StatusMethodNotAllowed)
	}
}

// Reset forgets everything.
func (s *Shop) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.duplicates, s.failed = 0, 0, 0
	s.charges, s.objects = kept[int]{}, kept[Object]{}
}

// Forget forgets the events of a webhook, as if they had never come.
func (s *Shop) Forget(h http.Header, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range read(h, body) {
		s.charges.drop(e.key)
	}
}

// Charges returns how often each event of a webhook was charged, by its key.
func (s *Shop) Charges(h http.Header, body []byte) map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	for _, e := range read(h, body) {
		out[e.key], _ = s.charges.get(e.key)
	}
	return out
}

// Charged returns how often an event was charged, by its key.
func (s *Shop) Charged(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := s.charges.get(key)
	return n
}

func (s *Shop) webhook(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the shop reads 1 MiB at most, and the whole of it", http.StatusRequestEntityTooLarge)
		return
	}
	n := s.count()
	if s.flaw == Fails && n%3 == 0 {
		s.fail()
		http.Error(w, "every third request fails here", http.StatusInternalServerError)
		return
	}
	events := read(r.Header, body)
	duplicates := s.take(events)
	if s.flaw == Slow && !sleep(r, nap) {
		return
	}
	if s.flaw == RejectsDuplicates && duplicates == len(events) {
		http.Error(w, "the shop has had this", http.StatusConflict)
		return
	}
	fmt.Fprintf(w, "%d of %d new\n", len(events)-duplicates, len(events))
}

func (s *Shop) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	return s.requests
}

func (s *Shop) fail() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed++
}

// take does the work for events, and returns how many of them the shop has had.
func (s *Shop) take(events []event) (duplicates int) {
	known := make([]bool, len(events))
	if s.flaw == Race { // what it finds now will be old when it acts on it
		s.look(events, known)
		time.Sleep(window)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range events {
		charges, had := s.charges.get(e.key)
		if s.flaw == Race {
			had = known[i]
		}
		if had {
			duplicates++
		}
		if !had || s.flaw == DoubleCharge {
			s.charges.put(e.key, charges+1)
		}
		if !had || s.flaw == DoubleCharge || s.flaw == Order {
			s.change(e)
		}
	}
	s.duplicates += duplicates
	return duplicates
}

func (s *Shop) look(events []event, known []bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range events {
		_, known[i] = s.charges.get(e.key)
	}
}

// change sets an object's state, unless the shop knows a newer one.
func (s *Shop) change(e event) {
	if e.object == "" {
		return
	}
	o, _ := s.objects.get(e.object)
	o.Changes++
	if s.flaw == Order || !e.older(o) {
		o.State, o.Type, o.At, o.rank = e.state, e.typ, e.at, e.rank
	}
	s.objects.put(e.object, o)
}

// sleep reports whether the caller is still there after d.
func sleep(r *http.Request, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// kept remembers the newest maxKept keys.
type kept[V any] struct {
	values map[string]V
	keys   []string // in the order of their coming
}

func (k *kept[V]) get(key string) (V, bool) {
	v, ok := k.values[short(key)]
	return v, ok
}

func (k *kept[V]) put(key string, v V) {
	key = short(key)
	if _, ok := k.values[key]; !ok {
		if k.values == nil {
			k.values = map[string]V{}
		}
		if len(k.keys) == maxKept {
			delete(k.values, k.keys[0])
			k.keys = k.keys[1:]
		}
		k.keys = append(k.keys, key)
	}
	k.values[key] = v
}

func (k *kept[V]) drop(key string) {
	key = short(key)
	if _, ok := k.values[key]; ok {
		delete(k.values, key)
		k.keys = slices.DeleteFunc(k.keys, func(o string) bool { return o == key })
	}
}

// short makes a key of any length one that can be kept and shown.
func short(key string) string {
	if len(key) <= 200 {
		return key
	}
	h := sha256.Sum256([]byte(key))
	return key[:100] + "…" + hex.EncodeToString(h[:8])
}
