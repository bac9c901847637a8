package ngroktest

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
)

// proxy is the side of the internet. It adds the headers that the service adds,
// and answers like it when no agent serves the host.
func (e *Edge) proxy() http.Handler {
	return &httputil.ReverseProxy{
		Transport:     e.inward,
		FlushInterval: -1,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host, p.Out.Host = "http", p.In.Host, p.In.Host
			p.Out.Header["X-Forwarded-For"] = p.In.Header["X-Forwarded-For"] // appended to, not replaced
			p.SetXForwarded()
			p.Out.Header.Set("X-Forwarded-Proto", "https")
			if forged := p.In.Header.Get("X-Forwarded-Host"); forged != "" {
				p.Out.Header.Set("X-Forwarded-Host", forged) // kept by the service
			}
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			code, status := "ERR_NGROK_3004", http.StatusBadGateway
			if !e.Online(hostOf(r.Host)) {
				code, status = "ERR_NGROK_3200", http.StatusNotFound
			}
			w.Header().Set("Ngrok-Error-Code", code)
			http.Error(w, code+": "+err.Error(), status)
		},
	}
}

func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}

// dialAgent opens a stream to the agent that serves addr: the length of the
// header (int64, little endian), the header, then the bytes of the connection.
func (e *Edge) dialAgent(_ context.Context, _, addr string) (net.Conn, error) {
	var at endpoint
	var ok bool
	e.with(func() { at, ok = e.endpoints[hostOf(addr)] })
	if !ok {
		return nil, fmt.Errorf("endpoint %s is offline", addr)
	}
	header, err := json.Marshal(proxyHeader{ID: at.id, ClientAddr: ClientAddr, Proto: "https", EdgeType: "3"})
	if err != nil {
		return nil, err
	}
	str, err := at.session.mux.OpenTypedStream(streamProxy)
	if err != nil {
		return nil, err
	}
	frame := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	if _, err := str.Write(append(frame, header...)); err != nil {
		str.Close()
		return nil, err
	}
	return str, nil
}
