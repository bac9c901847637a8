package session

import (
	"context"
	"slices"
	"strings"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/doctor"
	"anyhook.net/desktop/tunnel"
)

// Examine looks for the reason why the signature of r does not fit, with the
// secrets of all endpoints and every address that AnyHook goes by. It may take
// half a second.
func (s *Session) Examine(ctx context.Context, r *capture.Request) doctor.Finding {
	ep := s.endpointOf(r)
	name := r.Provider
	if ep.Provider != "" {
		name = ep.Provider
	}
	p, ok := s.known.Named(name)
	if !ok {
		return doctor.Finding{}
	}
	patient := doctor.Patient{
		Request: r, Provider: p, Secrets: slices.Concat(ep.Secrets, kept(s.certs, r, s.known, ep)), Rows: s.known,
		Bases: append(s.bases(r, ep), s.earlier(ctx)...),
	}
	for _, other := range s.keep.list() {
		if other.Name != ep.Name && len(other.Secrets) > 0 {
			patient.Others = append(patient.Others, doctor.Holder{Endpoint: other.Name, Secrets: other.Secrets})
		}
	}
	return doctor.Examine(ctx, patient)
}

// bases are the addresses that a provider may have on file for us, the
// handler's among them: people register it before they know AnyHook.
func (s *Session) bases(r *capture.Request, ep capture.Endpoint) []string {
	state := s.keeper.State()
	out := []string{s.localURL, ep.Target}
	if state.Phase == tunnel.Online {
		out = append(out, state.URL)
	}
	for _, name := range []string{"X-Forwarded-Host", "X-Original-Host", "Host"} {
		if host := r.Header.Get(name); host != "" {
			out = append(out, "https://"+host, "http://"+host)
		}
	}
	for i, base := range out {
		scheme, rest, _ := strings.Cut(base, "://")
		host, _, _ := strings.Cut(rest, "/")
		out[i] = scheme + "://" + host
	}
	return slices.DeleteFunc(out, func(base string) bool { return base == "://" })
}

// earlier are the addresses of late: the tunnel may have had another name.
func (s *Session) earlier(ctx context.Context) []string {
	const back = 200 // requests
	last := s.log.Last()
	var seqs []capture.Seq
	for seq := max(1, last-back); seq <= last; seq++ {
		seqs = append(seqs, seq)
	}
	known, err := s.Known(ctx, seqs)
	if err != nil {
		return nil // the doctor does without
	}
	var out []string
	for _, r := range known {
		scheme, rest, ok := strings.Cut(r.URL, "://")
		host, _, _ := strings.Cut(rest, "/")
		if base := scheme + "://" + host; ok && !slices.Contains(out, base) {
			out = append(out, base)
		}
	}
	return out
}
