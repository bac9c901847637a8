package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// QuickBooks signs the body. While a delivery fails, those that follow wait.
// Its body is a list of CloudEvents, which have ids; the older shape, which it
// replaces in 2026, has none.
var quickbooks = capture.Provider{
	Name:     "quickbooks",
	Title:    "QuickBooks (Intuit)",
	Scheme:   quickbooksScheme.String(),
	Header:   quickbooksScheme.header,
	Deadline: 3 * time.Second,
	Dedupe:   quickbooksFields.dedupe() + "; of the older shape realmId + " + quickbooksOlder.dedupe(),
	Order:    quickbooksFields.orders(),
	Retry:    capture.Retry{After: []time.Duration{10 * time.Second, 20 * time.Second, 30 * time.Second, 5 * time.Minute, 20 * time.Minute, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour}},
	Setup:    "Developer portal → your app → Webhooks: the endpoint URL, and the verifier token.",
	Note:     "Later events wait until the first is acknowledged. After the pauses that are listed it tries every 6 hours.",
	Trust:    capture.Trust{Signature: capture.ByDocs, Identity: capture.ByOthers, Retry: capture.ByDocs},
	Sources: []string{
		"https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/best-practices",
		"https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/managing-webhooks-notifications",
		"https://medium.com/intuitdev/upcoming-change-to-webhooks-payload-structure-2a87dab642d0",
	},
	Marks:       []string{"Intuit-Signature"},
	Members:     []string{"intuitentityid", "eventNotifications"},
	Body:        isQuickBooks,
	Verify:      quickbooksScheme.verify,
	Sign:        quickbooksScheme.sign,
	CheckSecret: quickbooksScheme.keys.check,
	Events:      quickbooksEvents,
	Batch:       func(r *capture.Request) ([][]byte, error) { return quickbooksBatch(r).parts(r) },
	Join:        func(r *capture.Request, parts [][]byte) error { return quickbooksBatch(r).join(r, parts) },
}

var quickbooksScheme = scheme{
	header: "Intuit-Signature",
	form:   alone("", base64std),
	keys:   keys{want: "the verifier token of the app's webhooks"},
}

var (
	quickbooksFields = fields{
		each: "$",
		key:  "@.id",
		typ:  []string{"@.type"},
		at:   "@.time",
	}
	quickbooksOlder = fields{
		each:   "$.eventNotifications>@.dataChangeEvent.entities",
		parts:  []string{"@.id", "@.name", "@.operation", "@.lastUpdated"},
		typ:    []string{"@.name", "@.operation"},
		object: []string{"@.name", "@.id"},
		at:     "@.lastUpdated",
	}
)

func isQuickBooks(r *capture.Request) bool {
	first := value(r.Body).nth(0).pick("intuitentityid", "intuitaccountid")
	return first[0] != nil && first[1] != nil || value(r.Body).at("eventNotifications").kind() == '['
}

func quickbooksEvents(r *capture.Request) ([]capture.Event, error) {
	if value(r.Body).kind() == '{' {
		return quickbooksNotifications(r)
	}
	events, err := quickbooksFields.eventsOf("quickbooks")(r)
	i := 0
	for v := range value(r.Body).elements() {
		if i == len(events) {
			break
		}
		f := v.pick("intuitaccountid", "intuitentityid")
		realm, _ := f[0].text()
		id, _ := f[1].text()
		if kind := strings.Split(events[i].Type, "."); id != "" && len(kind) > 1 { // qbo.invoice.created.v1
			events[i].Object = realm + "/" + kind[1] + "/" + id
		}
		i++
	}
	return events, err
}

// quickbooksBatch is of the shape that r has.
func quickbooksBatch(r *capture.Request) batch {
	if value(r.Body).kind() != '{' {
		return quickbooksFields.batchOf()
	}
	return batch{list: "$.eventNotifications", within: []func(value) []value{
		func(notice value) []value { return []value{notice.at("dataChangeEvent", "entities")} },
	}}
}

// quickbooksNotifications puts the company in front: ids are unique within one only.
func quickbooksNotifications(r *capture.Request) ([]capture.Event, error) {
	events, err := quickbooksOlder.eventsOf("quickbooks")(r)
	i := 0
	for n := range value(r.Body).at("eventNotifications").elements() {
		realm, _ := n.at("realmId").text()
		for range n.at("dataChangeEvent", "entities").elements() {
			if i == len(events) {
				return events, err
			}
			e := &events[i]
			if e.Key.Value != "" {
				e.Key.Value = realm + "|" + e.Key.Value
				e.Object = realm + "/" + e.Object
			}
			i++
		}
	}
	return events, err
}
