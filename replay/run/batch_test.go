package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// lines puts an event on each line of a body.
var lines = &capture.Provider{
	Name: "lines",
	Batch: func(r *capture.Request) ([][]byte, error) {
		if bytes.HasPrefix(r.Body, []byte("!")) {
			return nil, errors.New("no lines")
		}
		return bytes.Split(r.Body, []byte("\n")), nil
	},
	Join: func(r *capture.Request, parts [][]byte) error {
		r.Body = bytes.Join(parts, []byte("\n"))
		if len(parts) > 4 {
			return errors.New("too many lines")
		}
		return nil
	},
}

// batcher has requests A, B and C of three lines each, D that is another's, and E without lines.
func batcher(f *fakeSender) (*Runner, *[]*capture.Request) {
	r := runner(f)
	stored := &[]*capture.Request{}
	r.Request = func(_ context.Context, id capture.ID) (*capture.Request, error) {
		for _, made := range *stored {
			if made.ID == id {
				return made, nil
			}
		}
		if id == "gone" {
			return nil, nil
		}
		req := &capture.Request{ID: id, Body: fmt.Appendf(nil, "%s1\n%s2\n%s3", id, id, id)}
		if id == "E" {
			req.Body = []byte("!")
		}
		req.Head = capture.NewHead("POST", "/", capture.Field{Name: "content-length", Value: "8"})
		req.Header = req.Head.Header()
		return req, nil
	}
	r.Provider = func(r *capture.Request) (*capture.Provider, bool) { return lines, r.ID != "D" }
	r.Make = func(_ context.Context, r *capture.Request) (*capture.Request, error) {
		r.ID = capture.ID(fmt.Sprint("made", len(*stored)))
		*stored = append(*stored, r)
		return r, nil
	}
	return r, stored
}

func TestABatchIsMadeOnceOfTheEventsOfSeveralRequests(t *testing.T) {
	t.Parallel()
	f := &fakeSender{}
	r, stored := batcher(f)
	got, err := r.Run(t.Context(), noted(t, "A.3+B.1 A.0 C:A.1 A.3+B.1!lost|A A+B.2"), nil)
	require.NoError(t, err)
	requireAddsUp(t, got)
	require.Equal(t, []string{"made0", "made1", "made2", "made0+A", "made3"}, f.sent)
	var bodies []string
	for _, m := range *stored {
		require.Equal(t, capture.Made, m.Kind)
		require.Equal(t, fmt.Sprint(len(m.Body)), m.Header.Get("Content-Length"))
		require.Contains(t, string(m.Head), fmt.Sprintf("content-length: %d\r\n", len(m.Body)))
		bodies = append(bodies, string(m.Body))
	}
	require.Equal(t, []string{"A3\nB1", "A1\nA2\nA3", "A1", "A1\nA2\nA3\nB2"}, bodies)
	require.Equal(t, capture.ID("C"), (*stored)[2].From)
	require.Equal(t, "a batch of 2 events", (*stored)[0].Note)
}

func TestABatchThatCannotBeMadeIsSkippedAndSaid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"A.4":      "it has no event 4",
		"A+gone":   "the request is gone",
		"gone:A.1": "the request is gone",
		"D.1":      "its sender puts one event in a request: there are no batches",
		"A+D":      "a batch has events of one provider",
		"A+E":      "its events cannot be told apart: no lines",
		"A+B":      "its events cannot be put together: too many lines",
	} {
		r, stored := batcher(&fakeSender{})
		got, err := r.Run(t.Context(), noted(t, text), nil)
		require.NoError(t, err)
		require.Equal(t, want, got.Note)
		require.Equal(t, 1, got.Skipped)
		require.Empty(t, *stored)
		requireAddsUp(t, got)
	}
	r, _ := batcher(&fakeSender{})
	full := errors.New("disk full")
	r.Make = func(context.Context, *capture.Request) (*capture.Request, error) { return nil, full }
	_, err := r.Run(t.Context(), noted(t, "A.1 B"), nil)
	require.ErrorIs(t, err, full)
}

// A batch that is sent again after it was not acknowledged is the same one.
func TestABatchIsRetriedAsItWas(t *testing.T) {
	t.Parallel()
	f := &fakeSender{answer: func(n int, _ replay.Order) (replay.Outcome, error) {
		return replay.Outcome{Status: 100 * (6 - n)}, nil
	}}
	r, stored := batcher(f)
	got, err := r.Run(t.Context(), noted(t, "A.1+B A.1+B? A.1+B? A.1+B? A.1+B?"), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"made0", "made0", "made0", "made0"}, f.sent)
	require.Len(t, *stored, 1)
	require.Equal(t, 1, got.Spared)
	requireAddsUp(t, got)
}
