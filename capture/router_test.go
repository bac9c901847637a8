package capture

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRouteIsTheLongestPathByWholeSegments(t *testing.T) {
	t.Parallel()
	var r Router
	require.Equal(t, Endpoint{}, r.Route("/anything"))
	r.Set([]Endpoint{{Name: "all", Path: "/"}, {Name: "in", Path: "/in"}, {Name: "stripe", Path: "/in/stripe/"}, {Name: "odd", Path: "x//y"}})
	for path, want := range map[string]string{
		"/": "all", "": "all", "*": "all", "/other": "all", "/inn": "all", "/IN": "all",
		"/in": "in", "/in/": "in", "/in/github": "in", "/in/stripes": "in", "//in": "in",
		"/in/stripe": "stripe", "/in/stripe/live": "stripe", "/in//stripe": "stripe", "/in/../in/./stripe": "stripe",
		"/x/y": "odd", "/x/y/z": "odd", "/../../x/y": "odd",
	} {
		require.Equal(t, want, r.Route(path).Name, path)
	}
	e, ok := r.ByName("in")
	require.True(t, ok)
	require.Equal(t, "/in", e.Path)
	_, ok = r.ByName("none")
	require.False(t, ok)
	r.Set([]Endpoint{{Name: "in", Path: "/in"}})
	require.Equal(t, Endpoint{}, r.Route("/other"), "nothing catches the rest")
}

func TestFixedAnswersAreCounted(t *testing.T) {
	t.Parallel()
	var r Router
	e := Endpoint{Name: "e", Path: "/", Reply: FixedReply, Fixed: Fixed{Status: 500, Times: 2}}
	next := func() bool { _, ok := r.NextFixed("e"); return ok }
	require.False(t, next(), "no such endpoint")
	r.Set([]Endpoint{e})
	require.Equal(t, 2, r.Left("e"))
	require.True(t, next())
	r.Set([]Endpoint{{Name: "new", Path: "/new"}, e})
	require.Equal(t, 1, r.Left("e"), "another endpoint changed")
	require.True(t, next())
	require.False(t, next())
	r.putBack("e")
	require.True(t, next())
	require.False(t, next())
	r.Rearm("e")
	require.True(t, next())
	e.Fixed.Status = 503
	r.Set([]Endpoint{e})
	require.Equal(t, 2, r.Left("e"), "it begins anew")
	e.Fixed.Times = 0
	r.Set([]Endpoint{e})
	for range 10 {
		require.True(t, next())
	}
	r.putBack("e")
	require.Zero(t, r.Left("e"), "there is nothing to count")
	e.Reply = Ack
	r.Set([]Endpoint{e})
	require.False(t, next())
}

func TestFixedAnswersAreCountedByManyAtOnce(t *testing.T) {
	t.Parallel()
	var r Router
	r.Set([]Endpoint{{Name: "e", Path: "/", Reply: FixedReply, Fixed: Fixed{Status: 500, Times: 100}}})
	var given atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if _, ok := r.NextFixed(r.Route("/x").Name); ok {
					given.Add(1)
				}
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 100, given.Load())
}
