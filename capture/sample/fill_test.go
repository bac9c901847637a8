package sample

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWordsAreFilledIn(t *testing.T) {
	t.Parallel()
	f := filling{seed: "s", now: time.Date(2026, 11, 30, 12, 0, 0, 5000, time.UTC)}
	for word, want := range map[string]string{
		"{{hex:70}}":                           `^[0-9a-f]{70}$`,
		"{{base62:3}}":                         `^[0-9A-Za-z]{3}$`,
		"{{digits:9}}":                         `^[1-9][0-9]{8}$`,
		"{{zeros:3}}":                          `^000$`,
		"{{unix}}":                             `^1796040000$`,
		"{{unix-1s}}":                          `^1796039999$`,
		"{{milli+2s}}":                         `^1796040002000$`,
		"{{iso}}":                              `^2026-11-30T12:00:00Z$`,
		"{{isomicro}}":                         `^2026-11-30T12:00:00.000005Z$`,
		"{{isomilli}}":                         `^2026-11-30T12:00:00.000Z$`,
		"{{rfc2822}}":                          `^Mon%2C\+30\+Nov\+2026\+12%3A00%3A00\+%2B0000$`,
		"{{slack}}":                            `^1796040000.000005$`,
		`{"a":{"b":{{unix}}}}`:                 `^{"a":{"b":1796040000}}$`,
		"{{hex:4}}":                            `^[0-9a-f]{4}$`,
		"{{uuid}}|{{uuid}}|{{uuid#x}} and end": ` and end$`,
	} {
		got, err := fill(word, f)
		require.NoError(t, err, word)
		require.Regexp(t, want, got, word)
	}
	same, err := fill("{{uuid}}", f)
	require.NoError(t, err)
	other, err := fill("{{uuid#x}}", f)
	require.NoError(t, err)
	require.NotEqual(t, same, other)
	for _, bad := range []string{"{{nothing}}", "{{", "{{unix+s}}", "{{hex:x}}"} {
		_, err := fill(bad, f)
		require.Error(t, err, bad)
	}
}
