package sample_test

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/capture/sample"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)

func build(t *testing.T, provider, name string, now time.Time) *capture.Request {
	t.Helper()
	r, err := sample.Build(provider, name, now, rand.Text)
	require.NoError(t, err)
	r.URL = "https://hooks.example.com/in/" + provider
	return r
}

// common are the providers that have samples at least: those that most people meet.
var common = strings.Fields(`stripe github shopify hubspot calendly twilio slack standardwebhooks svix resend clerk
	openai anthropic polar bigcommerce brex cal-com acuity paypal square paddle lemonsqueezy gitlab bitbucket linear
	discord zoom meta line telegram`)

func TestCommonProvidersHaveSamples(t *testing.T) {
	t.Parallel()
	for _, name := range common {
		if p, known := provider.ByName(name); known && p.Sign != nil {
			require.NotEmpty(t, sample.Names(name), name)
		}
	}
}

// each runs a test over every sample of every provider.
func each(t *testing.T, test func(t *testing.T, p capture.Provider, name string)) {
	t.Helper()
	for _, p := range provider.All {
		if p.Sign == nil {
			require.Empty(t, sample.Names(p.Name), "nobody can sign a sample of %s", p.Name)
		}
		for _, name := range sample.Names(p.Name) {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				test(t, p, name)
			})
		}
	}
}

func TestSamplesAreRecognisedByTheirProviderAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, name string) {
		r := build(t, p.Name, name, noon)
		if p.Name == "anthropic" || p.Name == "brex" {
			require.Equal(t, "standardwebhooks", provider.Known.Of(r).Name, "nothing tells it from others who follow the standard")
			return
		}
		require.Equal(t, p.Name, provider.Known.Of(r).Name)
	})
}

func TestSamplesTellOfEvents(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, name string) {
		events, err := p.Events(build(t, p.Name, name, noon))
		require.NoError(t, err)
		require.NotEmpty(t, events)
		for _, e := range events {
			require.NotEmpty(t, e.Type)
			require.NotContains(t, e.Key.Value, "sha256:", "the key is the provider's")
			if name != "slash_command" && !isHandshake(p, build(t, p.Name, name, noon)) {
				require.NotEmpty(t, e.Object)
			}
			if !e.At.IsZero() && e.At.Year() > 2026 {
				t.Errorf("%s happens in the future", e.Key.Value)
			}
		}
	})
}

func TestSamplesAreValidOnceSigned(t *testing.T) {
	t.Parallel()
	const secret = capture.Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	each(t, func(t *testing.T, p capture.Provider, name string) {
		r, secret := build(t, p.Name, name, noon), secret
		if p.CheckSecret(secret) != nil {
			secret = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056" // its keys are in hex
		}
		require.Equal(t, capture.Missing, p.Verify(r, []capture.Secret{secret}, noon).Status)
		require.NoError(t, p.Sign(r, secret, noon))
		got := p.Verify(r, []capture.Secret{secret}, noon)
		require.Contains(t, []capture.Status{capture.Valid, capture.Authenticated}, got.Status, got.Reason())
		require.Empty(t, got.Reason())
	})
}

func TestEachRequestIsANewEvent(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, name string) {
		keys := map[string]bool{}
		for i := range 3 {
			events, err := p.Events(build(t, p.Name, name, noon.Add(time.Duration(i)*time.Millisecond)))
			require.NoError(t, err)
			for _, e := range events {
				require.False(t, keys[e.Key.Value], e.Key.Value)
				keys[e.Key.Value] = p.Dedupe != ""
			}
		}
	})
}

func TestASampleIsAWholeRequest(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p capture.Provider, name string) {
		r := build(t, p.Name, name, noon)
		require.Equal(t, http.MethodPost, r.Method)
		require.Equal(t, p.Name, r.Provider)
		require.Equal(t, noon, r.At)
		if p.Agent != "" {
			require.NotEmpty(t, r.Header.Get("User-Agent"), "it says who it is")
		}
		require.NotEmpty(t, r.Header.Get("Content-Type"))
		require.Equal(t, r.Head.Header(), r.Header)
		all := string(r.Head) + string(r.Body)
		require.NotRegexp(t, `\{\{|\}\}"`, all)
		require.False(t, strings.HasSuffix(string(r.Body), "\n"))
	})
}

func TestTheOrderOfSamplesOfOneObjectMatters(t *testing.T) {
	t.Parallel()
	for name, story := range map[string][]string{
		"stripe":           {"customer.subscription.created", "customer.subscription.updated", "customer.subscription.deleted"},
		"github":           {"pull_request.opened", "pull_request.synchronize", "pull_request.closed"},
		"shopify":          {"orders-create", "orders-paid", "orders-fulfilled"},
		"hubspot":          {"contact.creation", "batch-of-three", "contact.deletion"},
		"standardwebhooks": {"user.created", "user.updated", "user.deleted"},
		"svix":             {"user.created", "user.updated", "user.deleted"},
		"zoom":             {"meeting.started", "meeting.ended"},
		"telegram":         {"message", "edited_message"},
		"twitch":           {"stream.online", "stream.offline"},
		"intercom":         {"conversation.user.created", "conversation.admin.replied"},
		"zendesk":          {"ticket.open", "ticket.solved"},
		"mailgun":          {"delivered", "opened"},
		"pusher":           {"channel_occupied", "channel_vacated"},
	} {
		p, ok := provider.ByName(name)
		require.True(t, ok)
		var before capture.Event
		for i, step := range story {
			events, err := p.Events(build(t, name, step, noon.Add(time.Duration(i)*time.Second)))
			require.NoError(t, err)
			if i > 0 {
				require.Equal(t, before.Object, events[0].Object, name)
				require.True(t, before.Older(events[0]), "%s: %s", name, step)
			}
			before = events[0]
		}
	}
}

func TestWhatIsLateIsOlderThanWhatCameBefore(t *testing.T) {
	t.Parallel()
	for _, pair := range [][3]string{
		{"stripe", "customer.subscription.deleted", "customer.subscription.updated-late"},
		{"github", "pull_request.closed", "pull_request.synchronize-late"},
		{"shopify", "orders-paid", "orders-updated-late"},
		{"standardwebhooks", "user.updated", "user.updated-late"},
		{"svix", "user.updated", "user.updated-late"},
	} {
		p, _ := provider.ByName(pair[0])
		before, err := p.Events(build(t, pair[0], pair[1], noon))
		require.NoError(t, err)
		late, err := p.Events(build(t, pair[0], pair[2], noon.Add(10*time.Second)))
		require.NoError(t, err)
		require.Equal(t, before[0].Object, late[0].Object, pair)
		require.True(t, late[0].Older(before[0]), pair)
	}
}

func TestABatchIsNotInOrder(t *testing.T) {
	t.Parallel()
	for _, batch := range []struct {
		provider, name  string
		events, objects int
	}{
		{"hubspot", "batch-of-three", 3, 1},
		{"hubspot", "deal-stages-out-of-order", 4, 1},
		{"hubspot", "batch-of-100", 100, 10},
		{"twilio", "event-streams-out-of-order", 3, 1},
		{"meta", "whatsapp.statuses-out-of-order", 3, 1},
		{"line", "message-and-unsend", 2, 1},
		{"mandrill", "click-before-open", 2, 1},
	} {
		p, _ := provider.ByName(batch.provider)
		events, err := p.Events(build(t, batch.provider, batch.name, noon))
		require.NoError(t, err)
		require.Len(t, events, batch.events)
		objects := map[string]bool{}
		for _, e := range events {
			objects[e.Object] = true
		}
		require.Len(t, objects, batch.objects, batch.name)
		late := 0
		for i, e := range events {
			if slices.ContainsFunc(events[:i], func(o capture.Event) bool { return o.Object == e.Object && e.Older(o) }) {
				late++
			}
		}
		require.NotZero(t, late, batch.name)
	}
}

func TestARetryOfTheSenderSaysSo(t *testing.T) {
	t.Parallel()
	for provided, try := range map[[2]string]int{
		{"slack", "message-retry"}:              2,
		{"hubspot", "deal-stages-out-of-order"}: 2,
		{"hubspot", "batch-of-100"}:             3,
		{"line", "message-and-unsend"}:          2,
	} {
		p, _ := provider.ByName(provided[0])
		events, err := p.Events(build(t, provided[0], provided[1], noon))
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(events, func(e capture.Event) bool { return e.Try == try }), provided)
	}
}

// isHandshake reports whether a sample is a set-up check.
func isHandshake(p capture.Provider, r *capture.Request) bool {
	if p.Handshake == nil {
		return false
	}
	_, ok := p.Handshake(r, []capture.Secret{"one"})
	return ok
}

func TestSetUpChecksAreNamed(t *testing.T) {
	t.Parallel()
	var found []string
	for _, p := range provider.All {
		for _, name := range sample.Names(p.Name) {
			if isHandshake(p, build(t, p.Name, name, noon)) {
				found = append(found, p.Name+"/"+name)
			}
		}
	}
	slices.Sort(found)
	require.Equal(t, []string{"slack/url_verification", "twitch/challenge", "zoom/endpoint.url_validation"}, found)
}

func TestWhatIsNotThereIsUnknown(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"stripe", "nothing"}, {"nobody", "ping"}, {"", ""}, {"..", "lang"}, {"stripe/..", "x"}, {"stripe", "../github/ping"}} {
		_, err := sample.Build(pair[0], pair[1], noon, rand.Text)
		require.ErrorIs(t, err, sample.ErrUnknown)
	}
	require.Empty(t, sample.Names("nobody"))
	require.Empty(t, sample.Names("../lang"))
}

func TestTheSameSeedMakesTheSameRequest(t *testing.T) {
	t.Parallel()
	seed := func() string { return "seed" }
	one, err := sample.Build("github", "push", noon, seed)
	require.NoError(t, err)
	two, err := sample.Build("github", "push", noon, seed)
	require.NoError(t, err)
	require.Equal(t, one, two)
	require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$`, one.Header.Get("X-GitHub-Delivery"))
}
