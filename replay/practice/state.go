package practice

import (
	_ "embed" // of the page
	"encoding/json"
	"html/template"
	"maps"
	"net/http"
	"slices"
)

// A State is what the shop has done.
type State struct {
	Flaw       string            `json:"flaw"`
	Requests   int               `json:"requests"`   // webhooks that came
	Failed     int               `json:"failed"`     // of these, answered 500 by the flaw "fails"
	Duplicates int               `json:"duplicates"` // events that had been there before
	Charged    int               `json:"charged"`    // the sum of Charges
	Twice      int               `json:"twice"`      // events that were charged more than once
	Charges    map[string]int    `json:"charges"`    // by the event's key
	Objects    map[string]Object `json:"objects"`
}

// State returns a copy.
func (s *Shop) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := State{
		Flaw: s.flaw, Requests: s.requests, Failed: s.failed, Duplicates: s.duplicates,
		Charges: map[string]int{}, Objects: map[string]Object{},
	}
	maps.Copy(st.Charges, s.charges.values)
	maps.Copy(st.Objects, s.objects.values)
	for _, n := range st.Charges {
		st.Charged += n
		if n > 1 {
			st.Twice++
		}
	}
	return st
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// A row is a line of the page.
type row struct {
	Key     string
	Charges int
	Object  Object
}

// maxRows is how many lines the page has of each kind, the newest first.
const maxRows = 100

func (s *Shop) show(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch r.URL.Path {
	case "/state":
		w.Header().Set("Content-Type", "application/json")
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		_ = e.Encode(s.State())
	case "/":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		charges, objects := s.rows()
		_ = page.Execute(w, map[string]any{"State": s.State(), "Text": describe(s.flaw), "Charges": charges, "Objects": objects})
	default:
		http.NotFound(w, r)
	}
}

func describe(flaw string) string {
	i := slices.IndexFunc(Flaws, func(f Flaw) bool { return f.Name == flaw })
	return Flaws[i].Text
}

func (s *Shop) rows() (charges, objects []row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range slices.Backward(s.charges.keys[max(0, len(s.charges.keys)-maxRows):]) {
		charges = append(charges, row{Key: key, Charges: s.charges.values[key]})
	}
	for _, key := range slices.Backward(s.objects.keys[max(0, len(s.objects.keys)-maxRows):]) {
		objects = append(objects, row{Key: key, Object: s.objects.values[key]})
	}
	return charges, objects
}
