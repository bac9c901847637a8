package deliver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"anyhook.net/desktop/replay"
)

const (
	maxHead    = 1 << 20  // bytes of an answer's head
	maxInterim = 100      // answers of 1xx before the one that counts
	maxBody    = 32 << 20 // bytes of an answer's body that are read at all
)

// An answer reads what a handler says. It takes bytes that may be anything.
type answer struct {
	method string
	keep   int
	first  func() // called when the first byte is there

	out   *replay.Outcome
	phase replay.Phase // where read is, or ended
}

// read fills in the outcome's status, head and body. Interim answers are
// passed over. A nil error means that the answer ended properly, or that it
// was so long that the rest is of no interest, which Detail then says.
func (a *answer) read(br *bufio.Reader) error {
	a.phase = replay.Waiting
	if _, err := br.Peek(1); err != nil {
		return err
	}
	a.phase = replay.Reading
	a.first()
	for range maxInterim {
		head, status, err := readHead(br)
		a.out.Head = head
		if err != nil {
			return err
		}
		if status == http.StatusSwitchingProtocols {
			a.out.Status = status
			return &trouble{replay.Protocol, "an unexpected 101: the handler switched protocols, and nobody had asked it to"}
		}
		if status >= 200 {
			a.out.Status = status
			return a.readBody(head, br)
		}
	}
	return &trouble{replay.Protocol, fmt.Sprintf("more than %d interim answers", maxInterim)}
}

func (a *answer) readBody(head []byte, br *bufio.Reader) error {
	whole := bufio.NewReader(io.MultiReader(bytes.NewReader(head), br))
	resp, err := http.ReadResponse(whole, &http.Request{Method: a.method})
	if err != nil {
		return &trouble{replay.Protocol, "the answer is not valid HTTP: " + err.Error()}
	}
	defer resp.Body.Close()
	var kept bytes.Buffer
	n, err := io.Copy(&kept, io.LimitReader(resp.Body, int64(a.keep)))
	a.out.Body, a.out.BodySize = kept.Bytes(), n
	if err == nil && n == int64(a.keep) {
		n, err = io.Copy(io.Discard, io.LimitReader(resp.Body, maxBody-n))
		a.out.BodySize += n
	}
	if err == nil && a.out.BodySize >= maxBody {
		a.out.Detail = fmt.Sprintf("%sAnyHook stopped reading after %d MiB", unfinished, maxBody>>20)
	}
	if err != nil && strings.Contains(err.Error(), "chunk") {
		return &trouble{replay.Protocol, unfinished + err.Error()}
	}
	return err
}

// readHead reads a status line and fields up to and with the empty line. What
// came is returned with an error, too.
func readHead(br *bufio.Reader) (head []byte, status int, err error) {
	if err := startsLikeHTTP(br); err != nil {
		return nil, 0, err
	}
	for {
		line, err := br.ReadSlice('\n')
		head = append(head, line...)
		if len(head) > maxHead {
			return head[:maxHead], 0, &trouble{replay.Protocol, fmt.Sprintf("the answer's head is over %d KiB", maxHead>>10)}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return head, 0, err
		}
		if ended(head) {
			break
		}
	}
	status, ok := statusOf(head)
	if !ok {
		return head, 0, notHTTP(head)
	}
	return head, status, nil
}

// ended reports whether the last line of head is empty.
func ended(head []byte) bool {
	return bytes.HasSuffix(head, []byte("\n\r\n")) || bytes.HasSuffix(head, []byte("\n\n"))
}

// startsLikeHTTP looks at the first bytes as they come, so that a port that
// speaks something else, and waits for us, is known at once.
func startsLikeHTTP(br *bufio.Reader) error {
	const want = "HTTP/1."
	for n := 1; n <= len(want); n++ {
		got, err := br.Peek(n)
		if err != nil {
			return err
		}
		if string(got) == want[:n] {
			continue
		}
		if got[0] == 0x15 || got[0] == 0x16 { // a TLS alert or handshake record
			return &trouble{replay.TLS, replay.SaysTLSPort}
		}
		got, _ = br.Peek(br.Buffered())
		return notHTTP(got)
	}
	return nil
}

func notHTTP(got []byte) error {
	return &trouble{replay.Protocol, fmt.Sprintf("the answer is not HTTP/1: it starts with %q", got[:min(len(got), 40)])}
}

// statusOf reads "HTTP/1.1 200 OK".
func statusOf(head []byte) (int, bool) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	_, rest, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
	code, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.Atoi(code)
	return n, ok && err == nil && len(code) == 3 && n >= 100
}

// plainTexts are what servers answer to plain HTTP on a port for TLS: Go, nginx, Apache.
var plainTexts = []string{
	"Client sent an HTTP request to an HTTPS server",
	"plain HTTP request was sent to HTTPS port",
	"speaking plain HTTP to an SSL-enabled server port",
}

// plainToTLS recognises the 400 of a server that wanted TLS: it never reached the handler.
func plainToTLS(out *replay.Outcome, at *place) {
	if at.tls || out.Status != http.StatusBadRequest {
		return
	}
	for _, t := range plainTexts {
		if bytes.Contains(out.Body, []byte(t)) {
			out.Failure, out.Phase, out.Detail = replay.TLS, replay.Handshake, replay.SaysTLSPort
			return
		}
	}
}
