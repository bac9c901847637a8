package provider

import "net/http"

// platformSpecimens are those of platforms where people work: files, documents, boards, accounts.
func platformSpecimens() []specimen {
	const (
		post   = http.MethodPost
		hook   = "https://hooks.example.com/in/x?tenant=7"
		object = `{"id":"o_1","text":"hello \u00e4"}`
		parts  = "--XX\r\nContent-Disposition: form-data; name=\"json\"\r\n\r\n{\"event\":{\"event_time\":\"1796040000\",\"event_type\":\"callback_test\",\"event_hash\":\"\"}}\r\n--XX--\r\n"
		states = `{"value":[{"id":"1","subscriptionId":"s","clientState":"","changeType":"created"},{"clientState":null}]}`
	)
	type h = map[string]string
	token := specimenExtra{token: true}
	return []specimen{
		{"envelope", "docusign", post, hook, nil, object, "one", "two", none},
		{"notice", "dropbox", post, hook, nil, object, "one", "two", none},
		{"callback", "dropbox-sign", post, hook, h{"Content-Type": "multipart/form-data; boundary=XX"}, parts, "one", "two", token},
		{"event", "box", post, hook, h{"BOX-SIGNATURE-VERSION": "1", "BOX-SIGNATURE-ALGORITHM": "HmacSHA256"}, object, "one", "two", specimenExtra{ours: []string{boxScheme.stamp.header}}},
		{"page", "notion", post, hook, nil, object, "one", "two", none},
		{"notice", "airtable", post, hook, nil, object, "b25lIG9uZQ==", "dHdvIHR3bw==", none},
		{"batch", "asana", post, hook, nil, object, "one", "two", none},
		{"board", "monday", post, hook, nil, object, "0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcde2", specimenExtra{token: true, expires: true}},
		{"batch", "microsoft-graph", post, hook, nil, states, "one", "two", token},
		{"batch", "okta", post, hook, nil, object, "one", "two", token},
		{"lines", "auth0", post, hook, nil, object + "\n" + object, "one", "two", token},
	}
}
