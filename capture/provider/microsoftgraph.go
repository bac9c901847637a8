package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"time"
	"unicode/utf8"

	"anyhook.net/desktop/capture"
)

// Microsoft Graph shows the clientState of the subscription in each notice of a
// batch, which may be of several subscriptions: every one of them has to fit.
var microsoftGraph = capture.Provider{
	Name:     "microsoft-graph",
	Title:    "Microsoft Graph",
	Scheme:   graphSays,
	Deadline: 3 * time.Second,
	Dedupe:   "$.value[*].id, else subscriptionId + resource + changeType + @odata.etag",
	Retry:    capture.Retry{Within: 4 * time.Hour},
	Disabled: "An address is throttled when more than a tenth of its answers take longer than 2.9 seconds, and notices may be dropped.",
	Setup:    "Create the subscription with POST /subscriptions: the address is notificationUrl, the secret is the clientState that you choose.",
	Note:     "An answer of 202 at once is advised, which AnyHook gives where it acknowledges by itself. Notices have no time: order is told by the resource alone. AnyHook answers the validationToken where an endpoint names Microsoft Graph.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByDocs, Retry: capture.ByDocs},
	Sources: []string{
		"https://github.com/microsoftgraph/microsoft-graph-docs-contrib/blob/main/concepts/change-notifications-delivery-webhooks.md",
	},
	Members:     []string{"value"},
	Body:        isGraph,
	Verify:      graphVerify,
	Sign:        graphSign,
	CheckSecret: graphKeys.check,
	Events:      graphEvents,
	Batch:       graphFields.batchOf().parts,
	Join:        graphFields.batchOf().join,
	Handshake:   graphHandshake,
	Ack:         capture.Answer{Status: http.StatusAccepted},
}

const graphSays = "a token in $.value[*].clientState; nothing of the body is signed"

var graphKeys = keys{
	want:   "the clientState of the subscription, at most 255 characters, not an access token",
	alien:  []string{"eyJ"},
	usable: func(s string) bool { return utf8.ValidString(s) && utf8.RuneCountInString(s) <= 255 },
}

var graphFields = fields{
	each:   "$.value",
	typ:    []string{"@.changeType|@.lifecycleEvent"},
	object: []string{"@.resourceData.id|@.resource|@.subscriptionId"},
}

func isGraph(r *capture.Request) bool {
	for first := range value(r.Body).at("value").elements() {
		f := first.pick("subscriptionId", "changeType", "lifecycleEvent")
		return f[0] != nil && (f[1] != nil || f[2] != nil)
	}
	return false
}

// graphMost is how many notices are read; Microsoft Graph sends far fewer.
const graphMost = 1000

// graphVerify asks each notice. One without a clientState shows no token.
func graphVerify(r *capture.Request, secrets []capture.Secret, _ time.Time) capture.Signature {
	var got capture.Signature
	shown, asked := 0, 0
	for notice := range value(r.Body).at("value").elements() {
		if asked++; asked > graphMost {
			return refuse(secrets, capture.Malformed, capture.WhyBadShape, "at most 1000 notices in $.value")
		}
		state, ok := notice.at("clientState").text()
		if ok {
			shown++
		}
		s := judgeToken(graphSays, state, secrets, func(secret string) []string { return []string{secret} })
		if got.Status == "" || got.Status.Good() && !s.Status.Good() {
			got = s
		}
	}
	if shown == 0 {
		return refuse(secrets, capture.Missing, capture.WhyNoHeader, "$.value[*].clientState")
	}
	return got
}

// graphSign puts the clientState into every notice.
func graphSign(r *capture.Request, secret capture.Secret, _ time.Time) error {
	if err := graphKeys.check(secret); err != nil {
		return err
	}
	text, err := json.Marshal(secret.Reveal())
	if err != nil {
		return errors.New("the secret cannot stand in JSON")
	}
	var out bytes.Buffer
	from := 0
	for notice := range value(r.Body).at("value").elements() {
		state := notice.at("clientState")
		if len(state) == 0 {
			return errors.New("no clientState in $.value to put the secret into")
		}
		at := cap(r.Body) - cap(state)
		out.Write(r.Body[from:at])
		out.Write(text)
		from = at + len(state)
	}
	if from == 0 {
		return errors.New("no notices in $.value")
	}
	out.Write(r.Body[from:])
	r.Body = out.Bytes()
	return nil
}

// graphEvents reads a batch. Where a notice has no id, the version of what
// changed tells it apart; where it has neither, nothing does.
func graphEvents(r *capture.Request) ([]capture.Event, error) {
	events, err := graphFields.eventsOf("microsoft-graph")(r)
	i := 0
	for notice := range value(r.Body).at("value").elements() {
		if i == len(events) {
			break
		}
		f := notice.pick("id", "subscriptionId", "resource", "changeType", "resourceData")
		id, _ := f[0].text()
		subscription, _ := f[1].text()
		resource, _ := f[2].text()
		change, _ := f[3].text()
		version, _ := f[4].at("@odata.etag").text()
		if events[i].Key = exact(id); id == "" && version != "" {
			events[i].Key = composite(subscription, resource, change, version)
		}
		i++
	}
	return events, err
}

// graphHandshake answers the validationToken of an empty request with itself.
func graphHandshake(r *capture.Request, _ []capture.Secret) (capture.Answer, bool) {
	a, _ := parseAddress(r.URL)
	token := formValue(a.query(), "validationToken")
	return plain(token), r.Method == http.MethodPost && len(r.Body) == 0 && token != ""
}
