package practice

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func open(t *testing.T, flaw string) *Shop {
	t.Helper()
	s, err := New(flaw)
	require.NoError(t, err)
	return s
}

// send delivers a body, and returns the status of the answer.
func send(s http.Handler, body string) int {
	r := httptest.NewRequest(http.MethodPost, "/hooks/x", strings.NewReader(body))
	if strings.Contains(body, "=") && !strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code
}

func file(tb testing.TB, name string) string {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(tb, err)
	return string(data)
}

const sub = "sub_1SExampleA1"

func TestASoundShopChargesOnceAndKeepsTheNewestState(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	created, active := file(t, "stripe-1-created.json"), file(t, "stripe-2-active.json")
	for _, body := range []string{active, created, active, created} {
		require.Equal(t, 200, send(s, body))
	}
	st := s.State()
	require.Equal(t, map[string]int{"evt_1SExample0001": 1, "evt_1SExample0002": 1}, st.Charges)
	require.Equal(t, []int{4, 2, 2, 0, 0}, []int{st.Requests, st.Duplicates, st.Charged, st.Twice, st.Failed})
	o := st.Objects[sub]
	require.Equal(t, []any{"active", "customer.subscription.updated", 2}, []any{o.State, o.Type, o.Changes})
	require.Equal(t, time.Unix(1796039402, 0).UTC(), o.At)
}

func TestDoubleCharge(t *testing.T) {
	t.Parallel()
	s := open(t, DoubleCharge)
	for range 3 {
		require.Equal(t, 200, send(s, file(t, "stripe-3-invoice-paid.json")))
	}
	st := s.State()
	require.Equal(t, []int{3, 1, 2}, []int{st.Charged, st.Twice, st.Duplicates})
}

// atOnce delivers a body n times, in n goroutines.
func atOnce(s *Shop, body string, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { send(s, body) })
	}
	wg.Wait()
}

func TestTheRaceIsLostOnlyByTwoAtOnce(t *testing.T) {
	t.Parallel()
	for flaw, want := range map[string]int{Race: 2, None: 1} {
		synctest.Test(t, func(t *testing.T) {
			s := open(t, flaw)
			atOnce(s, file(t, "stripe-3-invoice-paid.json"), 2)
			require.Equal(t, want, s.State().Charged, flaw)
		})
		synctest.Test(t, func(t *testing.T) {
			s := open(t, flaw)
			send(s, file(t, "stripe-3-invoice-paid.json"))
			send(s, file(t, "stripe-3-invoice-paid.json"))
			require.Equal(t, 1, s.State().Charged, "one after the other is safe with %s", flaw)
		})
	}
}

func TestOrderLetsAnOldStateComeBack(t *testing.T) {
	t.Parallel()
	created, active := file(t, "stripe-1-created.json"), file(t, "stripe-2-active.json")
	for flaw, want := range map[string]string{Order: "incomplete", None: "active"} {
		s := open(t, flaw)
		send(s, active)
		send(s, created)
		require.Equal(t, want, s.State().Objects[sub].State, flaw)
	}
	s := open(t, Order)
	send(s, created)
	send(s, active)
	send(s, created)
	require.Equal(t, "incomplete", s.State().Objects[sub].State, "a duplicate brings it back, too")
	require.Equal(t, 2, s.State().Charged, "but is not charged again")
}

func TestSlowAnswersLateAndHasDoneItsWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t, Slow)
		start := time.Now()
		require.Equal(t, 200, send(s, file(t, "stripe-3-invoice-paid.json")))
		require.Equal(t, 12*time.Second, time.Since(start))

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader("{}"))
		s.ServeHTTP(httptest.NewRecorder(), r)
		require.Equal(t, 13*time.Second, time.Since(start), "it does not wait for who has gone")
		require.Equal(t, 2, s.State().Charged)
	})
}

func TestEveryThirdFails(t *testing.T) {
	t.Parallel()
	s := open(t, Fails)
	var got []int
	for i := range 6 {
		got = append(got, send(s, fmt.Sprintf(`{"id":%d}`, i)))
	}
	require.Equal(t, []int{200, 200, 500, 200, 200, 500}, got)
	require.Equal(t, []int{6, 2, 4}, []int{s.State().Requests, s.State().Failed, s.State().Charged})
}

func TestDuplicatesAreRejected(t *testing.T) {
	t.Parallel()
	s := open(t, RejectsDuplicates)
	body := file(t, "stripe-3-invoice-paid.json")
	require.Equal(t, []int{200, 409, 409}, []int{send(s, body), send(s, body), send(s, body)})
	require.Equal(t, 1, s.State().Charged)
}

func TestEveryFlawHasAWordAndASentence(t *testing.T) {
	t.Parallel()
	require.Equal(t, None, Flaws[0].Name)
	seen := map[string]bool{}
	for _, f := range Flaws {
		require.False(t, seen[f.Name])
		seen[f.Name] = true
		require.NotEmpty(t, f.Text)
		require.Equal(t, f.Name, open(t, f.Name).State().Flaw)
	}
	_, err := New("tidy")
	require.EqualError(t, err, `there is no flaw "tidy"`)
}

func TestTheStateIsJSONAndCanBeForgotten(t *testing.T) {
	t.Parallel()
	s := open(t, DoubleCharge)
	send(s, file(t, "stripe-2-active.json"))
	do := func(method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w
	}
	w := do("GET", "/state")
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.JSONEq(t, `{"flaw":"double-charge","requests":1,"failed":0,"duplicates":0,"charged":1,"twice":0,
		"charges":{"evt_1SExample0002":1},
		"objects":{"sub_1SExampleA1":{"state":"active","type":"customer.subscription.updated","at":"2026-11-30T11:50:02Z","changes":1}}}`, w.Body.String())
	require.Equal(t, 404, do("GET", "/hooks/x").Code)
	require.Equal(t, 404, do("DELETE", "/hooks/x").Code)
	require.Equal(t, 405, do("OPTIONS", "/").Code)
	require.Equal(t, 204, do("DELETE", "/state").Code)
	require.Equal(t, State{Flaw: DoubleCharge, Charges: map[string]int{}, Objects: map[string]Object{}}, s.State())
}

func TestThePageShowsWhatCameAndRunsNoneOfIt(t *testing.T) {
	t.Parallel()
	s := open(t, DoubleCharge)
	for range 2 {
		send(s, `{"id":"<script>alert(1)</script>","data":{"id":"obj","status":"<b>"}}`)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	require.Contains(t, w.Body.String(), "2 requests, 1 duplicates, 0 failed, 2 charges")
	require.Contains(t, w.Body.String(), "1 events charged more than once")
	require.Contains(t, w.Body.String(), "&lt;script&gt;alert(1)&lt;/script&gt;")
	require.NotContains(t, w.Body.String(), "<script>")
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
}

func TestTheShopKeepsOnlySoMuch(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	require.Equal(t, 413, send(s, strings.Repeat(" ", maxBody+1)))
	long := strings.Repeat("k", 500_000)
	require.Equal(t, 200, send(s, `{"id":"`+long+`1"}`))
	require.Equal(t, 200, send(s, `{"id":"`+long+`2"}`))
	require.Len(t, s.State().Charges, 2, "long keys are told apart all the same")
	for i := range maxKept + 5 {
		send(s, fmt.Sprintf(`{"id":"%d"}`, i))
	}
	st := s.State()
	require.Len(t, st.Charges, maxKept)
	require.Len(t, st.Objects, maxKept)
	require.NotContains(t, st.Charges, "4")
	require.Contains(t, st.Charges, "5")
	data, err := json.Marshal(st)
	require.NoError(t, err)
	require.Less(t, len(data), 4<<20)
}

func TestManyAtOnceAreCounted(t *testing.T) {
	t.Parallel()
	for _, flaw := range []string{None, DoubleCharge, Race} {
		s := open(t, flaw)
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() { send(s, fmt.Sprintf(`{"id":"%d"}`, i%5)) })
			wg.Go(func() { s.State() })
		}
		wg.Wait()
		require.Equal(t, 50, s.State().Requests)
		require.Len(t, s.State().Charges, 5)
	}
}
