package view

import (
	"bytes"
	"slices"
)

// mostPairs limits the work of telling lines apart: beyond it, what stands
// between the first and the last difference counts as different.
const mostPairs = 1 << 22

// DifferingLines returns the lines of a that b does not have in that order, and
// those of b that a does not have, by their numbers from 1.
func DifferingLines(a, b [][]byte) (left, right map[int]bool) {
	head := 0
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	left, right = map[int]bool{}, map[int]bool{}
	keepA, keepB := common(a[head:len(a)-tail], b[head:len(b)-tail])
	for i, kept := range keepA {
		if !kept {
			left[head+i+1] = true
		}
	}
	for i, kept := range keepB {
		if !kept {
			right[head+i+1] = true
		}
	}
	return left, right
}

// common marks the lines of the longest sequence that both have.
func common(a, b [][]byte) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	if len(a) == 0 || len(b) == 0 || len(a) > mostPairs/len(b) {
		return inA, inB
	}
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width) // from a line of each to their ends
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if bytes.Equal(a[i], b[j]) {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case bytes.Equal(a[i], b[j]):
			inA[i], inB[j] = true, true
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return inA, inB
}
