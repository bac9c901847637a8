package capture

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASetUpCheckIsKnownByWhatItAsksFor(t *testing.T) {
	t.Parallel()
	field := func(name string) []Field { return []Field{{name, "x"}} }
	for _, tt := range []struct {
		method, target string
		fields         []Field
		want           bool
	}{
		{"GET", "/in?hub.mode=subscribe&hub.verify_token=t&hub.challenge=1158201444", nil, true},
		{"GET", "/in?challenge=x", nil, true},
		{"GET", "/in?hub%2Echallenge=x", nil, true},
		{"GET", "/in?crc_token=x", nil, true},
		{"GET", "/okta", field("X-Okta-Verification-Challenge"), true},
		{"GET", "/okta", field("x-okta-verification-token"), true},
		{"GET", "/challenge", nil, false},
		{"GET", "/in?q=challenge", nil, false},
		{"GET", "/in?%zz", nil, false},
		{"GET", "/favicon.ico", field("Accept"), false},
		{"POST", "/in?challenge=x", nil, false},
		{"HEAD", "/in?challenge=x", nil, false},
	} {
		r := &Request{Method: tt.method, Head: NewHead(tt.method, tt.target, tt.fields...)}
		r.Header = r.Head.Header()
		require.Equal(t, tt.want, wantsAnswer(r), "%s %s %v", tt.method, tt.target, tt.fields)
	}
}
