package wire_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture/wire"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	const head = "POST /x HTTP/1.1\r\nHost: h\r\n"
	tests := []struct{ name, raw, body, err string }{
		{"a body", head + "Content-Length: 2\r\n\r\n{}", "{}", ""},
		{"no body", head + "\r\n", "", ""},
		{"a body of no stated length", head + "\r\nabc\r\n", "abc\r\n", ""},
		{"a line end that an editor added", head + "Content-Length: 2\r\n\r\n{}\n", "{}", ""},
		{"bare line feeds", "POST /x HTTP/1.1\nHost: h\n\n{}", "{}", ""},
		{"chunks", head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", "{}", ""},
		{"chunks put together already", head + "Transfer-Encoding: chunked\r\n\r\n{\"a\":1}", "{\"a\":1}", ""},
		{"too short", head + "Content-Length: 3\r\n\r\n{}", "", "2 bytes"},
		{"too long", head + "Content-Length: 1\r\n\r\n{}", "", "2 bytes"},
		{"no end of the head", head, "", "no empty line"},
		{"no request line", "{}\r\n\r\n", "", "does not begin"},
		{"nothing", "", "", "no empty line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, body, err := wire.Split([]byte(tt.raw))
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.body, string(body))
		})
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"))
	f.Add([]byte("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n1\n{\n0\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		head, _, err := wire.Split(raw)
		if err == nil {
			require.True(t, bytes.HasPrefix(raw, head))
		}
	})
}
