package capture

import (
	"bytes"
	"encoding/json"
)

// Indent lays JSON out, every number, string and name as it is spelled. It is
// false for what is no JSON, and for what would come to more than most bytes:
// a small body that is nested deeply is gigabytes when it is laid out.
func Indent(body []byte, with string, most int) (out []byte, ok bool) {
	body = bytes.TrimSpace(body)
	if indentedSize(body, len(with), most) > most {
		return nil, false
	}
	var b bytes.Buffer
	if json.Indent(&b, body, "", with) != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// indentedSize is how many bytes json.Indent writes at most; it stops counting
// beyond most.
func indentedSize(body []byte, with, most int) int {
	size, depth := len(body), 0
	for i := 0; i < len(body) && size <= most; i++ {
		switch body[i] {
		case '"':
			i = stringEnd(body, i)
		case '{', '[':
			depth++
			size += 1 + depth*with
		case '}', ']':
			depth--
			size += 1 + max(depth, 0)*with
		case ',':
			size += 1 + max(depth, 0)*with
		case ':':
			size++
		}
	}
	return size
}
