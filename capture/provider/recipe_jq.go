package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/itchyny/gojq"

	"anyhook.net/desktop/capture"
)

const (
	jqPatience = 200 * time.Millisecond // for all that is asked about one request
	jqMost     = 1000                   // events of one request
	jqLargest  = 4 << 20                // bytes of a body that is read so
)

// queries are the jq programs of a recipe, ready to run; nil for what it does not say.
type queries struct {
	name                              string
	unique                            bool
	each, key, typ, object, at, order *gojq.Code
}

func (r Recipe) queries() (queries, error) {
	q := queries{name: r.Name, unique: r.Unique}
	for _, x := range []struct {
		field, text string
		to          **gojq.Code
	}{
		{"each", r.Each, &q.each},
		{"key", r.Key, &q.key},
		{"type", r.Type, &q.typ},
		{"object", r.Object, &q.object},
		{"at", r.At, &q.at},
		{"order", r.Order, &q.order},
	} {
		if strings.TrimSpace(x.text) == "" {
			continue
		}
		code, err := compileJQ(x.text)
		if err != nil {
			return q, &RecipeError{Why: "jq", Detail: x.field + ": " + err.Error()}
		}
		*x.to = code
	}
	return q, nil
}

// compileJQ compiles a program that can see nothing but what it is given: no
// environment, no files, no other input.
func compileJQ(text string) (*gojq.Code, error) {
	if len(text) > 2000 {
		return nil, errors.New("at most 2000 letters")
	}
	parsed, err := gojq.Parse(text)
	if err != nil {
		return nil, err
	}
	return gojq.Compile(parsed, gojq.WithVariables([]string{"$headers"}))
}

// events reads the events of a request as the recipe says.
func (q queries) events(r *capture.Request) ([]capture.Event, error) {
	f := reading{name: q.name}
	if len(r.Body) > jqLargest {
		f.fail("the body is larger than %d bytes", jqLargest)
		return nil, f.err()
	}
	ctx, cancel := context.WithTimeout(context.Background(), jqPatience)
	defer cancel()
	headers := map[string]any{}
	for name, values := range r.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	doc, err := jqInput(r)
	if err != nil {
		f.fail("%v", err)
	}
	docs := []any{doc}
	if q.each != nil {
		docs = jqAll(ctx, &f, q.each, doc, headers)
	}
	var out []capture.Event
	for _, d := range docs {
		out = append(out, q.event(ctx, &f, d, headers))
	}
	return out, f.err()
}

// jqInput is the body as jq sees it: JSON; the fields of a form; or a string.
func jqInput(r *capture.Request) (any, error) {
	if isForm(r) {
		form := map[string]any{}
		for name, value := range formFields(string(r.Body)) {
			form[name] = value
		}
		return form, nil
	}
	if len(r.Body) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(r.Body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return string(r.Body), errors.New("the body is neither JSON nor a form")
	}
	return v, nil
}

func (q queries) event(ctx context.Context, f *reading, doc any, headers map[string]any) capture.Event {
	text := func(code *gojq.Code) string { return jqText(ctx, f, code, doc, headers) }
	e := capture.Event{Type: text(q.typ), Object: text(q.object)}
	if key := text(q.key); key != "" {
		e.Key = capture.Key{Value: key, Exact: q.unique}
	}
	if at := text(q.at); at != "" {
		t, ok := parseTime(at)
		if !ok {
			f.fail("at: %s is not a time", brief(at))
		}
		e.At = t
	}
	if order := text(q.order); order != "" {
		n, err := strconv.ParseInt(order, 10, 64)
		if err != nil {
			f.fail("order: %s is not a whole number", brief(order))
		}
		e.Order = n
	}
	return e
}

// jqText is the first result of a program as text; "" for null and for none.
func jqText(ctx context.Context, f *reading, code *gojq.Code, doc any, headers map[string]any) string {
	if code == nil {
		return ""
	}
	v, ok := code.RunWithContext(ctx, doc, headers).Next()
	if !ok {
		return ""
	}
	switch v := v.(type) {
	case nil:
	case error:
		f.fail("%s", clip(v.Error()))
	case string:
		return clip(v)
	case bool, int, float64, *big.Int, json.Number:
		b, err := gojq.Marshal(v)
		if err != nil {
			f.fail("%s", clip(err.Error()))
		}
		return clip(string(b))
	default:
		f.fail("it gives a list or an object, not a text")
	}
	return ""
}

// jqAll are the results of a program.
func jqAll(ctx context.Context, f *reading, code *gojq.Code, doc any, headers map[string]any) []any {
	var out []any
	results := code.RunWithContext(ctx, doc, headers)
	for len(out) < jqMost {
		v, ok := results.Next()
		if !ok {
			return out
		}
		if err, bad := v.(error); bad {
			f.fail("each: %s", clip(err.Error()))
			return out
		}
		out = append(out, v)
	}
	f.fail("more than %d events", jqMost)
	return out
}

// A RecipeError says what is wrong with a recipe.
type RecipeError struct {
	Why    string // a word that translations know
	Detail string // what it speaks of; "" for nothing
}

func wrong(why string) error { return &RecipeError{Why: why} }

var recipeText = map[string]string{
	"name":              "name: small letters, digits and -, at most 40",
	"name-known":        "name: %s is a provider that AnyHook knows",
	"title":             "title: from 1 to 60 letters",
	"kind":              "kind: hmac, token or none",
	"header":            "header: the name of the header with the signature",
	"mark":              "mark: the name of a header",
	"tolerance":         "tolerance: from 0 to 604800 seconds",
	"tolerance-no-time": "tolerance: there is no time to go by",
	"choice":            "%s: not known",
	"prefix":            "prefix: in a list with a time, the signature needs a name such as v1=",
	"time":              "time: a header's name, or a name in the list such as t=",
	"signs-no-time":     "signs: {time} is signed, but nothing says where it is",
	"signs-open":        "signs: { without }",
	"signs-word":        "signs: {%s} is not known: body, time, url, method, header:Name",
	"signs-no-body":     "signs: without {body} anybody could send another body",
	"jq":                "%s",
}

func (e *RecipeError) Error() string { return strings.Replace(recipeText[e.Why], "%s", e.Detail, 1) }
