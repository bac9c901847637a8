package view_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
)

func TestEveryPlaceOfJSONHasAPathAndAValue(t *testing.T) {
	t.Parallel()
	const doc = `{ "a": {"b":[1, {"c d": 12345678901234567890}]}, "s": "x\"y", "e": {}, "名": null }`
	for _, tt := range []struct{ at, path, value string }{
		{`"a"`, "$.a", `{"b":[1, {"c d": 12345678901234567890}]}`},
		{`1,`, "$.a.b[0]", "1"},
		{`67890`, `$.a.b[1]["c d"]`, "12345678901234567890"},
		{`"c d"`, `$.a.b[1]["c d"]`, "12345678901234567890"},
		{`{"c d"`, `$.a.b[1]`, `{"c d": 12345678901234567890}`},
		{`y"`, "$.s", `"x\"y"`},
		{`"e"`, "$.e", "{}"},
		{`{}`, "$.e", "{}"},
		{`null`, `$["名"]`, "null"},
		{` "a"`, "$", doc},
	} {
		path, value, ok := view.JSONAt([]byte(doc), strings.Index(doc, tt.at))
		require.True(t, ok, tt.at)
		require.Equal(t, tt.path, path, tt.at)
		require.Equal(t, tt.value, string(value), tt.at)
	}
	_, _, ok := view.JSONAt([]byte(`{"a":`), 1)
	require.False(t, ok)
	_, _, ok = view.JSONAt([]byte(`[1]`), 99)
	require.False(t, ok)
}

func FuzzJSONAt(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":null}]}`), 8)
	f.Add([]byte(`]`), 0)
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		path, value, ok := view.JSONAt(b, at)
		if ok && (!strings.HasPrefix(path, "$") || !json.Valid(value)) {
			t.Errorf("%q at %d: %s is %q", b, at, path, value)
		}
	})
}
