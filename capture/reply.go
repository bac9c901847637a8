package capture

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reply answers a delivery as its endpoint says.
func (in *Ingest) reply(x exchange, p *Provider) {
	if f, ok := in.Router.NextFixed(x.ep.Name); ok {
		in.replyFixed(x, f)
	} else if in.waits(x.ep) {
		in.replyWait(x, p)
	} else {
		in.storeThenSay(x, p.ack())
	}
}

// waits reports whether senders to ep hear what the handler says.
func (in *Ingest) waits(ep Endpoint) bool {
	return ep.Reply == Wait && ep.Target != "" && in.Await != nil
}

func (in *Ingest) replyFixed(x exchange, f Fixed) {
	a := Answer{Status: f.Status, Body: []byte(f.Body)}
	if !final(a.Status) {
		a.Status = http.StatusOK
	}
	if f.Delay <= 0 {
		x.r.Answered = a.Status
	}
	if !in.store(x) {
		in.Router.putBack(x.ep.Name)
		return
	}
	if f.Delay <= 0 {
		say(x.w, a)
		return
	}
	unhurried(x.w)
	delay := time.NewTimer(f.Delay)
	defer delay.Stop()
	select {
	case <-delay.C:
	case <-x.hr.Context().Done():
		if gone(x.hr.Context()) {
			panic(http.ErrAbortHandler)
		}
	}
	in.sayThenNote(x, a)
}

// ErrLeaving is the cause with which the context of the server ends when we
// leave: who waits for an answer gets it at once.
var ErrLeaving = errors.New("anyhook is leaving")

// gone reports whether the sender whose context it is went away.
func gone(ctx context.Context) bool {
	return ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrLeaving)
}

// refusal is what a sender is told whose signature is not taken: enough to
// know what to do, and nothing that would help to make one.
func refusal(s Status) Answer {
	var say string
	switch s {
	default:
		say = "The signature does not match.\n"
	case Missing:
		say = "The signature is missing.\n"
	case Malformed:
		say = "The signature cannot be read.\n"
	case Stale:
		say = "The time of the signature is too far from now.\n"
	}
	return Answer{
		Status: http.StatusUnauthorized, Body: []byte(say),
		Fields: []Field{{"Content-Type", "text/plain; charset=utf-8"}},
	}
}

// replyWait passes on what the handler says. It acknowledges after the
// deadline: the request is stored, and the sender would only send it again.
func (in *Ingest) replyWait(x exchange, p *Provider) {
	wait := in.Await(x.r.ID)
	ctx, cancel := context.WithTimeout(x.hr.Context(), waitFor(x.ep, p))
	defer cancel()
	if !in.store(x) {
		cancel()
		wait(ctx)
		return
	}
	unhurried(x.w)
	a, ok := wait(ctx)
	switch {
	case ok && final(a.Status):
	case ok || ctx.Err() == nil:
		a = Answer{Status: http.StatusBadGateway}
	default:
		a = p.ack()
	}
	in.sayThenNote(x, a)
}

// waitFor is how long the sender is made to wait: what the endpoint says, or
// four fifths of what its provider waits, so that the answer gets there in time.
func waitFor(ep Endpoint, p *Provider) time.Duration {
	switch {
	case ep.Deadline > 0:
		return ep.Deadline
	case p != nil && p.Deadline > 0:
		return p.Deadline * 4 / 5
	}
	return 10 * time.Second
}

// maxAnswering is how long a sender may take to hear an answer that it was made to wait for.
const maxAnswering = time.Minute

// sayThenNote answers, and notes it in the Log if the sender is still there.
func (in *Ingest) sayThenNote(x exchange, a Answer) {
	rc := http.NewResponseController(x.w)
	limit := time.AfterFunc(maxAnswering, func() { _ = rc.SetWriteDeadline(time.Unix(1, 0)) })
	defer limit.Stop()
	say(x.w, a)
	ctx := x.hr.Context()
	if err := rc.Flush(); err != nil || gone(ctx) {
		return
	}
	if err := in.Log.Answered(context.WithoutCancel(ctx), x.r.ID, a.Status); err != nil {
		in.Logger.ErrorContext(ctx, "answer not noted", "id", x.r.ID, "err", err)
		in.failing.Store(true)
		in.tell(err)
	}
}

// unhurried lifts the server's limit on how long an answer may take.
func unhurried(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
}

// unavailable asks the sender to send again.
func unavailable(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "5")
	w.Header().Set("Connection", "close")
	say(w, Answer{Status: http.StatusServiceUnavailable})
}

// final reports whether status can end an exchange. 101 would hand the connection over.
func final(status int) bool { return status >= 200 && status <= 599 }

// hopByHop are the fields that are about one connection (RFC 9110 section
// 7.6.1), and the length, which net/http wants to hear from us.
var hopByHop = []string{
	"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Length",
}

// say writes an answer. It adds nothing but the length and the date, and guesses no type.
func say(w http.ResponseWriter, a Answer) {
	drop := slices.Clone(hopByHop)
	for _, f := range a.Fields {
		if strings.EqualFold(f.Name, "Connection") {
			for name := range strings.SplitSeq(f.Value, ",") {
				drop = append(drop, http.CanonicalHeaderKey(strings.TrimSpace(name)))
			}
		}
	}
	h := w.Header()
	spelled := map[string]string{} // one name keeps one spelling, or its values would change places
	for _, f := range a.Fields {
		name := http.CanonicalHeaderKey(f.Name)
		if slices.Contains(drop, name) {
			continue
		}
		if spelled[name] == "" {
			spelled[name] = f.Name
		}
		if name == "Content-Type" || name == "Content-Encoding" || name == "Date" { // net/http looks for these
			spelled[name] = name
		}
		h[spelled[name]] = append(h[spelled[name]], f.Value)
	}
	if _, ok := h["Content-Type"]; !ok {
		h["Content-Type"] = nil // or net/http guesses one
	}
	if a.Status == http.StatusNoContent || a.Status == http.StatusNotModified {
		w.WriteHeader(a.Status)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // a sender that went away has no ear for our error
}

// publicURL is the URL as the sender wrote it: the target is not touched.
func publicURL(base, target string) string {
	switch {
	case strings.HasPrefix(target, "/"):
		return base + target
	case strings.Contains(target, "://"): // absolute form
		return target
	}
	return base // "*", or the authority of CONNECT
}

// rebuilt writes a head from what net/http made of it.
func rebuilt(hr *http.Request) Head {
	fields := []Field{{"Host", hr.Host}}
	for _, name := range slices.Sorted(maps.Keys(hr.Header)) {
		for _, value := range hr.Header[name] {
			fields = append(fields, Field{name, value})
		}
	}
	for _, coding := range hr.TransferEncoding {
		fields = append(fields, Field{"Transfer-Encoding", coding})
	}
	return newHead(hr.Method, hr.RequestURI, hr.Proto, fields)
}

func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return ""
	}
	return host
}
