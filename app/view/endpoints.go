package view

import (
	"slices"
	"strings"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
)

// EndpointLine is an endpoint in the list of endpoints.
type EndpointLine struct {
	Name, Path, Provider, Mark string
	Target                     string // without http://, which goes without saying
	Handler                    Mark
	Secrets                    string
	Reply                      string
}

// EndpointLines lists the endpoints by path.
func EndpointLines(desk Desk, all []capture.Endpoint, st Status) []EndpointLine {
	all = slices.SortedFunc(slices.Values(all), func(a, b capture.Endpoint) int { return strings.Compare(a.Path, b.Path) })
	out := make([]EndpointLine, len(all))
	for i, e := range all {
		l := EndpointLine{Name: e.Name, Path: e.Path, Mark: e.Provider, Provider: Title(desk, e.Provider), Target: strings.TrimPrefix(e.Target, "http://")}
		if l.Provider == "" {
			l.Provider = text.T("endpoint.provider.each")
		}
		l.Secrets = text.N("endpoint.secrets", int64(len(e.Secrets)))
		if len(e.Secrets) == 0 {
			l.Secrets = text.T("endpoint.secrets.none")
		}
		l.Reply = text.T("reply." + ReplyWord(e.Reply))
		l.Handler = Mark{Tone: Muted, Text: text.T("bar.notarget")}
		for _, t := range st.Targets {
			if t.Endpoint == e.Name && t.Target != "" {
				l.Handler = handlerMark(t)
			}
		}
		out[i] = l
	}
	return out
}

// ReplyWord is the word for a way to answer.
func ReplyWord(r capture.Reply) string { return firstOf(string(r), "ack") }
