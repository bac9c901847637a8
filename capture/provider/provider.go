// Package provider is what AnyHook knows of single senders of webhooks: how
// each of them signs, which of its fields tell occurrences apart, and what it
// asks before it sends anything.
//
// A provider is one file and one row in [All]. To add one: write acme.go with
// a [capture.Provider], put it into All, put what its own library or manual
// calls a good and a bad signature into testdata/vectors, its payloads into
// testdata/payloads, and a sample into assets/samples. The tests run over All,
// so a new row is held to the same rules as the others:
//
//   - a signature is checked over the bytes that arrived, before any parse,
//     in constant time, and against every secret of the endpoint;
//   - a header that can be read in two ways is never a valid signature;
//   - a signature that fits but is old is [capture.Stale], not invalid;
//   - Sign makes what Verify accepts, and leaves the rest of the head alone;
//   - what has an attempt number gets one by Mark, and what comes in batches is
//     taken apart by Batch and put together by Join, byte for byte;
//   - Events never panics, whatever the body, and never rounds a number;
//   - Match looks at the headers that go with a signature, at the body last,
//     and never takes another provider's request.
package provider

import "anyhook.net/desktop/capture"

// All is every provider, in the order in which they are asked whether a
// request is theirs. The open standard, which others build on, comes last.
var All = []capture.Provider{
	stripe,
	github,
	shopify,
	hubspot,
	calendly,
	twilio,
	slack,
	linear,
	discord,
	zoom,
	line,
	telegram,
	sendgrid,
	mailgun,
	mandrill,
	postmark,
	twitch,
	zendesk,
	typeform,
	pusher,
	intercom,
	x,
	meta,
	segment,
	square,
	paddle,
	lemonsqueezy,
	razorpay,
	coinbaseCommerce,
	gocardless,
	chargebee,
	woocommerce,
	xero,
	quickbooks,
	workos,
	mux,
	tally,
	adyen,
	mollie,
	recurly,
	easypost,
	wise,
	plaid,
	paypal,
	docusign,
	dropboxSign,
	dropbox,
	box,
	notion,
	airtable,
	asana,
	okta,
	awsSNS,
	microsoftGraph,
	monday,
	auth0,
	gitlab,
	bitbucket,
	jira,
	circleci,
	buildkite,
	vercel,
	heroku,
	terraformCloud,
	sentry,
	pagerduty,
	sanity,
	contentful,
	trello,
	calcom,
	acuity,
	resend,
	clerk,
	openai,
	polar,
	bigcommerce,
	anthropic,
	brex,
	svix,
	standardWebhooks,
}

// Known finds whose of All a request is.
var Known = capture.NewProviders(All...)

// ByName returns the row with the name that is stored with requests.
func ByName(name string) (capture.Provider, bool) {
	p, ok := Known.Named(name)
	if !ok {
		return capture.Provider{}, false
	}
	return *p, true
}
