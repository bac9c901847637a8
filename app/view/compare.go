package view

import (
	"bytes"
	"strconv"
	"strings"

	"anyhook.net/desktop/app/text"
)

// A Difference is one line of two attempts side by side.
type Difference struct {
	Name        string
	Left, Right string
	Same        bool
}

// Compare puts two attempts side by side: how they went, and what was answered,
// header by header. The body is said to be the same or to differ, and from where.
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
	for i := range out {
		out[i].Same = out[i].Left == out[i].Right
	}
	return out
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
