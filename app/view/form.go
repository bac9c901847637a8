package view

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
)

// maxParallel is how many attempts an endpoint may have under way at once.
const maxParallel = 64

// An EndpointForm is an endpoint while it is edited: every field as a person writes it.
type EndpointForm struct {
	Old      string // name before the change, "" for a new one
	Name     string
	Path     string
	Provider string // "" to recognise each request
	Target   string
	AwayOK   bool // the target that is not this machine was confirmed

	Kept    []capture.Secret // secrets that are there, which are never shown
	Secrets []string         // new ones

	Reply    capture.Reply
	Deadline string // seconds; "" for the provider's
	Status   string
	Body     string
	Delay    string // seconds
	Times    string

	PassChecks bool

	Timeout        string // seconds; "" for 30, "0" for none
	Parallel       string
	KeepHost       bool
	SelfSigned     bool
	Strict         bool
	ForwardRefused bool
}

// FormOf is the form of an endpoint. A new endpoint has no name yet.
func FormOf(e capture.Endpoint) EndpointForm {
	f := EndpointForm{
		Old: e.Name, Name: e.Name, Path: e.Path, Provider: e.Provider, Target: e.Target, AwayOK: e.AwayOK,
		Kept: slices.Clone(e.Secrets), Reply: e.Reply, Deadline: seconds(e.Deadline),
		Body: e.Fixed.Body, Delay: seconds(e.Fixed.Delay), Times: count(e.Fixed.Times), Status: count(e.Fixed.Status),
		Timeout: seconds(e.Timeout), Parallel: count(e.Parallel),
		KeepHost: e.KeepHost, SelfSigned: e.SelfSigned, Strict: e.Strict, ForwardRefused: e.ForwardRefused,
		PassChecks: e.PassChecks,
	}
	if e.Timeout < 0 {
		f.Timeout = "0"
	}
	return f
}

// NewEndpointForm is the form of a new endpoint for a provider; of the zero
// Provider, an empty one. It takes the handler that is there already.
func NewEndpointForm(p capture.Provider, all []capture.Endpoint) EndpointForm {
	f := EndpointForm{}
	if p.Name == "" {
		return f
	}
	f.Name, f.Path, f.Provider = p.Title, "/"+p.Name, p.Name
	for n := 2; slices.ContainsFunc(all, func(e capture.Endpoint) bool { return e.Name == f.Name || e.Path == f.Path }); n++ {
		f.Name, f.Path = p.Title+" "+strconv.Itoa(n), "/"+p.Name+strconv.Itoa(n)
	}
	for _, e := range all {
		if e.Path == "/" {
			f.Target, f.AwayOK = e.Target, e.AwayOK
		}
	}
	return f
}

func seconds(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Problems says what is wrong, by field: "name", "path", "target", "deadline", "status", "delay",
// "times", "timeout", "parallel", "away". Empty when it can be saved.
func (f EndpointForm) Problems(others []capture.Endpoint) map[string]string {
	out := map[string]string{}
	_, bad := f.endpoint()
	maps.Copy(out, bad)
	for _, o := range others {
		if o.Name == f.Old {
			continue
		}
		if o.Name == strings.TrimSpace(f.Name) {
			out["name"] = text.T("form.name.taken")
		}
		if o.Path == cleanPath(f.Path) {
			out["path"] = text.T("form.path.taken", o.Name)
		}
	}
	return out
}

// Saved says that the form was saved as e: an empty secret is left out.
func (f EndpointForm) Saved(e capture.Endpoint) string {
	if slices.ContainsFunc(f.Secrets, func(s string) bool { return strings.TrimSpace(s) == "" }) {
		return text.T("endpoint.saved.empty", e.Name)
	}
	return text.T("endpoint.saved", e.Name)
}

// Endpoint is the endpoint that the form describes; ask Problems first.
func (f EndpointForm) Endpoint() capture.Endpoint {
	e, _ := f.endpoint()
	return e
}

func (f EndpointForm) endpoint() (capture.Endpoint, map[string]string) {
	bad := map[string]string{}
	e := capture.Endpoint{
		Name: strings.TrimSpace(f.Name), Path: cleanPath(f.Path), Provider: f.Provider, AwayOK: f.AwayOK, Reply: f.Reply,
		KeepHost: f.KeepHost, SelfSigned: f.SelfSigned, Strict: f.Strict, ForwardRefused: f.ForwardRefused,
		PassChecks: f.PassChecks,
		Secrets:    slices.Clone(f.Kept),
	}
	for _, s := range f.Secrets {
		if s = strings.TrimSpace(s); s != "" {
			e.Secrets = append(e.Secrets, capture.Secret(s))
		}
	}
	switch {
	case e.Name == "":
		bad["name"] = text.T("form.name.empty")
	case len(e.Name) > 60 || Clean(e.Name, 100) != e.Name:
		bad["name"] = text.T("form.name.bad")
	}
	if !strings.HasPrefix(e.Path, "/") || strings.ContainsAny(e.Path, " ?#\t") {
		bad["path"] = text.T("form.path.bad")
	}
	target, err := Target(f.Target)
	switch {
	case err != nil:
		bad["target"] = err.Error()
	case target != "" && !local(target) && !f.AwayOK:
		bad["away"] = text.T("form.target.away")
	case e.SelfSigned && !local(target):
		bad["target"] = text.T("form.target.selfsigned")
	}
	e.Target = target
	f.numbers(&e, bad)
	return e, bad
}

// numbers reads the fields that are numbers.
func (f EndpointForm) numbers(e *capture.Endpoint, bad map[string]string) {
	e.Deadline = span(f.Deadline, "deadline", time.Hour, bad)
	e.Timeout = span(f.Timeout, "timeout", 24*time.Hour, bad)
	if strings.TrimSpace(f.Timeout) == "0" {
		e.Timeout = -1
	}
	e.Parallel = whole(f.Parallel, "parallel", 0, maxParallel, bad)
	if f.Reply == capture.FixedReply {
		e.Fixed.Status = whole(f.Status, "status", 200, 599, bad)
		e.Fixed.Delay = span(f.Delay, "delay", time.Hour, bad)
		e.Fixed.Times = whole(f.Times, "times", 0, 1_000_000, bad)
		e.Fixed.Body = f.Body
	}
}

// span reads seconds.
func span(s, field string, most time.Duration, bad map[string]string) time.Duration {
	if s = strings.TrimSpace(s); s == "" {
		return 0
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 0 || f > most.Seconds() || f != f {
		bad[field] = text.T("form.seconds.bad", text.Number(int64(most.Seconds())))
		return 0
	}
	return time.Duration(f * float64(time.Second))
}

// whole reads a whole number; "" is the least one allowed only where that is 0.
func whole(s, field string, least, most int, bad map[string]string) int {
	if s = strings.TrimSpace(s); s == "" && least == 0 {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		bad[field] = text.T("form.whole.bad", text.Number(int64(least)), text.Number(int64(most)))
		return 0
	}
	return n
}

// cleanPath puts a slash in front, and takes the ones at the end away.
func cleanPath(p string) string {
	p = strings.TrimSpace(p)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	if t := strings.TrimRight(p, "/"); t != "" {
		return t
	}
	return "/"
}

// Target puts a target in order: "3000" is "http://localhost:3000". The error says what is wrong.
func Target(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(s, ":")); err == nil && n > 0 && n < 65536 {
		return "http://localhost:" + strconv.Itoa(n), nil
	}
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Hostname() == "":
		return "", fmt.Errorf("%s", text.T("form.target.bad"))
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("%s", text.T("form.target.scheme"))
	case u.User != nil:
		return "", fmt.Errorf("%s", text.T("form.target.user"))
	case u.Fragment != "":
		return "", fmt.Errorf("%s", text.T("form.target.bad"))
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return "", fmt.Errorf("%s", text.T("form.target.port"))
		}
	}
	return u.String(), nil
}

// TargetNote says what a person should know of a target that can be saved; "" for nothing.
func TargetNote(target string) string {
	u, err := url.Parse(target)
	if err != nil || target == "" {
		return ""
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		return text.T("form.target.any")
	}
	if u.Path != "" && u.Path != "/" {
		return text.T("form.target.path", u.Path)
	}
	return ""
}

// Learned returns the secrets of the endpoint, if it had none when it was
// opened as was, and has some by now.
func (f EndpointForm) Learned(was EndpointForm, all []capture.Endpoint) ([]capture.Secret, bool) {
	i := slices.IndexFunc(all, func(e capture.Endpoint) bool { return e.Name == f.Old })
	if i < 0 || len(was.Kept) > 0 || len(all[i].Secrets) == 0 {
		return nil, false
	}
	return slices.Clone(all[i].Secrets), true
}
