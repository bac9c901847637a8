// Package probe looks at the developer's handler by GET: whether what has to
// hold after a scenario does. The handler and whoever wrote the expectation are
// not trusted: no proxy is used and no redirect is followed, what comes is
// bounded in size and time, and so is what jq makes of it, which sees nothing
// else: no environment, no files.
package probe

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/itchyny/gojq"

	"anyhook.net/desktop/replay"
)

const (
	patience   = 5 * time.Second // for one look
	jqPatience = time.Second     // for the expression
	largest    = 4 << 20         // bytes of a body
	mostHead   = 64 << 10
	mostShown  = 200 // bytes of what was there
)

// A Prober looks. It keeps no connection, and is safe for concurrent use.
type Prober struct {
	// Dial opens a connection to where a URL is, without TLS; it refuses to go
	// where nobody may look.
	Dial func(ctx context.Context, url string) (net.Conn, error)
}

// Check says why nobody could look; nil if one can.
func Check(e replay.Expect) error {
	if err := e.Check(); err != nil {
		return err
	}
	u, err := url.Parse(e.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return errors.New("want a URL such as http://localhost:3000/state")
	}
	return CheckJQ(e.JQ)
}

// CheckJQ says what is wrong with an expression; nil for "" and for a good one.
func CheckJQ(expr string) error {
	if expr == "" {
		return nil
	}
	_, err := compile(expr)
	return err
}

func compile(expr string) (*gojq.Code, error) {
	parsed, err := gojq.Parse(expr)
	if err != nil {
		return nil, fmt.Errorf("jq: %w", err)
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, fmt.Errorf("jq: %w", err)
	}
	return code, nil
}

// Look gets the URL, and says whether what comes is as e wants it: a 2xx
// answer whose body has Text, and of which JQ makes neither false nor null.
func (p *Prober) Look(ctx context.Context, e replay.Expect) replay.Held {
	if err := Check(e); err != nil {
		return replay.Held{Why: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	status, body, err := p.get(ctx, e.URL)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return replay.Held{Why: fmt.Sprintf("no whole answer within %v", patience)}
	case err != nil:
		return replay.Held{Why: err.Error()}
	case status >= 300 && status < 400:
		return replay.Held{Got: shown(body), Why: fmt.Sprintf("answered %d: no redirect is followed", status)}
	case status < 200 || status > 299:
		return replay.Held{Got: shown(body), Why: fmt.Sprintf("answered %d", status)}
	}
	h := replay.Held{Got: shown(body)}
	if !bytes.Contains(body, []byte(e.Text)) {
		h.Why = fmt.Sprintf("the body does not contain %q", shown([]byte(e.Text)))
	} else if e.JQ != "" {
		h = judge(ctx, e.JQ, body)
	}
	return h
}

// get returns the status and the body of an answer.
func (p *Prober) get(ctx context.Context, address string) (int, []byte, error) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return p.Dial(ctx, address) }
	client := http.Client{
		Transport: &http.Transport{
			DialContext: dial, DialTLSContext: shake(dial),
			DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: mostHead,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("User-Agent", "AnyHook")
	r.Header.Set("Accept", "application/json, */*;q=0.5")
	resp, err := client.Do(r)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // the address is known
		}
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, largest+1))
	if err == nil && len(body) > largest {
		err = fmt.Errorf("the body is larger than %d bytes", largest)
	}
	return resp.StatusCode, body, err
}

// shake does the TLS of an https address. Nobody is between us and this
// machine, where handlers have certificates that nobody vouches for.
func shake(dial func(ctx context.Context, network, addr string) (net.Conn, error)) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		raw, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		name, _, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, errors.Join(err, raw.Close())
		}
		peer, _ := raw.RemoteAddr().(*net.TCPAddr)
		conn := tls.Client(raw, &tls.Config{
			ServerName: name, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12,
			InsecureSkipVerify: peer != nil && peer.IP.IsLoopback(), //nolint:gosec // see above
		})
		if err := conn.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, raw.Close())
		}
		return conn, nil
	}
}

// judge asks jq what it thinks of a body.
func judge(ctx context.Context, expr string, body []byte) replay.Held {
	code, err := compile(expr)
	if err != nil {
		return replay.Held{Why: err.Error()}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var doc any
	if d.Decode(&doc) != nil {
		return replay.Held{Got: shown(body), Why: "the body is not JSON"}
	}
	ctx, cancel := context.WithTimeout(ctx, jqPatience)
	defer cancel()
	v, ok := code.RunWithContext(ctx, doc).Next()
	if !ok {
		return replay.Held{Why: expr + " gives nothing"}
	}
	if err, bad := v.(error); bad {
		if ctx.Err() != nil {
			return replay.Held{Why: fmt.Sprintf("%s takes longer than %v", expr, jqPatience)}
		}
		return replay.Held{Got: shown(body), Why: "jq: " + err.Error()}
	}
	text, err := gojq.Marshal(v)
	if err != nil {
		return replay.Held{Why: "jq: " + err.Error()}
	}
	h := replay.Held{Got: shown(text)}
	if v == nil || v == false {
		h.Got = shown(body) // what it is false of says more
		h.Why = fmt.Sprintf("%s is %s", expr, text)
	}
	return h
}

// shown is the beginning of a text, in whole characters.
func shown(b []byte) string {
	s := strings.ToValidUTF8(string(b[:min(len(b), mostShown)]), "�")
	if len(b) <= mostShown {
		return s
	}
	if !utf8.RuneStart(b[mostShown]) { // it was cut in two
		s = strings.TrimSuffix(s, "�")
	}
	return s + "…"
}
