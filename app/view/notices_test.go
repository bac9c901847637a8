package view_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/view"
)

func TestAClosedNoticeReturnsOnlyWhenItHappensAnew(t *testing.T) {
	t.Parallel()
	var n view.Notices
	s := view.Status{LocalURL: "http://127.0.0.1:4081", PortTaken: 4080, Practice: "http://127.0.0.1:4090"}
	open := func() (ids []string) {
		for _, m := range n.Open(view.ViewBar(s).Trouble) {
			ids = append(ids, m.ID)
		}
		return ids
	}
	require.Equal(t, []string{"port", "practice"}, open())
	s.Store = errors.New("no space left on device")
	require.Equal(t, []string{"store", "port", "practice"}, open(), "the worst first")
	n.Close("store")
	n.Close("port")
	n.Close("practice")
	s.Store, s.Charged = errors.New("still no space"), 3
	require.Empty(t, open(), "the same in other words")
	s.Twice = 1
	require.Equal(t, []string{"practice.twice"}, open(), "that is news")
	s.Store, s.Practice = nil, ""
	require.Empty(t, open())
	s.Store, s.Practice, s.Twice = errors.New("no space left on device"), "http://127.0.0.1:4090", 0
	require.Equal(t, []string{"store", "practice"}, open(), "they happened anew; the port is taken as before")
}
