package grid

import (
	"testing"

	"fyne.io/fyne/v2"
)

var large = fyne.NewSize(1100, 700)

func BenchmarkScrollStep(b *testing.B) {
	tb, _ := show(b, descending(1_000_000), large)
	for b.Loop() {
		tb.ScrollBy(17)
	}
}

func BenchmarkJump(b *testing.B) {
	tb, _ := show(b, descending(1_000_000), large)
	i := 0
	for b.Loop() {
		i += 997
		tb.moveTo(place{i % 900_000, 0})
		tb.body.Refresh()
	}
}

func BenchmarkRefresh(b *testing.B) {
	tb, _ := show(b, descending(1_000_000), large)
	for b.Loop() {
		tb.body.Refresh()
	}
}

func BenchmarkRowsCome(b *testing.B) {
	src := descending(1_000_000)
	tb, _ := show(b, &rows{src.keys[100_000:]}, large)
	tb.Select(500_000)
	i := 100_000
	for b.Loop() {
		i--
		tb.Source = &rows{src.keys[max(0, i):]}
		tb.Changed()
	}
}

func BenchmarkFilterChanges(b *testing.B) {
	src := descending(1_000_000)
	tb, _ := show(b, src, large)
	tb.Select(5, 6, 7)
	odd := &rows{}
	for i := 0; i < len(src.keys); i += 2 {
		odd.keys = append(odd.keys, src.keys[i])
	}
	for i := 0; b.Loop(); i++ {
		tb.Source = []Source{odd, src}[i%2]
		tb.Changed()
	}
}

func BenchmarkSelectAll(b *testing.B) {
	tb, _ := show(b, descending(1_000_000), large)
	for b.Loop() {
		tb.SelectAll()
	}
}

func BenchmarkPaintByProcessor(b *testing.B) {
	tb, w := show(b, descending(1_000_000), large)
	for b.Loop() {
		tb.ScrollBy(17)
		w.Canvas().Capture()
	}
}
