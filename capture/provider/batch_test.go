package provider

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

// eachBatch runs a test over all requests that can be taken apart.
func eachBatch(t *testing.T, test func(t *testing.T, p capture.Provider, r *capture.Request, parts [][]byte)) {
	t.Helper()
	for _, p := range All {
		if p.Batch == nil {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			tried := 0
			for _, r := range requestsOf(t, p) {
				parts, err := p.Batch(r)
				if err != nil {
					require.ErrorIs(t, err, errEmptyBatch, "%s", r.Body)
					continue
				}
				tried++
				test(t, p, r, parts)
			}
			require.Positive(t, tried)
		})
	}
}

// reread are the events of r with the parts for a body. What is of the batch as
// a whole, and not of its parts, is left out.
func reread(t *testing.T, p capture.Provider, r *capture.Request, parts ...[]byte) []capture.Event {
	t.Helper()
	c := r.Clone()
	require.NoError(t, p.Join(c, parts))
	events, err := p.Events(c)
	require.NoError(t, err, "%s", c.Body)
	if p.Name == "xero" {
		for i := range events {
			events[i].Order = 0 // numbered by the place in the batch
		}
	}
	return events
}

func TestABatchTakenApartAndPutTogetherIsTheSame(t *testing.T) {
	t.Parallel()
	regrouped := []string{"meta", "quickbooks", "x"} // entries, companies and lists are not merged again
	eachBatch(t, func(t *testing.T, p capture.Provider, r *capture.Request, parts [][]byte) {
		t.Helper()
		before := string(r.Body)
		events, err := p.Events(r)
		require.NoError(t, err)
		require.Len(t, parts, len(events))
		c := r.Clone()
		require.NoError(t, p.Join(c, parts))
		again, err := p.Events(c)
		require.NoError(t, err)
		require.Equal(t, events, again)
		if !slices.Contains(regrouped, p.Name) {
			require.Equal(t, before, string(c.Body))
		}
		require.Equal(t, before, string(r.Body), "the original stays")
	})
}

func TestTheEventsOfABatchCanBeSentInAnyOtherWay(t *testing.T) {
	t.Parallel()
	eachBatch(t, func(t *testing.T, p capture.Provider, r *capture.Request, parts [][]byte) {
		t.Helper()
		events := reread(t, p, r, parts...)
		for i, part := range parts {
			require.Equal(t, events[i:i+1], reread(t, p, r, part), "each on its own")
		}
		if len(parts) == 1 {
			return
		}
		turned := slices.Clone(parts)
		slices.Reverse(turned)
		require.ElementsMatch(t, events, reread(t, p, r, turned...), "in another order")
		require.Len(t, reread(t, p, r, slices.Concat(parts, parts)...), 2*len(events), "twice as many")
	})
}

func TestPartsAreTheBytesThatCame(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"hubspot":  {`{ "a" : 1 }`, `{"b":2.50}`},
		"sendgrid": {`{ "a" : 1 }`, `{"b":2.50}`},
		"line":     {`{ "a" : 1 }`, `{"b":2.50}`},
	} {
		body := "[ { \"a\" : 1 } ,\n{\"b\":2.50}]\r\n"
		if name == "line" {
			body = `{"events":` + body + "}"
		}
		p := row(t, name)
		r := &capture.Request{Body: []byte(body)}
		parts, err := p.Batch(r)
		require.NoError(t, err)
		for i := range want {
			require.Equal(t, want[i], string(parts[i]))
		}
		c := r.Clone()
		require.NoError(t, p.Join(c, parts))
		require.Equal(t, body, string(c.Body))
		require.NoError(t, p.Join(c, parts[1:]))
		require.Contains(t, string(c.Body), `[ {"b":2.50}]`)
	}
}

func TestWhatIsNoBatchIsNotTakenForOne(t *testing.T) {
	t.Parallel()
	for _, p := range All {
		if p.Batch == nil {
			continue
		}
		require.Error(t, p.Join(&capture.Request{Body: []byte(`[]`)}, nil), p.Name)
		for _, body := range []string{`[]`, `{"events":[],"value":[],"entry":[],"logs":[],"notificationItems":[],"data":{"events":[]},"list_folder":{"accounts":[]},"notifications":[]}`, `[1,2`} {
			r := &capture.Request{Body: []byte(body)}
			parts, err := p.Batch(r)
			require.True(t, err != nil || len(parts) == 1, "%s: %s", p.Name, body)
			require.Error(t, p.Join(r, [][]byte{[]byte(`{}`), []byte(`{`)}), "%s: half of a part", p.Name)
			require.Equal(t, body, string(r.Body), p.Name)
		}
	}
}

// FuzzBatch looks for a body that cannot be put together again as it was.
func FuzzBatch(f *testing.F) {
	for _, bodies := range ownBodies {
		for _, body := range bodies {
			f.Add([]byte(body))
		}
	}
	f.Add([]byte(`{"_events":[{}],"_events":[{}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, p := range All {
			r := &capture.Request{Method: "POST", Body: body, Header: map[string][]string{}}
			before := string(body)
			if p.Mark != nil && p.Mark(r.Clone(), 2) == nil {
				require.Equal(t, before, string(body), p.Name)
			}
			if p.Batch == nil {
				continue
			}
			parts, err := p.Batch(r)
			if err != nil {
				continue
			}
			require.NotEmpty(t, parts)
			c := r.Clone()
			if p.Join(c, parts) != nil {
				continue
			}
			require.Equal(t, before, string(body), p.Name)
			again, err := p.Batch(c)
			require.NoError(t, err, "%s: %s", p.Name, c.Body)
			require.Len(t, again, len(parts), "%s: %s", p.Name, c.Body)
		}
	})
}
