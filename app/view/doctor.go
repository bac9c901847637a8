package view

import (
	"net/http"
	"strings"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/doctor"
	"anyhook.net/desktop/replay"
)

// A Diagnosis is what the doctor says of a signature that does not fit.
type Diagnosis struct {
	Says string    // with which change it fits, in a sentence; "" when nothing was found
	Next string    // what to do about it
	Fits *Document // exactly what is hashed then; nil when that is not known
	Here bool      // it can be mended in the endpoint
}

// Diagnose puts a finding into words.
func Diagnose(f doctor.Finding) Diagnosis {
	if f.Cause == "" {
		return Diagnosis{}
	}
	d := Diagnosis{Says: cause(f), Next: text.Or("doctor.next."+string(f.Cause), "")}
	for _, begin := range []string{"secret-", "other-", "test-"} {
		d.Here = d.Here || strings.HasPrefix(string(f.Cause), begin)
	}
	if f.Also != nil {
		d.Says += " " + text.T("doctor.also", cause(*f.Also))
	}
	if f.Status == capture.Stale {
		d.Says += " " + text.T("doctor.stale")
	}
	if len(f.Content) > 0 {
		fits := hashed(f.Content)
		d.Fits = &fits
	}
	return d
}

func cause(f doctor.Finding) string {
	if f.Detail == "" {
		return text.Or("doctor.cause."+string(f.Cause), string(f.Cause))
	}
	return text.Or("doctor.cause."+string(f.Cause), string(f.Cause), Clean(f.Detail, 500))
}

// HashesElse reports whether a handler refused what verifies here, so that it
// hashes something else than the bytes that came.
func HashesElse(status capture.Status, attempts []replay.Attempt) bool {
	if status != capture.Valid || len(attempts) == 0 {
		return false
	}
	last := attempts[len(attempts)-1]
	switch last.Outcome.Status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
		return true
	}
	return replay.Hint(last.Outcome) == replay.HintSignature
}
