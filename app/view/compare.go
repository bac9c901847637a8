package view

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"anyhook.net/desktop/app/text"
)

// A Difference is one line of two attempts side by side.
type Difference struct {
	Name        string
	Left, Right string
	Same        bool // or no wonder that it is not, as of times
}

// Compare puts two attempts side by side: how they went, and what was answered,
// header by header; what differs comes first. The body is said to be the same or to differ, and from where.
func Compare(a, b AttemptView) []Difference {
	out := []Difference{
		{Name: text.T("column.outcome"), Left: a.Verdict.Text, Right: b.Verdict.Text},
		{Name: text.T("column.time"), Left: a.Time, Right: b.Time},
		{Name: text.T("deliveries.took"), Left: a.Took, Right: b.Took},
		{Name: text.T("deliveries.target"), Left: a.Target, Right: b.Target},
		{Name: text.T("compare.line"), Left: a.Head.Line, Right: b.Head.Line},
	}
	out = append(out, compareHeaders(a.Head.Sender, b.Head.Sender)...)
	left, right := text.Size(int64(len(a.Answer.Bytes))), text.Size(int64(len(b.Answer.Bytes)))
	body := Difference{Name: text.T("tab.body"), Left: left, Right: right}
	if at := firstDifference(a.Answer.Bytes, b.Answer.Bytes); at >= 0 {
		body.Right = text.T("compare.body", right, strconv.Itoa(at+1))
	}
	out = append(out, body)
	timed := []string{text.T("column.time"), text.T("deliveries.took")}
	for i, d := range out {
		out[i].Same = d.Left == d.Right || i < 3 && slices.Contains(timed, d.Name)
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return place(a) - place(b) })
	return out
}

// place puts what differs first.
func place(d Difference) int {
	if d.Same {
		return 1
	}
	return 0
}

// Differences says how many of the lines differ.
func Differences(all []Difference) Mark {
	n := 0
	for _, d := range all {
		if !d.Same {
			n++
		}
	}
	if n == 0 {
		return Mark{Tone: Good, Text: text.T("compare.same")}
	}
	return Mark{Tone: Warn, Text: text.N("compare.differ", int64(n))}
}

// compareHeaders pairs fields by their names, in the order of the left ones;
// those that only the right has come last. Repeats are joined.
func compareHeaders(a, b []HeaderLine) []Difference {
	var out []Difference
	at := map[string]int{}
	put := func(l HeaderLine, right bool) {
		name := strings.ToLower(l.Name)
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, Difference{Name: l.Name})
		}
		side := &out[i].Left
		if right {
			side = &out[i].Right
		}
		if *side != "" {
			*side += ", "
		}
		*side += l.Value
	}
	for _, l := range a {
		put(l, false)
	}
	for _, l := range b {
		put(l, true)
	}
	return out
}

// firstDifference is the first byte in which a and b differ; -1 if they do not.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
