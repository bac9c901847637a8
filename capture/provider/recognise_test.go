package provider

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// everybody asks every row about every body.
var everybody = func() *capture.Providers {
	rows := slices.Clone(All)
	for i := range rows {
		rows[i].Members = nil
	}
	return capture.NewProviders(rows...)
}()

func sender(p *capture.Provider) string {
	if p == nil {
		return ""
	}
	return p.Name
}

func TestWhoIsNotAskedWouldHaveSaidNo(t *testing.T) {
	t.Parallel()
	byBody := map[string]bool{}
	check := func(r *capture.Request, what string) {
		bare := r.Clone()
		bare.Header = http.Header{}
		if kind := r.Header.Get("Content-Type"); kind != "" {
			bare.Header.Set("Content-Type", kind)
		}
		require.Equal(t, sender(everybody.Of(r)), sender(Known.Of(r)), what)
		require.Equal(t, sender(everybody.Of(bare)), sender(Known.Of(bare)), what)
		byBody[sender(Known.Of(bare))] = true
	}
	for _, v := range loadVectors(t) {
		check(v.request(t), v.ID)
	}
	for _, dir := range []string{"payloads", "strangers"} {
		for _, p := range loadPayloads(t, dir) {
			check(p.request(t), p.Provider+"/"+p.Name)
		}
	}
	for _, body := range []string{
		`{"obj\u0065ct":"event","id":"evt_1"}`, "Account%53id=AC1&Body=a+b", "a+b=1&AccountSid=AC1", `[{"id":1}]`, ` {"object":"event","id":"evt_1"}`,
	} {
		for _, kind := range []string{"application/json", "application/x-www-form-urlencoded"} {
			check(posted(body, "Content-Type", kind), body)
		}
	}
	require.Greater(t, len(byBody), 45, "nearly all who look into bodies are among them")
}

// FuzzRecognise looks for a body that is taken for somebody else's when not everybody is asked.
func FuzzRecognise(f *testing.F) {
	for _, v := range loadVectors(f) {
		f.Add(v.Headers["Content-Type"], v.Body)
	}
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		r := &capture.Request{Method: http.MethodPost, Body: body, Header: http.Header{"Content-Type": {kind}}}
		if k := value(body).kind(); (k == '{' || k == '[') && (isForm(r) || !json.Valid(body)) {
			return // broken, or a form that looks like JSON: nobody sends that
		}
		require.Equal(t, sender(everybody.Of(r)), sender(Known.Of(r)))
	})
}
