package provider

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// A Recipe is a provider that a user describes. It signs as a [scheme] does,
// or shows a token, or not at all; what its events are is written in jq.
type Recipe struct {
	Name  string `json:"name"`  // stored with requests: small letters, digits and -
	Title string `json:"title"` // for people

	Mark      string `json:"mark,omitzero"`      // a header that its requests have; "" and it is used where an endpoint names it
	Kind      string `json:"kind"`               // "hmac", "token" or "none"
	Header    string `json:"header,omitzero"`    // with the signature or the token
	Hash      string `json:"hash,omitzero"`      // "sha256" if "", "sha1", "sha512"
	Encoding  string `json:"encoding,omitzero"`  // "hex" if "", "base64", "base64url"
	Prefix    string `json:"prefix,omitzero"`    // before the signature: "sha256="; or in a list, its name: "v1="
	Signs     string `json:"signs,omitzero"`     // "{body}" if "": "{time}.{body}", "{method}{url}{body}", "{header:X-Id}"
	TimeIn    string `json:"timeIn,omitzero"`    // the header with the time; or in a list, its name: "t="
	TimeUnit  string `json:"timeUnit,omitzero"`  // "s" if "", "ms", "iso"
	Tolerance int    `json:"tolerance,omitzero"` // how many seconds old a signature may be; 0 for any age
	KeyForm   string `json:"keyForm,omitzero"`   // how a secret is the key: "text" if "", "base64", "hex", "whsec"

	Each   string `json:"each,omitzero"`   // jq: the events of a request, ".[]"; "" when it is one
	Key    string `json:"key,omitzero"`    // jq, of an event; $headers has the headers, in small letters
	Unique bool   `json:"unique,omitzero"` // the sender promises that Key is
	Type   string `json:"type,omitzero"`
	Object string `json:"object,omitzero"`
	At     string `json:"at,omitzero"`
	Order  string `json:"order,omitzero"` // a whole number
}

var recipeName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Provider makes the row, or says what is wrong with the recipe.
func (r Recipe) Provider() (capture.Provider, error) {
	p := capture.Provider{
		Name: r.Name, Title: r.Title, Header: r.Header, Dedupe: r.Key, Order: r.Order,
		Tolerance: time.Duration(r.Tolerance) * time.Second, Sources: []string{"described by you"},
	}
	if p.Order == "" {
		p.Order = r.At
	}
	if r.Mark != "" {
		p.Marks = []string{r.Mark}
	}
	if err := r.check(); err != nil {
		return p, err
	}
	switch r.Kind {
	case "hmac":
		s, err := r.scheme()
		if err != nil {
			return p, err
		}
		p.Scheme, p.Verify, p.Sign = s.String(), s.verify, s.sign
	case "token":
		t := token{header: r.Header, keys: keys{want: "the token as the sender shows it"}}
		p.Scheme, p.Verify, p.Sign = t.String(), t.verify, t.sign
	case "none":
		p.Scheme = "nothing is signed"
	}
	q, err := r.queries()
	if err != nil {
		return p, err
	}
	p.Events = q.events
	return p, nil
}

func (r Recipe) check() error {
	switch {
	case !recipeName.MatchString(r.Name):
		return wrong("name")
	case strings.TrimSpace(r.Title) == "" || len(r.Title) > 60:
		return wrong("title")
	case !slices.Contains([]string{"hmac", "token", "none"}, r.Kind):
		return wrong("kind")
	case r.Kind != "none" && !headerName.MatchString(r.Header):
		return wrong("header")
	case r.Mark != "" && !headerName.MatchString(r.Mark):
		return wrong("mark")
	case r.Tolerance < 0 || r.Tolerance > 7*24*3600:
		return wrong("tolerance")
	case r.Tolerance > 0 && r.TimeIn == "":
		return wrong("tolerance-no-time")
	}
	if _, taken := ByName(r.Name); taken {
		return &RecipeError{Why: "name-known", Detail: r.Name}
	}
	return nil
}

var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")

// scheme is how it signs. A prefix or a time that ends in = without being a
// header's name makes a list of the header: t=…,v1=….
func (r Recipe) scheme() (scheme, error) {
	s := scheme{header: r.Header, keys: keys{want: "the signing secret"}}
	var ok [4]bool
	s.hash, ok[0] = pick(r.Hash, map[string]algorithm{"": usingSHA256, "sha256": usingSHA256, "sha1": usingSHA1, "sha512": usingSHA512})
	enc, known := pick(r.Encoding, map[string]encoding{"": hexadecimal, "hex": hexadecimal, "base64": base64std, "base64url": base64url})
	ok[1] = known
	unit, known := pick(r.TimeUnit, map[string]timeUnit{"": inSeconds, "s": inSeconds, "ms": inMillis, "iso": inISO})
	ok[2] = known
	s.key, ok[3] = pick(r.KeyForm, map[string]func(string) []byte{"": nil, "text": nil, "base64": unbase64, "hex": unhexKey, "whsec": whsecKey})
	for i, name := range []string{"hash", "encoding", "timeUnit", "keyForm"} {
		if !ok[i] {
			return s, &RecipeError{Why: "choice", Detail: name}
		}
	}
	s.form = alone(r.Prefix, enc)
	inList, listed := strings.CutSuffix(r.TimeIn, "=")
	switch {
	case listed:
		name := strings.TrimSuffix(r.Prefix, "=")
		if inList == "" || name == "" || inList == name {
			return s, wrong("prefix")
		}
		s.form = list(",", inList, name, enc)
		s.stamp = stamp{unit: unit}
	case r.TimeIn != "":
		if !headerName.MatchString(r.TimeIn) {
			return s, wrong("time")
		}
		s.stamp = stamp{header: r.TimeIn, unit: unit}
	}
	s.stamp.window = time.Duration(r.Tolerance) * time.Second
	pieces, err := parsePieces(r.Signs)
	if err != nil {
		return s, err
	}
	if slices.Contains(pieces, theTime) && s.stamp.none() {
		return s, wrong("signs-no-time")
	}
	s.signs = pieces
	return s, nil
}

func pick[T any](name string, of map[string]T) (T, bool) {
	v, ok := of[name]
	return v, ok
}

func unhexKey(secret string) []byte {
	b, err := hex.DecodeString(secret)
	if err != nil {
		return nil
	}
	return b
}

func whsecKey(secret string) []byte {
	b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return nil
	}
	return b
}

// parsePieces reads what is signed: text with {body}, {time}, {url}, {method} and {header:X-Id} in it.
func parsePieces(s string) ([]piece, error) {
	if s == "" {
		return nil, nil
	}
	words := map[string]piece{"body": theBody, "time": theTime, "url": theURL, "method": theMethod}
	var out []piece
	for s != "" {
		before, after, open := strings.Cut(s, "{")
		if before != "" {
			out = append(out, literal(before))
		}
		if !open {
			break
		}
		word, rest, closed := strings.Cut(after, "}")
		name, isHeader := strings.CutPrefix(word, "header:")
		p, known := words[word]
		switch {
		case !closed:
			return nil, wrong("signs-open")
		case isHeader && headerName.MatchString(name):
			p = headerOf(name)
		case !known:
			return nil, &RecipeError{Why: "signs-word", Detail: clip(word)}
		}
		out, s = append(out, p), rest
	}
	if !slices.Contains(out, theBody) {
		return nil, wrong("signs-no-body")
	}
	return out, nil
}
