package capture

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func captured(head, body string) *Request {
	_, target, _ := Head(head).Line()
	r := &Request{Seq: 7, ID: "req_7", Kind: Delivery, Endpoint: "e", Peer: "192.0.2.1", URL: publicURL("https://h.example", target), Head: Head(head), Body: []byte(body), Answered: 200}
	r.Header = r.Head.Header()
	return r
}

const odd = "POST /in?a=%2f&a HTTP/1.1\r\nhost:h\r\nX-Sig :  1 \r\nX-Fold: a\r\n  b\r\nContent-length: 2\r\nX-Sig: 2\n\r\n"

func TestWhatIsNotEditedKeepsItsBytes(t *testing.T) {
	t.Parallel()
	r := captured(odd, "{}")
	for name, c := range map[string]struct {
		edit func(*Edit)
		head string
		url  string
	}{
		"nothing": {func(*Edit) {}, odd, r.URL},
		"body": {
			func(e *Edit) { e.Body = []byte("{ }") },
			"POST /in?a=%2f&a HTTP/1.1\r\nhost:h\r\nX-Sig :  1 \r\nX-Fold: a\r\n  b\r\nContent-length: 3\r\nX-Sig: 2\n\r\n", r.URL,
		},
		"one header": {
			func(e *Edit) { e.Fields[4].Value = "3" },
			"POST /in?a=%2f&a HTTP/1.1\r\nhost:h\r\nX-Sig :  1 \r\nX-Fold: a\r\n  b\r\nContent-length: 2\r\nX-Sig: 3\r\n\r\n", r.URL,
		},
		"a folded header": {
			func(e *Edit) { e.Fields[2].Value = "a c" },
			"POST /in?a=%2f&a HTTP/1.1\r\nhost:h\r\nX-Sig :  1 \r\nX-Fold: a c\r\nContent-length: 2\r\nX-Sig: 2\n\r\n", r.URL,
		},
		"headers added and taken away": {
			func(e *Edit) {
				e.Fields = append(e.Fields[1:2:2], EditField{Field: Field{"x-new", "1"}})
			},
			"POST /in?a=%2f&a HTTP/1.1\r\nX-Sig :  1 \r\nx-new: 1\r\n\r\n", r.URL,
		},
		"a length that is wrong": {
			func(e *Edit) { e.Fields[3].Value = "99" },
			odd, r.URL,
		},
		"path and method": {
			func(e *Edit) { e.Method, e.Target = "PUT", "/out?b" },
			"PUT /out?b" + odd[len("POST /in?a=%2f&a"):], "https://h.example/out?b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := EditOf(r)
			c.edit(e)
			made, err := e.Make()
			require.NoError(t, err)
			require.Equal(t, c.head, string(made.Head))
			require.Equal(t, c.url, made.URL)
			require.Equal(t, string(e.Body), string(made.Body))
			require.Equal(t, made.Head.Header(), made.Header)
			require.Equal(t, []any{Made, r.ID, ID(""), Seq(0), "", 0, "e"}, []any{made.Kind, made.From, made.ID, made.Seq, made.Peer, made.Answered, made.Endpoint})
			require.Equal(t, odd, string(r.Head), "the original stays")
			require.Equal(t, "{}", string(r.Body))
		})
	}
}

func TestWhatIsNoRequestIsNotMade(t *testing.T) {
	t.Parallel()
	for says, edit := range map[string]func(*Edit){
		`"" is no method`:           func(e *Edit) { e.Method = "" },
		`"P OST" is no method`:      func(e *Edit) { e.Method = "P OST" },
		`"CONNECT" is no method`:    func(e *Edit) { e.Method = "CONNECT" },
		"begins with /":             func(e *Edit) { e.Target = "in" },
		"no spaces":                 func(e *Edit) { e.Target = "/in x" },
		`"" is no name`:             func(e *Edit) { e.Fields = append(e.Fields, EditField{}) },
		`"a b" is no name`:          func(e *Edit) { e.Fields[0].Name = "a b" },
		"a control character":       func(e *Edit) { e.Fields[0].Value = "a\r\nInjected: b" },
		"X-Fold has a control":      func(e *Edit) { e.Fields[2].Value = "\x00" },
		`"Pö" is no name of a`:      func(e *Edit) { e.Fields[0].Name = "Pö" },
		"path has no spaces: write": func(e *Edit) { e.Target = "/\n" },
	} {
		e := EditOf(captured(odd, "{}"))
		edit(e)
		_, err := e.Make()
		require.ErrorContains(t, err, says)
	}
}

func FuzzEdit(f *testing.F) {
	f.Add([]byte(odd))
	f.Add([]byte("GET /"))
	f.Add([]byte("GET / HTTP/1.1\nA: 1\n  2\n\nrest\r\n\r\n"))
	f.Add([]byte("\x00\n \n:\r\r\n\r\n"))
	f.Fuzz(func(t *testing.T, head []byte) {
		r := captured(string(head), "x")
		made, err := EditOf(r).Make()
		if err != nil {
			return
		}
		require.Equal(t, string(head), string(made.Head[:min(len(head), len(made.Head))]), "as it came, but for an end that was cut off")
		require.Equal(t, r.URL, made.URL)
		e := EditOf(r)
		e.Fields = append(e.Fields, EditField{Field: Field{"X-New", "1"}})
		if made, err = e.Make(); err == nil {
			require.Equal(t, "1", made.Header.Get("X-New"))
		}
	})
}
