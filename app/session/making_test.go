package session

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
)

// edited is r with another body.
func edited(r *capture.Request, body string) *capture.Request {
	e := capture.EditOf(r)
	e.Body = []byte(body)
	made, err := e.Make()
	if err != nil {
		panic(err)
	}
	return made
}

// What is made is stored as it is, is sent only when somebody sends it, and
// leaves the original and the counts of events alone.
func TestWhatIsMadeIsStoredAndSentOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	d.say(posted("/in", `{"a":1}`, "X-GitHub-Delivery: 11111111-0000-4000-8000-0000000000aa", "X-GitHub-Event: push", "x-Odd:  spelled"))
	r := d.stored(1)
	d.tried(r, 1)
	got, err := d.Make(t.Context(), []*capture.Request{edited(r, `{"a":20}`), edited(r, `{"a":3`)})
	require.NoError(t, err)
	require.Len(t, got, 2)
	made, err := d.Request(t.Context(), got[0])
	require.NoError(t, err)
	require.Equal(t, capture.Made, made.Kind)
	require.Equal(t, r.ID, made.From)
	require.Equal(t, r.Endpoint, made.Endpoint)
	require.Equal(t, "github", made.Provider)
	require.Equal(t, capture.WhyMade, made.Signature.Why)
	require.Zero(t, made.Events[0].Seen)
	require.True(t, made.At.After(r.At) || made.At.Equal(r.At))
	require.Equal(t, bytes.Replace(r.Head, []byte("Content-Length: 7"), []byte("Content-Length: 8"), 1), []byte(made.Head))
	from, err := d.MadeFrom(t.Context(), r.ID, 10)
	require.NoError(t, err)
	require.Equal(t, []capture.Seq{2, 3}, from)
	sums, err := d.Summaries(t.Context(), []capture.Seq{1, 2})
	require.NoError(t, err)
	require.Equal(t, r.ID, sums[1].From)

	d.say(posted("/in", `{"a":1}`, "X-GitHub-Delivery: 11111111-0000-4000-8000-0000000000aa", "X-GitHub-Event: push"))
	again := d.stored(4)
	require.Equal(t, 2, again.Events[0].Seen, "what was made here did not arrive")
	d.tried(again, 1)
	require.Len(t, h.all(), 2, "nothing forwards what was made here")

	run := d.replayed(plan.Once(got, replay.AsReceived), "")
	require.Equal(t, 2, run.OK)
	x := h.all()[2]
	require.Equal(t, `{"a":20}`, string(x.body))
	require.Equal(t, string(got[0]), x.header("X-AnyHook-Delivery"))
	require.Contains(t, string(x.head), "x-Odd:  spelled\r\n")
	require.Contains(t, string(x.head), "Content-Length: 8\r\n")
	came, err := d.Request(t.Context(), r.ID)
	require.NoError(t, err)
	require.Equal(t, r.Body, came.Body)
	require.Equal(t, r.Head, came.Head)
}

// A sample is signed with a secret that only this data folder knows; what is
// made from it can be, too, and so on.
func TestWhatIsMadeFromASampleCanBeSigned(t *testing.T) {
	t.Parallel()
	h := handle(t, taken)
	d := begin(t, all(h.url))
	require.NoError(t, d.SendSample(t.Context(), "github", "push"))
	r := d.stored(1)
	d.tried(r, 1)
	require.True(t, r.Signature.Status.Good())
	for range 2 {
		ids, err := d.Make(t.Context(), []*capture.Request{edited(r, `{"zen":"mine"}`)})
		require.NoError(t, err)
		r, err = d.Request(t.Context(), ids[0])
		require.NoError(t, err)
	}
	require.Equal(t, 1, d.replayed(plan.Once([]capture.ID{r.ID}, replay.Fresh), "").OK)
	sent := h.all()[1]
	require.NotEqual(t, r.Header.Get("X-Hub-Signature-256"), sent.header("X-Hub-Signature-256"))
}

func TestWhatCannotBeMadeIsRefusedAndNothingIsStored(t *testing.T) {
	t.Parallel()
	d := begin(t, capture.Endpoint{Name: "default", Path: "/"})
	d.say(posted("/in", `{"a":1}`))
	r := d.stored(1)
	for says, change := range map[string]func(*capture.Request){
		"does not say from which": func(r *capture.Request) { r.From = "" },
		"not found":               func(r *capture.Request) { r.From = "req_none" },
		"not readable":            func(r *capture.Request) { r.Head = capture.Head("\r\n\r\n") },
		"over the limit":          func(r *capture.Request) { r.Body = make([]byte, capture.DefaultMaxBody+1) },
		"the note":                func(r *capture.Request) { r.Note = string(make([]byte, maxMadeNote+1)) },
		"the headers":             func(r *capture.Request) { r.Head = append(r.Head, make([]byte, maxMadeHead)...) },
	} {
		bad := edited(r, "x")
		change(bad)
		_, err := d.Make(t.Context(), []*capture.Request{edited(r, "good"), bad})
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "request 2 of 2")
	}
	_, err := d.Make(t.Context(), make([]*capture.Request, maxMade+1))
	require.ErrorContains(t, err, "too many")
	require.EqualValues(t, 1, d.Status().Requests)
}

// An export says from what a request was made; read back, it is an import like all others.
func TestAnExportOfWhatWasMadeSaysSo(t *testing.T) {
	t.Parallel()
	d := begin(t, capture.Endpoint{Name: "default", Path: "/"})
	d.say(posted("/in", `{"a":1}`))
	r := d.stored(1)
	ids, err := d.Make(t.Context(), []*capture.Request{edited(r, "{}")})
	require.NoError(t, err)
	dir := t.TempDir()
	_, err = d.Export(t.Context(), dir, "fixture", true, ids)
	require.NoError(t, err)
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	require.NoError(t, err)
	require.Contains(t, string(manifest), `"kind": "made",`)
	require.Contains(t, string(manifest), `"from": "`+string(r.ID)+`",`)
	n, err := d.Import(t.Context(), []string{dir})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	back := d.stored(3)
	require.Equal(t, capture.Imported, back.Kind)
	require.Empty(t, back.From)
	require.Equal(t, "{}", string(back.Body))
}

// What only reads brings a data folder of an older AnyHook up to date, as nobody else will.
func TestTheDataOfAnOlderAnyHookCanBeLookedAt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Start(t.Context(), Config{Dir: dir, NoKeychain: true})
	require.NoError(t, err)
	_, err = s.Add(t.Context(), []*capture.Request{{Head: capture.NewHead("POST", "/in"), URL: "http://h/in", At: s.now()}})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	old, err := sql.Open("sqlite", filepath.Join(dir, FileName))
	require.NoError(t, err)
	_, err = old.Exec(`DROP INDEX request_made_from; ALTER TABLE request DROP COLUMN made_from; UPDATE migration SET done = 1 WHERE owner = 'capture'`)
	require.NoError(t, err)
	require.NoError(t, old.Close())
	a, err := Look(t.Context(), dir)
	require.NoError(t, err)
	sums, err := a.Summaries(t.Context(), []capture.Seq{1})
	require.NoError(t, err)
	require.Len(t, sums, 1)
	require.NoError(t, a.Close())
}
