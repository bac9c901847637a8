package codeview

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"
)

// lines are the rows as they are shown, with the numbers of their lines.
func lines(v *View) []string {
	var out []string
	v.rows.all()
	v.rows.rows(0, func(_ int, r row) bool {
		var b strings.Builder
		for _, s := range v.rows.maker.spans(r) {
			b.Write(s.bytes)
		}
		out = append(out, string(rune('0'+r.line))+" "+b.String())
		return true
	})
	return out
}

func TestObjectsFoldAndUnfold(t *testing.T) {
	v, _ := show(t)
	v.ShowJSON([]byte(`{"a":{"b":[1,{}],"c":"}"},"d":[],"e":2}`))
	all := lines(v)
	require.Equal(t, []string{`1 {`, `2   "a": {`, `3     "b": [`, `4       1,`, `5       {}`, `6     ],`, `7     "c": "}"`, `8   },`, `9   "d": [],`}, all[:9])
	v.press(1, 2, 0)
	v.keysTyped(fyne.KeySpace)
	require.Equal(t, []string{`1 {`, `2   "a": {…},`, `9   "d": [],`}, lines(v)[:3], "lines keep their numbers")
	require.Contains(t, seen(t, v), "▸")
	v.press(2, 2, 0)
	require.False(t, v.Fold(), "nothing is in it")
	require.Equal(t, 1, v.Find("\"c\""), "a find unfolds what it is in")
	require.Equal(t, all, lines(v))
	v.press(0, -2, 0) // the sign beside the first line
	require.Equal(t, []string{"1 {…}"}, lines(v))
	v.press(0, -2, 0)
	require.Equal(t, all, lines(v))
	v.ShowText([]byte("{\n}"))
	require.False(t, v.Fold(), "text has no folds")
}

// Whatever is folded, the rows end where the source does, and the last line
// has the number that it had.
func FuzzFold(f *testing.F) {
	f.Add([]byte(`{"a":{"b":[1,{}],"c":"}"},"d":[],"e":2}`), 5)
	f.Add([]byte(`[[[]],[{"\"":"\\"}]]`), 1)
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		if !json.Valid(b) || len(b) > 1<<12 {
			return
		}
		last := func(m jsonMaker) (end, line int) {
			s := state{line: 1}
			for {
				r, then, ok := m.next(s)
				if !ok {
					return end, line
				}
				m.spans(r)
				end, line, s = r.end, r.line, then
			}
		}
		m := newJSON(b, lineLimit)
		end, line := last(m)
		off := bytes.IndexAny(b[min(max(at, 0), len(b)):], "{[")
		if off < 0 {
			return
		}
		off += min(max(at, 0), len(b))
		folded, ok := folding(b, off)
		if !ok || within(b, off) {
			return
		}
		m.folds = map[int]fold{off: folded}
		e, l := last(m)
		require.Equal(t, end, e)
		if off == 0 {
			require.Equal(t, 1, l)
		} else if e != folded.end {
			require.Equal(t, line, l)
		}
	})
}

// within reports whether an offset is in a string.
func within(b []byte, off int) bool {
	in := false
	for i := 0; i < off; i++ {
		switch {
		case in && b[i] == '\\':
			i++
		case b[i] == '"':
			in = !in
		}
	}
	return in
}
