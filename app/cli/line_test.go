package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestTheFirstLineSaysWhereAnyHookListensAndWhyNotWhereItWasAskedTo(t *testing.T) {
	t.Parallel()
	for want, l := range map[string]readyLine{
		"listening on http://127.0.0.1:4080, forwarding nothing (no --target)":                                           {LocalURL: "http://127.0.0.1:4080"},
		"listening on http://127.0.0.1:4081 (another program listens on port 4080), forwarding to http://localhost:3000": {LocalURL: "http://127.0.0.1:4081", Target: "http://localhost:3000", PortTaken: 4080},
		"listening on http://127.0.0.1:4080, public https://x.example, forwarding to http://localhost:3000":              {LocalURL: "http://127.0.0.1:4080", Target: "http://localhost:3000", PublicURL: "https://x.example"},
	} {
		require.Equal(t, want, l.String())
	}
	b, err := json.Marshal(readyLine{Kind: "ready", LocalURL: "http://127.0.0.1:4081", PortTaken: 4080})
	require.NoError(t, err)
	require.JSONEq(t, `{"kind":"ready","local_url":"http://127.0.0.1:4081","public_url":"","target":"","port_taken":4080}`, string(b))
}

// People read the time where they are, to the millisecond; programs, in UTC and exactly.
func TestTimesAreForWhoReadsThem(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)
	l := newRequestLine(&capture.Request{Seq: 1, ID: "req_1", Kind: capture.Delivery, At: at, Method: "POST"})
	require.Equal(t, "2026-11-30T12:00:00.123456789Z", l.At)
	said, err := time.Parse(time.RFC3339, human(at))
	require.NoError(t, err)
	require.True(t, said.Equal(at.Truncate(time.Millisecond)))
	require.Contains(t, l.String(), "1  "+human(at)+"  req_1  POST")
}
