package codeview

import (
	"testing"
)

func BenchmarkOpen(b *testing.B) {
	for name, body := range largeBodies() {
		b.Run(name, func(b *testing.B) {
			v, _ := show(b)
			for b.Loop() {
				v.ShowJSON(body)
			}
		})
	}
}

func BenchmarkScrollStep(b *testing.B) {
	v, _ := show(b)
	v.ShowJSON(largeBodies()["minified"])
	for b.Loop() {
		v.ScrollBy(0, 17)
	}
}

func BenchmarkFirstJumpToTheEnd(b *testing.B) {
	v, _ := show(b)
	body := largeBodies()["minified"]
	for b.Loop() {
		v.ShowJSON(body)
		v.rows.all()
	}
}

func BenchmarkFind(b *testing.B) {
	v, _ := show(b)
	v.ShowJSON(largeBodies()["minified"])
	for b.Loop() {
		v.Find("not there")
	}
}

func BenchmarkCopyAll(b *testing.B) {
	v, _ := show(b)
	v.ShowJSON(largeBodies()["minified"])
	for b.Loop() {
		v.SelectAll()
		_ = v.Selected()
	}
}
