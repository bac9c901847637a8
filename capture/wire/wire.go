// Package wire hands out the head of each HTTP/1 request exactly as it came:
// spelling, order, repeats and white space of the header lines, which net/http
// does not keep. And it reports what net/http turns away by itself, before any
// handler sees it, so that a sender who gets a 400 is not invisible.
//
// It stands beside net/http, not in its place. [Listen] wraps a listener whose
// connections copy what net/http reads from them into a parser that knows just
// enough of RFC 9112 to find where a head begins and ends:
//
//	head           up to the first empty line; lines end in CRLF or LF
//	Content-Length that many bytes, then the next head
//	chunked        size lines with extensions, data, trailer lines, empty line;
//	               it wins over Content-Length, and means nothing in HTTP/1.0
//	neither        no body
//
// Where that parser and net/http could differ, it does what net/http does (a
// fuzz test holds it to that), and [Take] compares the head with what net/http
// made of it. A head in doubt is not handed out at all.
//
// A handler calls Take once for each request, before anything else.
package wire

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"anyhook.net/desktop/capture"
)

// maxHead is the size in bytes of the largest head. net/http reads MaxHeaderBytes,
// 4 KiB to spare, and what its buffer held before.
const maxHead = http.DefaultMaxHeaderBytes + 8<<10

// maxStray is how many bytes of a stray are kept.
const maxStray = 64 << 10

// A Stray is what net/http turned away by itself, or did not come to.
type Stray = capture.StrayBytes

// Listen wraps l. onStray is called at most once for each connection, when it
// is closed, on the goroutine that closes it; nil reports nothing.
//
// The large heads of all connections have 32 MB together, until each is
// answered. Where these are used up, a head that needs more of them is answered
// with 503 and becomes a stray; one of up to 8 KB needs none.
func Listen(l net.Listener, onStray func(Stray)) net.Listener {
	return &listener{l, onStray, &budget{free: maxLarge}}
}

type listener struct {
	net.Listener
	stray func(Stray)
	large *budget
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, stray: l.stray, large: l.large}, nil
}

type connKey struct{}

// ConnContext notes in ctx which connection a request is on, for Take. It is
// called in http.Server.ConnContext.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if c, ok := c.(*conn); ok {
		return context.WithValue(ctx, connKey{}, c)
	}
	return ctx
}

// Take returns the head of r exactly as it came, up to and with the empty line.
// The caller owns it. ok is false if it is not known for certain: r did not
// come through Listen and ConnContext, Take was called for r before, or net/http
// understood something else.
func Take(r *http.Request) (head []byte, ok bool) {
	c, _ := r.Context().Value(connKey{}).(*conn)
	if c == nil {
		return nil, false
	}
	return c.take(r)
}

// Server returns a server for h, which gets every request that is HTTP/1, the
// asterisk form included. The limits: 10 s for a head of 1 MB, 2 minutes of
// silence between requests, 15 minutes for an answer, the reading of the body
// included; how slow a body may be is for the handler to say. Its owner calls
// Serve with the listener that Listen returned, and may extend ConnContext and
// set BaseContext. What net/http has to say about connections goes to logger
// at debug level.
func Server(h http.Handler, logger *slog.Logger) *http.Server {
	http1 := new(http.Protocols)
	http1.SetHTTP1(true)
	return &http.Server{
		Handler:           http1Only(h),
		ConnContext:       ConnContext,
		Protocols:         http1,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		WriteTimeout:      15 * time.Minute,
		MaxHeaderBytes:    http.DefaultMaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),

		DisableGeneralOptionsHandler: true,
	}
}

// http1Only refuses the preface of HTTP/2, which net/http passes to handlers as
// if it were a request. Its head is not taken, and so becomes a stray.
func http1Only(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 1 {
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusHTTPVersionNotSupported)
			return
		}
		h.ServeHTTP(w, r)
	})
}
