package capture

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheOutermostNamesOfABodyAreFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{"a":1,"b":{"c":2,"d":[{"e":3}]},"f":"x,\"y\":{","g":[1,2]}`: {"a", "b", "f", "g"},
		" \r\n\t[ {\"a\" : \"b\" , \"c\":null},{\"d\":1}]":            {"a", "c"},
		`{"a":1}` + "\n" + `{"b":1}`:                                  {"a"},
		`{"\u0061":1,"a\"b":2}`:                                       {`\u0061`, `a\"b`},
		`{"a":"\\","b":1}`:                                            {"a", "b"},
		`{}`:                                                          nil,
		`[]`:                                                          {"[]"}, // neither an object nor a list of them
		`[1,2]`:                                                       {"[1,2]"},
		`[[{"a":1}]]`:                                                 {`[[{"a":1}]]`},
		``:                                                            nil,
		` `:                                                           nil,
		`a=1&b%5B%5D=2&c`:                                             {"a", "b%5B%5D", "c"},
		`{"a`:                                                         {"a"},
		`{"a":"b`:                                                     {"a"},
		`{"a\`:                                                        {`a\`},
		`"a"`:                                                         {`"a"`},
	} {
		var got []string
		for name := range members([]byte(body)) {
			got = append(got, string(name))
		}
		require.Equal(t, want, got, body)
		for range members([]byte(body)) {
			break // whoever has enough may leave
		}
	}
}

// FuzzMembers compares our look at a body with the standard library's decoder.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":[{"c":"}"}],"d":"\",\"e\":"}`, `[{"a":{}},{"b":1}]`, ` {"\u0061" : null }`, "a=b&c", `{"a`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := map[string]bool{}
		for name := range members([]byte(s)) {
			var text string
			if json.Unmarshal([]byte(`"`+string(name)+`"`), &text) == nil {
				got[text] = true
			}
		}
		var want map[string]json.RawMessage
		if json.Unmarshal([]byte(s), &want) != nil {
			return
		}
		for name := range want {
			require.True(t, got[name], "%q of %s", name, s)
		}
		require.True(t, want == nil || len(got) == len(want), s)
	})
}
