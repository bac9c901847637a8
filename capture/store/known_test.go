package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestManyRequestsAreKnownAtOnceEachWithItsOwnEvents(t *testing.T) {
	t.Parallel()
	log := NewLog(openTemp(t))
	for i := range 30 {
		require.NoError(t, log.Append(t.Context(), delivery(i)))
	}
	readAll(t, log, func(r *capture.Request) {
		for i := range int(r.Seq) % 4 {
			r.Events = append(r.Events, event(string(r.ID)+string(rune('a'+i)), "o", i))
		}
	})
	for _, seqs := range [][]capture.Seq{nil, {17}, {30, 29, 2, 11}, {4, 999, 27, 8}} {
		var want []*capture.Request
		for _, seq := range seqs {
			if r, err := log.BySeq(t.Context(), seq); err == nil {
				r.Head, r.Body, r.Header = capture.Head{}, []byte{}, nil
				want = append(want, r)
			}
		}
		got, err := log.Known(t.Context(), seqs)
		require.NoError(t, err)
		require.Len(t, got, len(want))
		for i, r := range got {
			r.Head, r.Header = capture.Head{}, nil
			require.Equal(t, want[i], r)
		}
	}
}
