//go:build e2e

package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/capture"
)

// gone is how soon the program has to be gone after its window was closed.
const gone = 2 * time.Second

// A new user has an empty folder, no account and no network, and two minutes.
func TestTheFirstTwoMinutes(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir)
	w.see("No requests yet")

	// a sample by mouse: from the welcome, through the menu
	w.click("Send a sample")
	w.hover("Stripe")
	w.click("invoice.paid")
	w.see("invoice.paid")
	w.see("valid")
	w.see("1 request .*")

	// the practice handler by its key; the event that is here already is sent to it by hand alone
	w.press("ctrl+shift+p")
	shop := w.match(`(http://127\.0\.0\.1:\d+)/webhooks.*`)
	w.click("invoice.paid")
	w.see("1 selected")
	w.click("Twice at once")
	w.see("2 of 2 sent · 2 taken · 0 failed.*")

	// both are written down, were under way together, and the shop charged for both
	paid := only(t, w)
	attempts := w.attempts(paid.ID)
	require.Len(t, attempts, 2)
	for i, a := range attempts {
		require.Equal(t, i+1, a.N)
		require.True(t, a.Replay && a.Outcome.OK())
	}
	first, second := attempts[0], attempts[1]
	require.True(t, second.Start.Before(first.Start.Add(first.Took)) && first.Start.Before(second.Start.Add(second.Took)))
	require.Equal(t, map[string]int{paid.Events[0].Key.Value: 2}, charges(t, shop))

	// another sample, by keys alone, which is forwarded as it comes
	w.press("ctrl+n")
	w.see("GitHub")
	w.press("Down", "Down", "Right", "Down", "Return")
	w.see("200") // what became of the delivery
	w.see("2 requests .*")
	w.until("the live delivery", func() bool {
		r := w.request(2)
		return r != nil && len(w.attempts(r.ID)) == 1 && !w.attempts(r.ID)[0].Replay
	})

	// keep it: a fixture folder with the exact bytes
	fixtures := filepath.Join(dir, "fixtures")
	w.click("invoice.paid")
	w.press("ctrl+e")
	w.see("Write the files")
	w.press("ctrl+a")
	w.write(fixtures)
	w.see("input: " + fixtures)
	w.click("Write the files")
	w.until("the exported body", func() bool { return exported(t, fixtures, paid.Body) })

	// closed by its cross: it goes at once, and nothing was lost
	w.cross()
	status, took := w.ended()
	require.Zero(t, status)
	require.Less(t, took, gone)
	again := open(t, dir)
	again.see("invoice.paid")
	again.see("2 requests .*")
}

// What is under way when the window is closed waits, and is delivered after the next start.
func TestClosingWhileADeliveryIsUnderWay(t *testing.T) {
	asked, answer := make(chan struct{}, 10), make(chan struct{})
	release := sync.OnceFunc(func() { close(answer) })
	handler := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-answer:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { release(); handler.Close() }) // a test that fails does not wait for its handler
	dir := prepared(t, capture.Endpoint{Name: "slow", Path: "/", Target: handler.URL})
	w := open(t, dir)
	post(t, w, `{"id":"evt_1","object":"event","type":"invoice.paid"}`)
	<-asked
	w.press("ctrl+q")
	status, took := w.ended()
	require.Zero(t, status)
	require.Less(t, took, gone)

	release()
	again := open(t, dir)
	again.see("1 request .*")
	again.until("its delivery", func() bool {
		all := again.attempts(only(t, again).ID)
		return len(all) > 1 && all[len(all)-1].Outcome.OK()
	})
}

// Two programs on one folder would write over each other: the second says so, and goes.
func TestASecondStartOnTheSameFolderSaysSo(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	first.see("No requests yet")
	second := open(t, dir)
	said := second.see("AnyHook is running already on the data folder .* -data FOLDER").Text
	require.Contains(t, said, dir)
	require.Contains(t, second.errs.String(), strings.TrimSpace(said))
	second.cross()
	status, _ := second.ended()
	require.Equal(t, 1, status)

	post(t, first, `{}`) // the first works on
	first.see("1 request .*")
}

// Where the display is named, but not there, it must not fall over either.
func TestWithoutADisplayItSaysOneSentence(t *testing.T) {
	for _, display := range []string{"", ":9999"} {
		t.Run("DISPLAY="+display, func(t *testing.T) {
			t.Setenv("DISPLAY", display)
			t.Setenv("WAYLAND_DISPLAY", "")
			w := launch(t, t.TempDir())
			status, _ := w.ended()
			require.Equal(t, 1, status, w.errs)
			require.Regexp(t, `^AnyHook Desktop needs a screen, .*\n$`, w.errs.String())
		})
	}
}

// prepared is a data folder with an endpoint.
func prepared(t testing.TB, e capture.Endpoint) string {
	t.Helper()
	dir := t.TempDir()
	s, err := session.Start(t.Context(), session.Config{Dir: dir, NoKeychain: true})
	require.NoError(t, err)
	require.NoError(t, s.SetEndpoints(t.Context(), e))
	require.NoError(t, s.Close())
	return dir
}

// post sends a webhook to where the window says that it captures.
func post(t *testing.T, w *window, body string) {
	t.Helper()
	w.see(`http://127\.0\.0\.1:\d+`)
	here := w.find(`http://127\.0\.0\.1:\d+`)[0].Text // the target stands after it
	res, err := http.Post(here, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)
}

// charges asks the practice shop what it charged, by event.
func charges(t *testing.T, shop string) map[string]int {
	t.Helper()
	res, err := http.Get(shop + "/state")
	require.NoError(t, err)
	defer res.Body.Close()
	var state struct{ Charges map[string]int }
	require.NoError(t, json.NewDecoder(res.Body).Decode(&state))
	return state.Charges
}

// only returns the one request that is stored.
func only(t *testing.T, w *window) *capture.Request {
	t.Helper()
	w.until("the request", func() bool { return w.request(1) != nil })
	require.Nil(t, w.request(2))
	return w.request(1)
}

// exported reports whether a file below dir holds exactly body.
func exported(t *testing.T, dir string, body []byte) (found bool) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			data, err := os.ReadFile(path)
			found = found || err == nil && string(data) == string(body)
		}
		return nil
	})
	return found
}
