package forward

import (
	"context"
	"strings"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// heard is what the handler said; ok is false if it said nothing.
type heard struct {
	answer capture.Answer
	ok     bool
}

// Await makes ready to wait for the handler's answer to the first live attempt
// at a request that is about to be stored. The wait that it returns must be
// called once. It returns false when ctx has ended; or, before that, when the
// attempt got no answer. A request that is not forwarded is answered 200.
func (f *Forwarder) Await(id capture.ID) (wait func(ctx context.Context) (capture.Answer, bool)) {
	c := make(chan heard, 1)
	f.mu.Lock()
	if f.waits == nil {
		f.waits = map[capture.ID]chan<- heard{}
	}
	f.waits[id] = c
	f.mu.Unlock()
	return func(ctx context.Context) (capture.Answer, bool) {
		defer func() {
			f.mu.Lock()
			delete(f.waits, id)
			f.mu.Unlock()
		}()
		select {
		case h := <-c:
			return h.answer, h.ok
		case <-ctx.Done():
			return capture.Answer{}, false
		}
	}
}

// tell tells whoever waits for the answer to id. Only the first time counts.
func (f *Forwarder) tell(id capture.ID, h heard) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.waits[id]; ok {
		c <- h // has room for the one that is ever sent
		delete(f.waits, id)
	}
}

// ofConnection are fields of an answer that are about its transfer to us, not about what it says.
var ofConnection = map[string]bool{
	"connection": true, "keep-alive": true, "te": true, "trailer": true, "transfer-encoding": true, "upgrade": true,
	"proxy-authenticate": true, "proxy-connection": true, "content-length": true,
}

// PassOn makes the sender's answer of the handler's; ok is false if the handler
// said nothing. A body that is not whole is not passed on at all: half of one
// would be another one.
func PassOn(o replay.Outcome) (answer capture.Answer, ok bool) {
	if o.Status < 200 {
		return capture.Answer{}, false
	}
	whole := o.Failure == "" && o.BodySize == int64(len(o.Body))
	answer.Status = o.Status
	named := connectionNames(o)
	for f := range capture.Head(o.Head).Fields() {
		key := strings.ToLower(f.Name)
		if ofConnection[key] || named[key] || !whole && strings.HasPrefix(key, "content-") {
			continue
		}
		answer.Fields = append(answer.Fields, f)
	}
	if whole {
		answer.Body = o.Body
	}
	return answer, true
}

func connectionNames(o replay.Outcome) map[string]bool {
	out := map[string]bool{}
	for _, v := range capture.Head(o.Head).Header().Values("Connection") {
		for name := range strings.SplitSeq(v, ",") {
			out[strings.ToLower(strings.TrimSpace(name))] = true
		}
	}
	return out
}
