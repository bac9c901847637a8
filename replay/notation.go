package replay

import (
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// The notation writes the waves of a scenario on one line, the same in the
// window, in files, on the command line and in reports:
//
//	A!lost~2s B|C A#2!fresh? A.1+B.3!cut@200
//
// Waves are separated by spaces, the sends of one wave by |. A send is the
// label of a request, with its marks behind it in any order:
//
//	!fresh !wrong-secret !altered !stale !unsigned   how it is signed, if not as received
//	!lost !502                                       the answer is lost, or a load balancer says 502 in its place
//	!cut !cut@120                                    the connection ends half-way, or after 120 bytes
//	!hangup !hangup@2s                               the sender hangs up once the request is out, or 2 s later
//	!slow@5s                                         the request takes 5 s to go out
//	!kill !kill@20ms !kill@50%                       the handler is killed once the request is out, or later
//	!kill@head !kill@answer                          or when the head is out, or the answer is there
//	~2s ~2s..5s                                      the pause before it: fixed, or by the seed
//	#3                                               the provider's own attempt number
//	?                                                a retry: only if no send of the request before it was acknowledged
//
// A batch of events of several requests is written with +: A.1+B.3 is the first
// event of A and the third of B, A+B all events of both; A.0 is a batch of all
// events of A. It is sent as the first of them was, unless another request is
// in front: C:A.1+B.3 is sent as C.
//
// A label is a letter, and then letters, digits, - and _.

// Label returns the i-th label, from 0: A to Z, AA, AB and so on.
func Label(i int) string {
	var b []byte
	for i++; i > 0; i = (i - 1) / 26 {
		b = append([]byte{byte('A' + (i-1)%26)}, b...)
	}
	return string(b)
}

// maxLabel is how long a label may be, in bytes.
const maxLabel = 64

// IsLabel reports whether s can be a label.
func IsLabel(s string) bool {
	return s != "" && len(s) <= maxLabel && labelEnd(s) == len(s)
}

// labelEnd is how much of the beginning of s is a label.
func labelEnd(s string) int {
	for i := range len(s) {
		c := s[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || (s[i] < '0' || s[i] > '9') && s[i] != '-' && s[i] != '_') {
			return i
		}
	}
	return len(s)
}

// Requests returns the requests that the waves speak of, in that order.
func Requests(waves []Wave) (ids []capture.ID) {
	seen := map[capture.ID]bool{}
	add := func(id capture.ID) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, w := range waves {
		for _, s := range w {
			add(s.Request)
			for _, item := range s.Items {
				add(item.Request)
			}
		}
	}
	return ids
}

// Labels gives the requests of the waves their labels, in the order of [Requests].
func Labels(waves []Wave) map[capture.ID]string {
	labels := map[capture.ID]string{}
	for i, id := range Requests(waves) {
		labels[id] = Label(i)
	}
	return labels
}

// Notate writes waves that pass their Check, with the labels that label gives.
// What [ParseWaves] reads from it is the same.
func Notate(waves []Wave, label func(capture.ID) string) string {
	var b strings.Builder
	for i, w := range waves {
		if i > 0 {
			b.WriteByte(' ')
		}
		for k, s := range w {
			if k > 0 {
				b.WriteByte('|')
			}
			s.notate(&b, label)
		}
	}
	return b.String()
}

func (s Send) notate(b *strings.Builder, label func(capture.ID) string) {
	if len(s.Items) == 0 || s.Items[0].Request != s.Request {
		b.WriteString(label(s.Request))
		if len(s.Items) > 0 {
			b.WriteByte(':')
		}
	}
	for i, item := range s.Items {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(label(item.Request))
		if item.N > 0 || len(s.Items) == 1 {
			b.WriteString("." + strconv.Itoa(item.N))
		}
	}
	if s.Signing != AsReceived {
		b.WriteString("!" + string(s.Signing))
	}
	for _, f := range s.Faults {
		b.WriteString("!" + f.String())
	}
	if s.Try > 0 {
		b.WriteString("#" + strconv.Itoa(s.Try))
	}
	if s.Retry {
		b.WriteByte('?')
	}
	if s.Wait != (Wait{}) {
		b.WriteString("~" + s.Wait.String())
	}
}

// String writes the fault as the notation does, "kill@50%".
func (f Fault) String() string {
	s := string(f.Kind)
	switch {
	case f.Bytes > 0:
		s += "@" + strconv.Itoa(f.Bytes)
	case f.Point != AfterBody:
		s += "@" + string(f.Point)
	case f.Share > 0:
		s += "@" + strconv.Itoa(f.Share) + "%"
	case f.After > 0:
		s += "@" + brief(f.After)
	}
	return s
}

// String writes the pause as the notation does, "2s..5s".
func (w Wait) String() string {
	if w.Max > w.Min {
		return brief(w.Min) + ".." + brief(w.Max)
	}
	return brief(w.Min)
}

// brief is "24h" where Duration.String says "24h0m0s".
func brief(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
