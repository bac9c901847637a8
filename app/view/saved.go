package view

import (
	"encoding/json"
	"slices"
	"strings"

	"anyhook.net/desktop/app/text"
)

// maxSaved is how many filters are kept.
const maxSaved = 50

// A SavedFilter is a filter with a name.
type SavedFilter struct {
	Name  string `json:"name"`
	Chips Chips  `json:"chips"`
}

// SavedFilters reads what [SavedFilter]s were kept as; what is not readable is none.
func SavedFilters(kept string) []SavedFilter {
	var out []SavedFilter
	if json.Unmarshal([]byte(kept), &out) != nil {
		return nil
	}
	return out[:min(len(out), maxSaved)]
}

// SaveFilter adds a filter, in the place of one with its name, and returns all
// as they are kept. The newest are kept if there are too many.
func SaveFilter(kept string, f SavedFilter) string {
	all := slices.DeleteFunc(SavedFilters(kept), func(o SavedFilter) bool { return o.Name == f.Name })
	all = append(all, f)
	return keepFilters(all[max(0, len(all)-maxSaved):])
}

// DropFilter forgets the filter with a name, and returns the others as they are kept.
func DropFilter(kept, name string) string {
	return keepFilters(slices.DeleteFunc(SavedFilters(kept), func(o SavedFilter) bool { return o.Name == name }))
}

func keepFilters(all []SavedFilter) string {
	data, err := json.Marshal(all)
	if err != nil {
		return ""
	}
	return string(data)
}

// Name proposes a name for a filter: what it chooses, in words.
func (c Chips) Name(desk Desk) string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	word := func(choices []Choice, value string) string {
		if i := slices.IndexFunc(choices, func(o Choice) bool { return value != "" && o.Value == value }); i >= 0 {
			return choices[i].Name
		}
		return ""
	}
	add(word(ProviderChoices(desk), c.Provider))
	add(word(SignatureChoices(), c.Signature))
	add(word(OutcomeChoices(), c.Outcome))
	add(word(KindChoices(), c.Kind))
	if c.Duplicates {
		add(text.T("filter.duplicates"))
	}
	if c.Late {
		add(text.T("filter.late"))
	}
	if s := strings.TrimSpace(c.Text); s != "" {
		add("“" + Clean(s, 40) + "”")
	}
	return strings.Join(parts, " · ")
}
