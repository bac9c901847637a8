package capture

import (
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
	rows   []Provider
	names  map[string]int
	marks  map[string][]int // by canonical header name
	agents []int            // rows that are known by their user agent
	bodies []int            // rows that are known by their body
	rest   []int            // rows that name nothing to be known by: Match is all they have
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
	x := &index{names: map[string]int{}, marks: map[string][]int{}}
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
		x.marks[mark] = append(x.marks[mark], i)
	}
	if row.Agent != "" {
		x.agents = append(x.agents, i)
	}
	if row.Body != nil {
		x.bodies = append(x.bodies, i)
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
	var room [16]int
	asked := append(room[:0], x.rest...)
	for name := range r.Header {
		asked = append(asked, x.marks[name]...)
	}
	if agent := r.Header.Get("User-Agent"); agent != "" && r.Method == http.MethodPost {
		for _, i := range x.agents {
			if strings.HasPrefix(agent, x.rows[i].Agent) {
				asked = append(asked, i)
			}
		}
	}
	slices.Sort(asked)
	for _, i := range slices.Compact(asked) {
		if x.rows[i].match(r) {
			return &x.rows[i]
		}
	}
	if !anonymous(r) {
		return nil
	}
	for _, i := range x.bodies {
		if x.rows[i].body(r) {
			return &x.rows[i]
		}
	}
	return nil
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

// anonymous reports whether no header tells who sent the request, so that its
// body is all there is to go by.
func anonymous(r *Request) bool {
	if r.Method != http.MethodPost || len(r.Body) == 0 || len(r.Body) > peekLimit {
		return false
	}
	for name := range r.Header {
		name = strings.ToLower(name)
		for _, sign := range signs {
			if strings.Contains(name, sign) {
				return false
			}
		}
	}
	return true
}
