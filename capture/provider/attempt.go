package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"anyhook.net/desktop/capture"
)

// marksOf returns the Mark of a row whose attempt number is in one place: a
// header, or a member of the outermost object.
func (x fields) marksOf() func(r *capture.Request, try int) error {
	header, inHeader := strings.CutPrefix(x.try, "header:")
	_, member, _ := strings.Cut(x.try, "$.")
	return func(r *capture.Request, try int) error {
		if err := checkTry(try); err != nil {
			return err
		}
		n := try
		if x.from0 {
			n--
		}
		switch {
		case !inHeader:
			return markBody(r, member, n)
		case n > 0 || r.Header.Get(header) != "": // a first delivery need not say that it is one
			r.SetHeader(header, strconv.Itoa(n))
		}
		return nil
	}
}

func checkTry(try int) error {
	if try < 1 || try > 999 {
		return fmt.Errorf("an attempt number is 1 to 999, not %d", try)
	}
	return nil
}

// markBody puts a number into the outermost object, as a text where it was one.
func markBody(r *capture.Request, name string, n int) error {
	root := value(r.Body).trimmed()
	if root.kind() != '{' || !json.Valid(r.Body) {
		return errNotObject
	}
	text := strconv.Itoa(n)
	if root.pick(name)[0].kind() == '"' {
		text = strconv.Quote(text)
	}
	e := edit{of: r.Body}
	e.set(root, name, text)
	r.Body = e.done()
	return nil
}

var (
	errNotObject = errors.New("the body is not a JSON object to put the attempt number into")
	errNoEvents  = errors.New("the body has no events to put the attempt number into")
)

// hubspotMark puts the number into each of the events.
func hubspotMark(r *capture.Request, try int) error {
	if err := checkTry(try); err != nil {
		return err
	}
	root := value(r.Body).trimmed()
	if root.kind() == '{' {
		return markBody(r, "attemptNumber", try-1)
	}
	if root.nth(0).kind() != '{' || !json.Valid(r.Body) {
		return errNoEvents
	}
	e := edit{of: r.Body}
	for v := range root.elements() {
		if v.kind() == '{' {
			e.set(v, "attemptNumber", strconv.Itoa(try-1))
		}
	}
	r.Body = e.done()
	return nil
}

// slackMark puts in the headers of a retry: the first delivery has none.
func slackMark(r *capture.Request, try int) error {
	if err := checkTry(try); err != nil {
		return err
	}
	if try == 1 {
		r.RemoveHeader(slackRetry)
		r.RemoveHeader(slackReason)
		return nil
	}
	r.SetHeader(slackRetry, strconv.Itoa(try-1))
	if r.Header.Get(slackReason) == "" {
		r.SetHeader(slackReason, "http_timeout")
	}
	return nil
}

// squareMark puts in what else a retry has: why it comes, and when the first came.
func squareMark(r *capture.Request, try int) error {
	if err := squareFields.marksOf()(r, try); err != nil || try == 1 {
		return err
	}
	if r.Header.Get(squareReason) == "" {
		r.SetHeader(squareReason, "HTTP_TIMEOUT")
	}
	if r.Header.Get(squareFirst) == "" {
		r.SetHeader(squareFirst, r.At.UTC().Format(time.RFC3339))
	}
	return nil
}

// lineMark says that the events are redelivered; how often, LINE does not tell.
func lineMark(r *capture.Request, try int) error {
	if err := checkTry(try); err != nil {
		return err
	}
	events := value(r.Body).at("events")
	if events.nth(0).kind() != '{' || !json.Valid(r.Body) {
		return errNoEvents
	}
	again := strconv.FormatBool(try > 1)
	e := edit{of: r.Body}
	for v := range events.elements() {
		switch context := v.at("deliveryContext"); {
		case context.kind() == '{':
			e.set(context, "isRedelivery", again)
		case v.kind() == '{':
			e.set(v, "deliveryContext", `{"isRedelivery":`+again+`}`)
		}
	}
	r.Body = e.done()
	return nil
}

// muxMark lists an attempt that failed for each one before.
func muxMark(r *capture.Request, try int) error {
	if err := checkTry(try); err != nil {
		return err
	}
	root := value(r.Body).trimmed()
	if root.kind() != '{' || !json.Valid(r.Body) {
		return errNotObject
	}
	var before []string
	for v := range root.at("attempts").elements() {
		before = append(before, string(v))
	}
	before = before[:min(len(before), try-1)]
	for len(before) < try-1 {
		next := `{"response_status_code":504}`
		if len(before) > 0 {
			next = before[len(before)-1]
		}
		before = append(before, next)
	}
	e := edit{of: r.Body}
	e.set(root, "attempts", "["+strings.Join(before, ",")+"]")
	r.Body = e.done()
	return nil
}
