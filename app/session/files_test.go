package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// contents are the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		out[e.Name()] = string(b)
	}
	return out
}

// What is exported and read back in another place is the same to the byte, has
// the same verdict as of its arrival, is not forwarded by itself, and is
// replayed like the original.
func TestExportedRequestsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	secret := capture.Endpoint{Name: "git", Path: "/git", Provider: "github", Secrets: []capture.Secret{githubSecret}}
	h := handle(t, taken)
	d := begin(t, all(h.url), secret)
	raws := []string{
		posted("/in", `{"name":"I'm","sh":"$(id) \\ "}`, "x-odd-Spelling:  two  blanks ", "X-DUP: 1", "x-dup: 2", "X-Empty:"),
		"POST /in?n=O'Neil&p=%2f HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 37\r\n\r\nparam=mp%2B8%2Fay70X&raw=a+b&q=%5C%5C",
		"POST /in HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\r\n\r\n0\r\n\r\n",
		"POST /in HTTP/1.1\nHost: h\nContent-Length: 7\n\n\xef\xbb\xbf{\xff\x00}",
		github("/git", `{"id":"..\\..\\x"}`, githubSecret, "X-GitHub-Delivery: ../../../../etc/pwned"),
	}
	var rs []*capture.Request
	for i, raw := range raws {
		status, _ := d.say(raw)
		require.Equal(t, 200, status, raw)
		rs = append(rs, d.stored(capture.Seq(i+1)))
	}
	dir := t.TempDir()
	files, err := d.Export(t.Context(), dir, "fixture", false, ids(rs...))
	require.NoError(t, err)
	first := contents(t, dir)
	require.NotEmpty(t, files)
	_, err = d.Export(t.Context(), dir, "fixture", false, ids(rs...))
	require.NoError(t, err)
	require.Equal(t, first, contents(t, dir), "the same export changes a byte")
	d.say(posted("/in", `{"id":"sixth"}`))
	_, err = d.Export(t.Context(), dir, "fixture", false, append(ids(rs...), d.stored(6).ID))
	require.NoError(t, err)
	for name, text := range first {
		if name != "manifest.json" {
			require.Equal(t, text, contents(t, dir)[name], name)
		}
	}

	handler := handle(t, taken)
	other := begin(t, all(handler.url), secret)
	n, err := other.Import(t.Context(), []string{dir})
	require.NoError(t, err)
	require.Equal(t, 6, n)
	var back []*capture.Request
	for i := range raws {
		was := rs[i]
		r := other.stored(capture.Seq(i + 1))
		back = append(back, r)
		require.NotEqual(t, was.ID, r.ID)
		require.Equal(t, capture.Imported, r.Kind)
		require.Equal(t, string(was.Head), string(r.Head))
		require.Equal(t, string(was.Body), string(r.Body))
		require.Equal(t, was.URL, r.URL)
		require.True(t, was.At.Equal(r.At))
		require.Equal(t, was.Signature, r.Signature)
		require.Len(t, r.Events, len(was.Events))
		other.stands(capture.Seq(i+1), "kept")
	}
	require.Empty(t, handler.all())
	require.Equal(t, len(raws), other.replayed(once(back...), handler.url).OK)
	compare := handle(t, taken)
	require.Equal(t, len(raws), d.replayed(once(rs...), compare.url).OK)
	for i, x := range handler.all() {
		require.Equal(t, string(compare.all()[i].body), string(x.body))
		require.Equal(t, fieldsOf(compare.all()[i]), fieldsOf(x))
	}
}

// fieldsOf are the fields of the provider: what AnyHook adds, and the Host, differ.
func fieldsOf(x heard) []capture.Field {
	return slices.DeleteFunc(slices.Collect(x.head.Fields()), func(f capture.Field) bool {
		return f.Name == "Host" || len(f.Name) > 9 && f.Name[:9] == "X-AnyHook"
	})
}

func TestAnImportThatCannotBeReadAddsNothing(t *testing.T) {
	t.Parallel()
	d := begin(t)
	d.say(posted("/in", `{"a":1}`))
	dir := t.TempDir()
	_, err := d.Export(t.Context(), dir, "fixture", true, ids(d.stored(1)))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "*.body"))
	require.NoError(t, err)
	require.NotEmpty(t, files, contents(t, dir))
	require.NoError(t, os.WriteFile(files[0], []byte("altered"), 0o600))
	_, err = d.Import(t.Context(), []string{dir})
	require.ErrorContains(t, err, filepath.Base(files[0]))
	require.EqualValues(t, 1, d.Status().Requests)
	_, err = d.Import(t.Context(), []string{t.TempDir()})
	require.Error(t, err)
	_, err = d.Export(t.Context(), dir, "docx", true, ids(d.stored(1)))
	require.ErrorContains(t, err, "want fixture or curl")
	_, err = d.Export(t.Context(), dir, "fixture", true, []capture.ID{"req_none"})
	require.ErrorIs(t, err, ErrNotFound)
}
