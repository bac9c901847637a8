package provider

import (
	"fmt"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// DocuSign signs once for each key of the account and numbers the headers, so
// that the one that fits need not be the first.
var docusign = capture.Provider{
	Name:        "docusign",
	Title:       "DocuSign Connect",
	Scheme:      docusignScheme.String(),
	Header:      docusignScheme.header,
	Deadline:    100 * time.Second,
	Dedupe:      docusignFields.dedupe(),
	Order:       docusignFields.orders(),
	Attempt:     docusignFields.try + ", which counts retries",
	Retry:       capture.Retry{Within: 15 * 24 * time.Hour},
	Setup:       "Settings → Connect → Add configuration → Custom: the address; the keys are under Connect keys, and the configuration must include an HMAC signature.",
	Note:        "The count of retries is in the body, so that a retry differs from the first delivery. Events in the older format, which is XML, are not read.",
	Trust:       capture.Trust{Signature: capture.ByOthers, Identity: capture.ByHearsay, Retry: capture.ByHearsay},
	Sources:     []string{"receivers in public repositories that check X-DocuSign-Signature-N"},
	Marks:       append([]string{docusignScheme.header}, docusignScheme.also...),
	Members:     []string{"event"},
	Body:        isDocuSign,
	Verify:      docusignScheme.verify,
	Sign:        docusignScheme.sign,
	CheckSecret: docusignScheme.keys.check,
	Events:      docusignFields.eventsOf("docusign"),
	Mark:        docusignFields.marksOf(),
}

var docusignScheme = scheme{
	header: "X-DocuSign-Signature-1",
	also:   docusignOthers(),
	form:   alone("", base64std),
	keys:   keys{want: "a Connect key, not an access token", alien: []string{"eyJ"}},
}

// docusignOthers are the headers of the further keys.
func docusignOthers() []string {
	const most = 20
	var names []string
	for n := 2; n <= most; n++ {
		names = append(names, fmt.Sprintf("X-DocuSign-Signature-%d", n))
	}
	return names
}

var docusignFields = fields{
	parts:  []string{"$.data.envelopeId", "$.data.recipientId", "$.event", "$.generatedDateTime"},
	typ:    []string{"$.event"},
	object: []string{"$.data.envelopeId"},
	at:     "$.generatedDateTime",
	try:    "$.retryCount",
	from0:  true,
}

func isDocuSign(r *capture.Request) bool {
	f := value(r.Body).pick("event", "data")
	event, _ := f[0].text()
	return (strings.HasPrefix(event, "envelope-") || strings.HasPrefix(event, "recipient-")) && f[1].at("envelopeId") != nil
}
