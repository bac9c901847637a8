//go:build e2e

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/ui/look"
)

// childEnv makes this test binary the program itself, built so that Fyne
// reports drawing on a goroutine that may not draw. All it can do more is to
// tell what stands where in its window, so that a test knows where to click.
const childEnv = "ANYHOOK_E2E_CHILD"

// program is the program, and returns its exit status.
func program() int {
	go answer()
	return run(os.Args[1:], os.Stderr)
}

// A thing is a text in the window, and the pixel in the middle of it.
type thing struct {
	Text string
	X, Y int
}

// answer writes what is in the window for each line on standard input.
func answer() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		things := []thing{}
		fyne.DoAndWait(func() {
			for _, w := range fyne.CurrentApp().Driver().AllWindows() {
				e := eye{scale: w.Canvas().Scale(), room: w.Canvas().Size()}
				e.walk(w.Canvas().Content(), fyne.Position{})
				for _, o := range w.Canvas().Overlays().List() {
					e.walk(o, fyne.Position{})
				}
				things = append(things, e.things...)
			}
		})
		line, err := json.Marshal(things)
		if err != nil {
			line = []byte("[]")
		}
		fmt.Println(string(line))
	}
}

// An eye walks over what is shown.
type eye struct {
	scale  float32
	room   fyne.Size
	things []thing
}

func (e *eye) walk(o fyne.CanvasObject, at fyne.Position) {
	if o == nil || !o.Visible() {
		return
	}
	at = at.Add(o.Position())
	switch v := o.(type) {
	case *canvas.Text:
		e.note(v.Text, o, at)
	case *widget.Label:
		e.note(v.Text, o, at)
		return
	case *look.Words:
		e.note(v.Said(), o, at)
		return
	case *look.Input:
		e.note("input: "+v.Text, o, at)
		e.note("input: "+v.PlaceHolder, o, at)
		return
	case *look.Button:
		if v.Text == "" {
			e.note("icon: "+v.Tip, o, at)
		}
	}
	switch v := o.(type) {
	case *fyne.Container:
		for _, c := range v.Objects {
			e.walk(c, at)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(v).Objects() {
			e.walk(c, at)
		}
	}
}

// note keeps a text whose middle is in the window.
func (e *eye) note(s string, o fyne.CanvasObject, at fyne.Position) {
	x, y := at.X+o.Size().Width/2, at.Y+o.Size().Height/2
	if s != "" && x > 0 && y > 0 && x < e.room.Width && y < e.room.Height {
		e.things = append(e.things, thing{s, int(x * e.scale), int(y * e.scale)})
	}
}
