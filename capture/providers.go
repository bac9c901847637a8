package capture

import (
	"bytes"
	"math/bits"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// Providers is a list of rows that finds whose a request is without asking
// each of them: most are known by a header that nobody else sends. The nil
// list is empty. It is safe for concurrent use.
type Providers struct{ rows atomic.Pointer[index] }

type index struct {
	rows    []Provider
	names   map[string]int
	headers map[string]header // by canonical name
	members map[string][]int  // rows that are known by a body with a member of the name
	bodies  []int             // rows that are known by their body
	open    []int             // those of bodies that name no member
	agents  []int             // rows that are known by their user agent
	rest    []int             // rows that name nothing to be known by: Match is all they have
}

// A header is what a name of a header tells.
type header struct {
	rows []int // whose it is
	tell bool  // a request with it has a sender who says so, known or not
}

// NewProviders makes the list. The order is the order in which rows are asked;
// of two rows with one name the first counts.
func NewProviders(rows ...Provider) *Providers {
	l := &Providers{}
	l.Replace(rows...)
	return l
}

// Replace makes rows the list, for all who ask from now on.
func (l *Providers) Replace(rows ...Provider) {
	x := &index{names: map[string]int{}, headers: map[string]header{}, members: map[string][]int{}}
	for _, name := range common {
		x.headers[name] = header{}
	}
	for _, row := range rows {
		if _, twice := x.names[row.Name]; !twice {
			x.add(row)
		}
	}
	l.rows.Store(x)
}

func (x *index) add(row Provider) {
	i := len(x.rows)
	x.rows, x.names[row.Name] = append(x.rows, row), i
	for _, mark := range row.Marks {
		mark = http.CanonicalHeaderKey(mark)
		x.headers[mark] = header{append(x.headers[mark].rows, i), tells(mark)}
	}
	if row.Agent != "" {
		x.agents = append(x.agents, i)
	}
	if row.Body != nil {
		x.bodies = append(x.bodies, i)
		if len(row.Members) == 0 {
			x.open = append(x.open, i)
		}
		for _, name := range row.Members {
			x.members[name] = append(x.members[name], i)
		}
	}
	if len(row.Marks) == 0 && row.Agent == "" && row.Body == nil && row.Match != nil {
		x.rest = append(x.rest, i)
	}
}

// All returns the rows in order. The slice is not to be changed.
func (l *Providers) All() []Provider {
	if l == nil {
		return nil
	}
	return l.rows.Load().rows
}

// Named returns the row with the name that is stored with requests.
func (l *Providers) Named(name string) (*Provider, bool) {
	if l == nil {
		return nil, false
	}
	x := l.rows.Load()
	i, ok := x.names[name]
	if !ok {
		return nil, false
	}
	return &x.rows[i], true
}

// Of returns the first row that says that r is its own; nil if none does. r
// has its Header and Method.
func (l *Providers) Of(r *Request) *Provider {
	if l == nil || len(r.Header) > maxNames {
		return nil
	}
	x := l.rows.Load()
	var room [4]uint64
	asked := x.none(room[:])
	asked.add(x.rest)
	for name := range r.Header {
		asked.add(x.headers[name].rows)
	}
	if agent := r.Header.Get("User-Agent"); agent != "" && r.Method == http.MethodPost {
		for _, i := range x.agents {
			if strings.HasPrefix(agent, x.rows[i].Agent) {
				asked.set(i)
			}
		}
	}
	for i := range asked.all {
		if x.rows[i].match(r) {
			return &x.rows[i]
		}
	}
	if !x.anonymous(r) {
		return nil
	}
	clear(asked)
	x.readers(r.Body, asked)
	for i := range asked.all {
		if x.rows[i].body(r) {
			return &x.rows[i]
		}
	}
	return nil
}

// readers adds the rows that have to look into a body to say whether it is theirs.
func (x *index) readers(body []byte, asked set) {
	asked.add(x.open)
	for name := range members(body) {
		if bytes.ContainsAny(name, "\\%+") {
			asked.add(x.bodies) // it is written with escapes, and could be any
			return
		}
		asked.add(x.members[string(name)])
	}
}

// A set is a set of rows, one bit each.
type set []uint64

// none returns the empty set, in the room if that is large enough.
func (x *index) none(room []uint64) set {
	if n := (len(x.rows) + 63) / 64; n > len(room) {
		return make(set, n)
	}
	return room
}

func (s set) set(i int) { s[i/64] |= 1 << (i % 64) }

func (s set) add(rows []int) {
	for _, i := range rows {
		s.set(i)
	}
}

// all yields the rows of the set in order.
func (s set) all(yield func(int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(i*64 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// Takes reports whether r is this provider's, as Of asks it. A nil one takes nothing.
func (p *Provider) Takes(r *Request) bool {
	return p != nil && NewProviders(*p).Of(r) != nil
}

const (
	maxNames  = 1 << 10  // of headers; a webhook has not nearly as many
	peekLimit = 64 << 10 // bytes of the largest body that is looked into to recognise its sender
)

// signs are the words in header names by which providers tell that a request is theirs.
var signs = []string{"signature", "hmac", "webhook", "-event", "-topic", "-delivery", "-token", "-hook"}

// common are headers, by canonical name, that tell nothing of who sent a request.
var common = []string{
	"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Cache-Control", "Connection", "Content-Encoding", "Content-Length",
	"Content-Type", "Date", "Host", "Idempotency-Key", "Pragma", "Traceparent", "Tracestate", "Transfer-Encoding", "User-Agent", "Via",
	"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Request-Id",
}

// tells reports whether a header name has a word of a sender's.
func tells(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(name, sign) })
}

// anonymous reports whether no header tells who sent the request, so that its
// body is all there is to go by.
func (x *index) anonymous(r *Request) bool {
	if r.Method != http.MethodPost || len(r.Body) == 0 || len(r.Body) > peekLimit {
		return false
	}
	for name := range r.Header {
		h, known := x.headers[name]
		if known && h.tell || !known && tells(name) {
			return false
		}
	}
	return true
}
