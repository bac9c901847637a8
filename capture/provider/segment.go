package provider

import (
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// Segment signs the body with SHA-1, in a header whose name many have.
var segment = capture.Provider{
	Name:     "segment",
	Title:    "Segment",
	Scheme:   segmentScheme.String(),
	Header:   segmentScheme.header,
	Deadline: 5 * time.Second,
	Dedupe:   segmentFields.dedupe(),
	Order:    segmentFields.orders(),
	Setup:    "Connections → Destinations → Webhooks; the shared secret is in the settings of the destination.",
	Trust:    capture.Trust{Signature: capture.ByHearsay, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:  []string{"common knowledge, not checked"},
	Marks:    []string{segmentScheme.header},
	Agent:    "Segment",
	Match: func(r *capture.Request) bool {
		return strings.HasPrefix(r.Header.Get("User-Agent"), "Segment") || !has(r, "X-Event-Name") && isSegment(r)
	},
	Members:     []string{"sentAt"},
	Body:        isSegment,
	Verify:      segmentScheme.verify,
	Sign:        segmentScheme.sign,
	CheckSecret: segmentScheme.keys.check,
	Events:      segmentFields.eventsOf("segment"),
}

var segmentScheme = scheme{
	header: "X-Signature",
	hash:   usingSHA1,
	form:   alone("", hexadecimal),
	keys:   keys{want: "the shared secret of the destination, not a write key"},
}

var segmentFields = fields{
	key:    "$.messageId",
	typ:    []string{"$.type", "$.event"},
	object: []string{"$.userId|$.anonymousId"},
	at:     "$.timestamp",
}

func isSegment(r *capture.Request) bool {
	if len(r.Body) > maxHandshake {
		return false
	}
	f := value(r.Body).pick("messageId", "type", "sentAt")
	return f[0] != nil && f[1] != nil && f[2] != nil
}
