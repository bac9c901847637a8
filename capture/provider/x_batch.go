package provider

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"anyhook.net/desktop/capture"
)

// xLists yields the lists of events, which are named after what happened.
func xLists(root value) func(yield func(string, value) bool) {
	return func(yield func(string, value) bool) {
		for quoted, list := range root.members() {
			name, _ := value(quoted).text()
			if strings.HasSuffix(name, "_events") && list.kind() == '[' && !yield(name, list) {
				return
			}
		}
	}
}

// xBatch returns the body once for each event, with that event alone: what it
// is, only the name of its list tells.
func xBatch(r *capture.Request) ([][]byte, error) {
	if !json.Valid(r.Body) {
		return nil, errNoPart
	}
	lists := func(root value) (all []value) {
		for _, list := range xLists(root) {
			all = append(all, list)
		}
		return all
	}
	var parts [][]byte
	size := 0
	root := value(r.Body).trimmed()
	if len(lists(root)) == 0 {
		return nil, errEmptyBatch
	}
	for part := range singles(root, []func(value) []value{lists}) {
		if size += len(part); len(parts) == batchMost || size > batchBytes {
			return nil, errLargeBatch
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil, errEmptyBatch
	}
	return parts, nil
}

// xJoin puts the events into their lists in r.
func xJoin(r *capture.Request, parts [][]byte) error {
	var names []string
	events := map[string][][]byte{}
	for _, part := range parts {
		if !json.Valid(part) {
			return errNoPart
		}
		for name, list := range xLists(part) {
			for v := range list.elements() {
				if events[name] == nil {
					names = append(names, name)
				}
				events[name] = append(events[name], v)
			}
		}
	}
	root := value(r.Body).trimmed()
	switch {
	case len(names) == 0:
		return errEmptyBatch
	case root.kind() != '{' || !json.Valid(r.Body):
		return errNoBatch
	}
	e := edit{of: r.Body}
	for name, list := range xLists(root) {
		e.replace(list, written(events[name]))
		delete(events, name) // a name that comes twice is not sent twice
		names = slices.DeleteFunc(names, func(n string) bool { return n == name })
	}
	for _, name := range names {
		e.set(root, name, written(events[name]))
	}
	r.Body = e.done()
	return nil
}

// written is a JSON list of what is JSON.
func written(elements [][]byte) string {
	return "[" + string(bytes.Join(elements, []byte(","))) + "]"
}
