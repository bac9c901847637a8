package provider

import (
	"time"

	"anyhook.net/desktop/capture"
)

// Acuity signs the form with the API key of the admin. It names an appointment and
// what was done to it, and no more: two reschedules are the same bytes.
var acuity = capture.Provider{
	Name:     "acuity",
	Title:    "Acuity Scheduling",
	Scheme:   acuityScheme.String(),
	Header:   acuityScheme.header,
	Retry:    capture.Retry{Within: 24 * time.Hour},
	Disabled: "A webhook that fails for five days is disabled.",
	Setup:    "Integrations → API → Webhooks; the key is the API key shown there.",
	Note:     "Nothing tells its events apart, and nothing says which came first: fetch the appointment. \"changed\" comes beside scheduled, rescheduled and canceled: two webhooks for one change.",
	Trust:    capture.Trust{Signature: capture.BySDK, Identity: capture.ByDocs, Retry: capture.ByHearsay},
	Sources: []string{
		"npm acuityscheduling@0.1.9",
		"https://developers.acuityscheduling.com/docs/webhooks",
	},
	Marks:   []string{"X-Acuity-Signature"},
	Members: []string{"appointmentTypeID"},
	Body: func(r *capture.Request) bool {
		form := string(r.Body)
		return isForm(r) && formValue(form, "action") != "" && formValue(form, "appointmentTypeID") != "" && formValue(form, "calendarID") != ""
	},
	Verify:      acuityScheme.verify,
	Sign:        acuityScheme.sign,
	CheckSecret: acuityScheme.keys.check,
	Events:      acuityFields.eventsOf("acuity"),
}

var acuityScheme = scheme{
	header: "X-Acuity-Signature",
	form:   alone("", base64std),
	keys:   keys{want: "the API key of the main admin user"},
}

var acuityFields = fields{
	typ:    []string{"form:action"},
	object: []string{"form:id"},
}
