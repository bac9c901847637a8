package session

import (
	"testing"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
)

var acme = provider.Recipe{
	Name: "acme", Title: "Acme", Kind: "hmac", Header: "X-Acme-Sig", Mark: "X-Acme-Sig", Prefix: "v1=",
	Key: ".id", Unique: true, Type: ".kind", Object: ".of", At: ".at",
}

func TestAProviderThatTheUserDescribesIsCheckedAndRead(t *testing.T) {
	t.Parallel()
	d := begin(t, capture.Endpoint{Name: "any", Path: "/"})
	const body = `{"id":"e1","kind":"thing.made","of":"t1","at":"2026-11-30T12:00:00Z"}`
	post := func(path, sig string) int {
		status, _ := d.say(posted(path, body, "X-Acme-Sig: "+sig))
		return status
	}
	require.Equal(t, 200, post("/x", "v1="+hmacHex("one", body)))
	require.Empty(t, d.stored(1).Provider, "nobody knows it yet")

	require.ErrorContains(t, d.SaveEndpoint(t.Context(), "", capture.Endpoint{Name: "acme", Path: "/acme", Provider: "acme"}), "not known")
	require.NoError(t, d.SaveRecipe(t.Context(), "", acme))
	signature, events, err := d.TryRecipe(acme, d.stored(1), []capture.Secret{"one"})
	require.NoError(t, err)
	require.Equal(t, capture.Valid, signature.Status, signature.Reason())
	require.Equal(t, "thing.made", events[0].Type)

	require.NoError(t, d.SaveEndpoint(t.Context(), "", capture.Endpoint{Name: "acme", Path: "/acme", Provider: "acme", Secrets: []capture.Secret{"one"}}))
	require.Equal(t, 401, post("/acme", "v1="+hmacHex("two", body)))
	require.Equal(t, 200, post("/acme", "v1="+hmacHex("one", body)))
	require.Equal(t, 200, post("/x", "v1="+hmacHex("one", body)))
	forged, good, known := d.stored(2), d.stored(3), d.stored(4)
	require.Equal(t, capture.Invalid, forged.Signature.Status)
	require.Equal(t, capture.Valid, good.Signature.Status)
	require.Equal(t, []string{"acme", "acme", "acme"}, []string{forged.Provider, good.Provider, known.Provider}, "recognised by its header, too")
	require.Equal(t, capture.Key{Value: "e1", Exact: true}, good.Events[0].Key)
	require.Equal(t, 2, known.Events[0].Seen)

	require.ErrorContains(t, d.DeleteRecipe(t.Context(), "acme"), "an endpoint uses it")
	require.ErrorContains(t, d.SaveRecipe(t.Context(), "", acme), "another provider acme")
	renamed := acme
	renamed.Name = "acme2"
	require.ErrorContains(t, d.SaveRecipe(t.Context(), "acme", renamed), "an endpoint uses acme")
	require.NoError(t, d.DeleteEndpoint(t.Context(), "acme"))
	require.NoError(t, d.DeleteRecipe(t.Context(), "acme"))
	left, err := d.Recipes(t.Context())
	require.NoError(t, err)
	require.Empty(t, left)
	_, ok := d.known.Named("acme")
	require.False(t, ok)
}

func TestWhatTheUserDescribedIsThereAtTheNextStart(t *testing.T) {
	t.Parallel()
	d := begin(t)
	require.NoError(t, d.SaveRecipe(t.Context(), "", acme))
	bad := acme
	bad.Key = ".["
	require.ErrorContains(t, d.SaveRecipe(t.Context(), "acme", bad), "key:")
	dir := d.cfg.Dir
	require.NoError(t, d.Close())
	a, err := Look(t.Context(), dir)
	require.NoError(t, err)
	defer a.Close()
	require.Equal(t, "acme", a.Providers()[0].Name)
}
