package ngroktest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"strings"
	"time"

	"golang.ngrok.com/muxado/v2"
)

// A session is one agent's connection.
type session struct {
	mux  *muxado.Heartbeat
	conn *gate
	in   bool // has logged in
}

func (e *Edge) serveAgents() {
	for {
		c, err := e.agents.Accept()
		if err != nil {
			return
		}
		g := &gate{Conn: c}
		s := &session{conn: g}
		keep := false
		e.with(func() {
			e.tries++
			if keep = !e.refuse && !e.closed; keep {
				g.freeze(e.frozen)
				e.sessions[s] = true
			}
		})
		if !keep {
			c.Close()
			continue
		}
		e.wg.Go(func() { e.serve(s) })
	}
}

func (e *Edge) serve(s *session) {
	typed := muxado.NewTypedStreamSession(muxado.Server(s.conn, nil))
	// Never started: this end only answers the agent's heartbeats.
	mux := muxado.NewHeartbeat(&counting{typed, e}, func(time.Duration, bool) {}, nil)
	e.with(func() { s.mux = mux })
	defer e.drop(s)
	for {
		str, err := mux.AcceptTypedStream()
		if err != nil {
			return
		}
		err = e.answer(s, str)
		str.Close()
		if err != nil {
			return
		}
	}
}

func (e *Edge) drop(s *session) {
	s.mux.Close()
	s.conn.Close()
	e.with(func() {
		delete(e.sessions, s)
		maps.DeleteFunc(e.endpoints, func(_ string, at endpoint) bool { return at.session == s })
	})
	e.inward.CloseIdleConnections()
}

// answer carries out one exchange that the agent began.
func (e *Edge) answer(s *session, str muxado.TypedStream) error {
	switch str.StreamType() {
	case streamAuth:
		return exchange(str, func(q authRequest) any { return e.auth(s, q) })
	case streamBind:
		return exchange(str, func(q Bind) any { return e.bind(s, q) })
	case streamUnbind:
		return exchange(str, func(q unbind) any {
			e.with(func() {
				maps.DeleteFunc(e.endpoints, func(_ string, at endpoint) bool { return at.session == s && at.id == q.ID })
			})
			return struct{}{}
		})
	case streamSrvInfo:
		_, err := io.WriteString(str, `{"Region":"test"}`)
		return err
	}
	return fmt.Errorf("a stream of type %d", str.StreamType())
}

func exchange[Q any](str io.ReadWriter, answer func(Q) any) error {
	var q Q
	if err := json.NewDecoder(str).Decode(&q); err != nil {
		return err
	}
	return json.NewEncoder(str).Encode(answer(q))
}

func refusal(msg, code string) string { return msg + "\r\n\r\n" + code + "\r\n" }

func (e *Edge) auth(s *session, q authRequest) (a authAnswer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch token := q.Extra.Authtoken; {
	case e.authErr != "":
		a.Error = e.authErr
	case token == "":
		a.Error = refusal("This session is not authenticated.", "ERR_NGROK_4018")
	case len(token) < 20: // the service repeats the token, as here
		a.Error = refusal("The authtoken does not look like an authtoken.\r\nYour authtoken: "+token, "ERR_NGROK_105")
	case token != e.token:
		a.Error = refusal("The authtoken "+token+" is well formed, but it is not valid.", "ERR_NGROK_107")
	case e.forgotten && q.ClientID != "":
		a.Error = "The session is not known."
	}
	if a.Error != "" {
		return a
	}
	e.logins++
	s.in = true
	a.Version, a.ClientID = "3", q.ClientID
	if a.ClientID == "" {
		a.ClientID = fmt.Sprintf("client%d", e.logins)
	}
	a.Extra = authExtra{
		Version: "test", Region: "test", Cookie: "cookie-" + a.ClientID, AccountName: "Test Account",
		PlanName: "Free", AgentSessionID: fmt.Sprintf("ts_%d", e.logins),
	}
	return a
}

func (e *Edge) bind(s *session, q Bind) (a bindAnswer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.binds = append(e.binds, q)
	switch {
	case !s.in:
		a.Error = refusal("This session is not authenticated.", "ERR_NGROK_4018")
		return a
	case e.bindErr != "" && e.bindFails != 0:
		e.bindFails--
		a.Error = e.bindErr
		return a
	}
	e.next++
	public := e.urlFor(q)
	u, err := url.Parse(public)
	if err != nil || u.Host == "" {
		a.Error = refusal("The URL is not valid.", "ERR_NGROK_9037")
		return a
	}
	if _, taken := e.endpoints[u.Hostname()]; taken && !q.Extra.PoolingEnabled {
		a.Error = refusal("The endpoint '"+public+"' is already online.", "ERR_NGROK_334")
		return a
	}
	a.ID, a.URL, a.Proto, a.Opts = q.ID, public, q.Proto, q.Opts
	if a.ID == "" {
		a.ID = fmt.Sprintf("bind%d", e.next)
	}
	a.Extra.TunnelID = fmt.Sprintf("tn_%d", e.next)
	if a.Extra.Token = q.Extra.Token; a.Extra.Token == "" {
		a.Extra.Token = fmt.Sprintf("bindtoken%d", e.next)
	}
	e.byToken[a.Extra.Token] = public
	e.endpoints[u.Hostname()] = endpoint{a.ID, s}
	return a
}

// urlFor chooses the public URL: an agent that comes back gets the one it had.
func (e *Edge) urlFor(q Bind) string {
	if known := e.byToken[q.Extra.Token]; known != "" {
		return known
	}
	asked, _ := q.Opts["URL"].(string)
	switch {
	case asked == "":
		return fmt.Sprintf("https://test-%d.ngrok-free.app", e.next)
	case !strings.Contains(asked, "://"):
		return "https://" + asked
	}
	return asked
}

// tell sends the agent a message. One that is gone cannot be told.
func (s *session) tell(kind muxado.StreamType, msg any) {
	str, err := s.mux.OpenTypedStream(kind)
	if err != nil {
		return
	}
	defer str.Close()
	_ = json.NewEncoder(str).Encode(msg) // the agent may hang up as soon as it has read it
}

// counting counts the heartbeats that the edge answers.
type counting struct {
	muxado.TypedStreamSession
	edge *Edge
}

func (c *counting) AcceptTypedStream() (muxado.TypedStream, error) {
	str, err := c.TypedStreamSession.AcceptTypedStream()
	if err == nil && str.StreamType() == streamBeat {
		return &beats{str, c.edge}, nil
	}
	return str, err
}

type beats struct {
	muxado.TypedStream
	edge *Edge
}

func (b *beats) Write(p []byte) (int, error) {
	b.edge.with(func() { b.edge.beats++ })
	return b.TypedStream.Write(p)
}
