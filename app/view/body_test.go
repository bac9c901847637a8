package view_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
)

func typed(contentType, body string) view.Body {
	return view.Body{Bytes: []byte(body), Header: http.Header{"Content-Type": {contentType}}}
}

func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestPrettyKeepsEveryNumberNameAndRepeat(t *testing.T) {
	t.Parallel()
	in := `{"id":1152921506151679042,"u":18014398509481984419,"f":1.0,"e":1E400,"n":-0,"d":{"a":1,"a":2},"z":[]}`
	d := typed("application/json", in).Show(view.Pretty)
	require.True(t, d.JSON)
	require.Equal(t, in, string(d.Bytes), "laid out by what draws it, token by token")
}

func TestJSONIsSeenWhateverTheContentTypeSays(t *testing.T) {
	t.Parallel()
	b := typed("text/plain", "{\"a\":\t1}\n\n")
	require.Equal(t, view.Pretty, b.Renderings()[0])
	require.True(t, b.Show(view.Pretty).JSON)
	require.Equal(t, "{\"a\":\t1}\n\n", string(b.Show(view.Raw).Bytes), "raw is every byte")
}

func TestWhatOnlyBeginsLikeJSONIsShownAsItCame(t *testing.T) {
	t.Parallel()
	d := typed("application/json", `{"a":`).Show(view.Pretty)
	require.Equal(t, `{"a":`, string(d.Bytes))
	require.NotEmpty(t, d.Notes)
}

func TestAFormShowsItsFieldsAndTheJSONInside(t *testing.T) {
	t.Parallel()
	d := typed("application/x-www-form-urlencoded", "payload=%7B%22zen%22%3A%22a+b%20c%22%7D&x=1&x=2&bad=%zz").Show(view.Pretty)
	require.Contains(t, string(d.Bytes), "payload:\n{\n  \"zen\": \"a b c\"\n}")
	require.Contains(t, string(d.Bytes), "x: 1\nx: 2\nbad: %zz")
	require.Len(t, d.Notes, 1, "labelled as a rendering")
}

func TestPartsAreShownInTheirOwnCharset(t *testing.T) {
	t.Parallel()
	body := "--B\r\nContent-Disposition: form-data; name=\"text\"\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\ncaf\xe9\r\n" +
		"--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\xe9\r\n\r\n--B--\r\n"
	d := typed("multipart/form-data; boundary=B", body).Show(view.Pretty)
	require.Contains(t, string(d.Bytes), "café")
	require.Contains(t, string(d.Bytes), "00 e9 0d 0a", "what is not text is shown as hex, its line end included")
	require.Contains(t, string(d.Bytes), "a.bin")
	require.NotContains(t, string(d.Bytes), "\uFFFD")
}

func TestAGzipBodyIsUnpackedForThePrettyViewOnly(t *testing.T) {
	t.Parallel()
	b := view.Body{Bytes: packed(t, []byte(`{"foo":"bar"}`)), Header: http.Header{"Content-Encoding": {"gzip"}}}
	require.Equal(t, `{"foo":"bar"}`, string(b.Show(view.Pretty).Bytes))
	require.Equal(t, b.Bytes, b.Show(view.Hex).Bytes, "the bytes as they came")
}

func TestADecompressionBombIsCut(t *testing.T) {
	t.Parallel()
	b := view.Body{Bytes: packed(t, make([]byte, 64<<20)), Header: http.Header{"Content-Encoding": {"gzip"}}}
	d := b.Show(view.Pretty)
	require.LessOrEqual(t, len(d.Bytes), 32<<20)
	require.Contains(t, strings.Join(d.Notes, " "), "cut at")
}

func TestBrokenGzipSaysSo(t *testing.T) {
	t.Parallel()
	data := packed(t, bytes.Repeat([]byte("abc"), 1000))
	b := view.Body{Bytes: data[:len(data)-6], Header: http.Header{"Content-Encoding": {"gzip"}}}
	require.Contains(t, strings.Join(b.Show(view.Pretty).Notes, " "), "damaged")
}

func TestBytesThatAreNoTextAreNeverLost(t *testing.T) {
	t.Parallel()
	b := typed("", "a\xffb")
	require.Equal(t, view.Hex, b.Renderings()[0])
	require.Equal(t, "a\xffb", string(b.Show(view.Raw).Bytes))
	require.Contains(t, strings.Join(b.Show(view.Raw).Notes, " "), "Not UTF-8")
}

func FuzzBody(f *testing.F) {
	f.Add("application/json", "", `{"a":1}`)
	f.Add("application/x-www-form-urlencoded", "", "a=%7B%7D&b")
	f.Add("multipart/form-data; boundary=B", "", "--B\r\n\r\nx\r\n--B--")
	f.Add("text/plain; charset=big5", "gzip", "\x1f\x8b")
	f.Fuzz(func(t *testing.T, contentType, coding, body string) {
		b := view.Body{Bytes: []byte(body), Header: http.Header{"Content-Type": {contentType}, "Content-Encoding": {coding}}}
		for _, as := range b.Renderings() {
			b.Show(as)
		}
		require.Equal(t, body, string(b.Bytes), "a rendering changes nothing")
	})
}
