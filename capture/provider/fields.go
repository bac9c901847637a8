package provider

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"anyhook.net/desktop/capture"
)

// fields says where a sender writes what its events are. A place is one of
//
//	$.data.id      a member of the body; a number picks an element of a list
//	@.id           a member of the element of each, where there is an each
//	header:X-Id    a header
//	form:id        a field of a body that is a form
//
// or several of them with | between, of which the first that is there counts.
type fields struct {
	each   string   // the list whose elements are events; "" when the request is one
	most   int      // how many elements are read; 0 means 1000
	key    string   // what the sender promises to be unique
	parts  []string // what tells occurrences apart where nothing is promised; the first is always there
	group  string
	typ    []string // joined with a dot
	object []string // joined with a slash
	at     string
	order  string // a whole number
	try    string
	from0  bool                     // try counts retries: the first delivery is 0
	inside func(body []byte) []byte // the JSON within the body, where it is wrapped
}

// eventsOf returns the Events of a row.
func (x fields) eventsOf(name string) func(r *capture.Request) ([]capture.Event, error) {
	inDoc, inElement := outermost(x.places(), "$"), outermost(x.places(), "@")
	return func(r *capture.Request) ([]capture.Event, error) {
		f := reading{name: name}
		s := source{r: r, inElement: inElement}
		if x.json() {
			doc := r.Body
			if x.inside != nil {
				doc = x.inside(doc)
			}
			s.doc = f.document(doc, x.kind())
			s.docTop = topOf(s.doc, inDoc)
		}
		if x.each == "" {
			return []capture.Event{x.event(&f, s)}, f.err()
		}
		return x.batch(&f, s), f.err()
	}
}

// kind is how the body starts: it is a list where its elements are the events.
func (x fields) kind() string {
	if x.each == "$" {
		return "["
	}
	return "{"
}

// dedupe says what the key is made of, for people.
func (x fields) dedupe() string {
	if x.key != "" {
		return x.shown(x.key)
	}
	return x.shown(strings.Join(x.parts, " + "))
}

// orders says what guards the order, for people.
func (x fields) orders() string {
	if x.order != "" {
		return x.shown(x.order)
	}
	return x.shown(x.at)
}

// shown writes a place in an element as one in the body.
func (x fields) shown(place string) string {
	return strings.ReplaceAll(place, "@", strings.ReplaceAll(x.each, ">@", "[*]")+"[*]")
}

// json reports whether any place is in a body of JSON.
func (x fields) json() bool {
	return slices.ContainsFunc(x.places(), func(p string) bool { return strings.Contains(p, "$") || strings.Contains(p, "@") })
}

func (x fields) places() []string {
	return slices.Concat([]string{x.each, x.key, x.group, x.at, x.order, x.try}, x.parts, x.typ, x.object)
}

// batch reads one event for each element of the list.
func (x fields) batch(f *reading, s source) []capture.Event {
	const tell = 20 // errors, so that a hostile batch does not make a book of them
	most := x.most
	if most == 0 {
		most = 1000
	}
	var events []capture.Event
	for v := range s.elements(x.each) {
		if len(events) == most {
			f.fail("more than %d events", most)
			break
		}
		one := reading{name: f.name}
		s.element, s.elementTop = v, topOf(v, s.inElement)
		events = append(events, x.event(&one, s))
		if len(f.errs) < tell {
			f.errs = append(f.errs, one.errs...)
		}
	}
	if s.doc != nil && len(events) == 0 {
		f.fail("no %s", x.each)
	}
	return events
}

func (x fields) event(f *reading, s source) capture.Event {
	e := capture.Event{
		Group:  s.text(f, x.group),
		Type:   s.joined(f, x.typ, "."),
		Object: s.joined(f, x.object, "/"),
		Order:  s.number(f, x.order),
		Try:    s.try(f, x.try, x.from0),
	}
	if x.at != "" {
		if at := s.text(f, x.at); at != "" {
			t, ok := parseTime(at)
			if !ok {
				f.fail("%s is not a time", x.at)
			}
			e.At = t
		}
	}
	switch {
	case x.key != "":
		if e.Key = exact(s.text(f, x.key)); !e.Key.Exact {
			f.fail("no %s", x.key)
		}
	case len(x.parts) > 0:
		e.Key = s.composite(f, x.parts)
	}
	if e == (capture.Event{Try: e.Try}) {
		f.fail("nothing of it can be read")
	}
	return e
}

// A source is where the places of one event are looked up.
type source struct {
	r       *capture.Request
	doc     value
	element value

	docTop, elementTop top
	inElement          []string // the names of elementTop
}

// text returns the first of the places that is there.
func (s source) text(f *reading, places string) string {
	if places == "" {
		return ""
	}
	for place := range strings.SplitSeq(places, "|") {
		if t := s.one(f, place); t != "" {
			return t
		}
	}
	return ""
}

func (s source) one(f *reading, place string) string {
	if name, ok := strings.CutPrefix(place, "header:"); ok {
		return f.header(s.r, name)
	}
	if name, ok := strings.CutPrefix(place, "form:"); ok {
		return clip(formValue(string(s.r.Body), name))
	}
	return f.text(s.value(place), place)
}

// value returns what is at a place in JSON; nil if there is nothing.
func (s source) value(place string) value {
	v, t := s.doc, s.docTop
	if strings.HasPrefix(place, "@") {
		v, t = s.element, s.elementTop
	}
	_, names, ok := strings.Cut(place, ".")
	if !ok {
		return v
	}
	for name := range strings.SplitSeq(names, ".") {
		n, err := strconv.Atoi(name)
		if err == nil && v.kind() == '[' {
			v, t = v.nth(n), top{}
			continue
		}
		v, t = t.member(v, name), top{}
	}
	return v
}

// nth returns an element of an array, nil if there are not so many.
func (v value) nth(n int) value {
	for e := range v.elements() {
		if n == 0 {
			return e
		}
		n--
	}
	return nil
}

// elements yields the events of a list; of lists within lists, if several places have a > between.
func (s source) elements(places string) iter.Seq[value] {
	outer, inner, nested := strings.Cut(places, ">")
	return func(yield func(value) bool) {
		for v := range s.value(outer).elements() {
			if !nested {
				if !yield(v) {
					return
				}
				continue
			}
			deeper := source{r: s.r, doc: s.doc, element: v}
			for w := range deeper.elements(inner) {
				if !yield(w) {
					return
				}
			}
		}
	}
}

func (s source) joined(f *reading, places []string, with string) string {
	var all []string
	for _, p := range places {
		t := p
		if strings.ContainsAny(p, "$@:") {
			t = s.text(f, p)
		}
		if t != "" {
			all = append(all, t)
		}
	}
	return strings.Join(all, with)
}

// composite joins what tells occurrences apart.
func (s source) composite(f *reading, places []string) capture.Key {
	first := s.text(f, places[0])
	if first == "" {
		f.fail("no %s", places[0])
	}
	rest := make([]string, 0, len(places))
	for _, p := range places[1:] {
		rest = append(rest, s.text(f, p))
	}
	return composite(first, rest...)
}

func (s source) number(f *reading, places string) int64 {
	t := s.text(f, places)
	n, err := strconv.ParseInt(t, 10, 64)
	if t != "" && err != nil {
		f.fail("%s is not a whole number", places)
	}
	return n
}

// try returns the sender's own attempt number, counted from 1.
func (s source) try(f *reading, places string, from0 bool) int {
	n, err := strconv.Atoi(s.text(f, places))
	if err != nil || n < 0 || n >= 1000 {
		return 0
	}
	if from0 {
		n++
	}
	return n
}
