package grid

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/ui/look"
)

func TestColumnsShareTheRoom(t *testing.T) {
	tests := []struct {
		name    string
		columns []Column
		total   float32
		want    []float32
	}{
		{"none", nil, 100, []float32{}},
		{"as wanted", []Column{{Width: 60}, {Width: 40}}, 100, []float32{60, 40}},
		{"room is left, nobody wants it", []Column{{Width: 60}, {Width: 40}}, 200, []float32{60, 40}},
		{"room is left", []Column{{Width: 60}, {Width: 40, Weight: 1}, {Width: 100, Weight: 3}}, 240, []float32{60, 50, 130}},
		{"room is lacking", []Column{{Width: 60}, {Width: 100, Weight: 1}}, 120, []float32{60, 60}},
		{"a weighted one is at its least", []Column{{Width: 60}, {Width: 100, Min: 90, Weight: 1}, {Width: 200, Weight: 1}}, 300, []float32{60, 90, 150}},
		{"all have to give", []Column{{Width: 100, Min: 50}, {Width: 100, Min: 80, Weight: 1}}, 150, []float32{70, 80}},
		{"too narrow for all", []Column{{Width: 100, Min: 50}, {Width: 100, Min: 80}}, 10, []float32{50, 80}},
		{"no width is the least", []Column{{}, {Min: 70}}, 110, []float32{40, 70}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.InDeltaSlice(t, tt.want, arrange(tt.columns, tt.total), 0.6)
		})
	}
}

func TestDraggingAnEdgeTakesFromThoseAfterIt(t *testing.T) {
	columns := []Column{{Min: 40}, {Min: 40}, {Min: 40}}
	tests := []struct {
		name string
		edge int
		dx   float32
		want []float32
	}{
		{"wider", 0, 20, []float32{120, 80, 100}},
		{"wider than the next can give", 0, 90, []float32{190, 40, 70}},
		{"wider than all can give", 0, 500, []float32{600, 40, 40}},
		{"narrower", 1, -30, []float32{100, 70, 130}},
		{"narrower than it can be", 1, -300, []float32{100, 40, 160}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			widths := []float32{100, 100, 100}
			drag(columns, widths, tt.edge, tt.dx)
			require.InDeltaSlice(t, tt.want, widths, 0.01)
		})
	}
}

func TestPlacesAreExactFarDown(t *testing.T) {
	const rowH, height = 28, 272
	end := lastPlace(50_000_000, rowH, height)
	require.Equal(t, place{49_999_990, 8}, end)
	p := place{40_000_000, 5}
	require.Equal(t, place{40_000_000, 6}, p.moved(1, rowH))
	require.Equal(t, place{39_999_999, 27}, p.moved(-6, rowH))
	require.Equal(t, end, p.moved(1e9, rowH).within(50_000_000, rowH, height))
	require.Equal(t, place{}, place{}.moved(-5, rowH).within(50_000_000, rowH, height))
	require.Equal(t, place{}, p.within(3, rowH, height), "few rows do not scroll")
	require.Equal(t, p, p.to(40_000_003, rowH, height), "in sight already")
	require.Equal(t, place{40_000_000, 0}, p.to(40_000_000, rowH, height))
	require.Equal(t, end, p.to(49_999_999, rowH, height))
	back := atShare(p.share(50_000_000, rowH, height), 50_000_000, rowH, height)
	require.InDelta(t, p.row, back.row, 1)
}

func TestWidthsAreDraggedAndKept(t *testing.T) {
	tb, _ := show(t, descending(10), small)
	changed := 0
	tb.OnWidths = func() { changed++ }
	require.InDelta(t, 400-barWidth-160, tb.widths[2], 0.5, "the weighted column fills the window")
	tb.header.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(61, 5)}})
	require.Equal(t, desktop.HResizeCursor, tb.header.Cursor())
	tb.header.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(30, 0)})
	tb.header.DragEnd()
	require.Equal(t, 1, changed)
	kept := tb.Widths()
	require.InDelta(t, 90, kept["n"], 0.5)

	other, _ := show(t, descending(10), small)
	other.SetWidths(kept)
	other.SetWidths(map[string]float32{"gone": 5, "n": 1})
	require.InDelta(t, 40, other.columns[0].Width, 0)
	other.SetWidths(kept)
	require.Equal(t, tb.widths, other.widths)
}

func TestHeaderIsTappedBesideItsEdges(t *testing.T) {
	tb, w := show(t, descending(10), small)
	var got []string
	tb.OnHeader = func(id string) { got = append(got, id) }
	for _, x := range []float32{20, 59, 100, 300} {
		test.TapCanvas(w.Canvas(), fyne.NewPos(x, 5))
	}
	require.Equal(t, []string{"n", "provider", "type"}, got)
}

// Times were cut at 150 %, where the columns stayed as wide as at 100 %.
func TestColumnsAreWiderForLargerText(t *testing.T) {
	test.NewTempApp(t)
	th := look.NewTheme(look.Light)
	th.Scale = 1.5
	fyne.CurrentApp().Settings().SetTheme(th)
	columns := []Column{{ID: "time", Width: 80, Min: 60}, {ID: "what", Width: 100, Weight: 1}}
	require.Equal(t, []float32{120, 380}, arrange(grown(columns), 500))
	require.InDelta(t, 80, columns[0].Width, 0, "what is kept does not depend on the text")
}
