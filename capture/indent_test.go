package capture

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIndentLaysOutWhatHasRoomAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"a":[1,2,{"b":"x,[\"]"}],"c":{}}`, `[]`, `"text"`, ` [1] `} {
		var want bytes.Buffer
		require.NoError(t, json.Indent(&want, []byte(strings.TrimSpace(body)), "", "  "))
		got, ok := Indent([]byte(body), "  ", 1<<10)
		require.True(t, ok, body)
		require.Equal(t, want.String(), string(got))
		require.GreaterOrEqual(t, indentedSize([]byte(body), 2, 1<<10), want.Len())
	}
	for name, body := range map[string]string{
		"no JSON":                      `{"a"`,
		"deep, with much at its depth": strings.Repeat("[", 9000) + strings.Repeat("0,", 1000) + "0" + strings.Repeat("]", 9000),
		"too large as it is":           `"` + strings.Repeat("a", 1<<20) + `"`,
	} {
		_, ok := Indent([]byte(body), "  ", 1<<20)
		require.False(t, ok, name)
	}
}
