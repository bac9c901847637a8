package deliver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"anyhook.net/desktop/replay"
)

// trouble is a failure that was recognised where it came up.
type trouble struct {
	failure replay.Failure
	text    string
}

func (t *trouble) Error() string { return t.text }

// overtime is the cause of a context that ran out of its target's timeout.
type overtime time.Duration

func (o overtime) Error() string {
	d := time.Duration(o)
	if d%time.Second == 0 && d < 2*time.Minute {
		return fmt.Sprintf("timed out after %d s", d/time.Second)
	}
	return "timed out after " + d.String()
}

// doing says what a phase is, after "while" or "timed out".
var doing = map[replay.Phase]string{
	replay.Dialing:   "connecting",
	replay.Handshake: "in the TLS handshake",
	replay.Writing:   "sending the request",
	replay.Waiting:   "waiting for the response",
	replay.Reading:   "reading the response",
}

const unfinished = "response body not finished: "

// fail records err, which came up in phase. What ended ctx goes before what
// the connection made of it.
func fail(ctx context.Context, j *job, phase replay.Phase, err error) {
	out := &j.attempt.Outcome
	out.Phase = phase
	lead := ""
	if phase == replay.Reading && out.Status != 0 {
		lead = unfinished
	}
	if over, ok := errors.AsType[overtime](context.Cause(ctx)); ok {
		out.Failure, out.Detail = replay.Timeout, lead+over.Error()
		if lead == "" {
			out.Detail += " " + doing[phase]
		}
		return
	}
	if ctx.Err() != nil {
		out.Failure, out.Detail = replay.Canceled, lead+"stopped while "+strings.TrimPrefix(doing[phase], "in ")
		return
	}
	out.Failure = classify(err, phase)
	out.Detail = lead + explain(err, out.Failure, phase)
}

func classify(err error, phase replay.Phase) replay.Failure {
	if t, ok := errors.AsType[*trouble](err); ok {
		return t.failure
	}
	if phase == replay.Handshake && !cutOff(err) && !reset(err) {
		return replay.TLS
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return replay.DNS
	}
	var timeout net.Error
	switch {
	case reset(err):
		return replay.Reset
	case cutOff(err):
		return replay.Cut
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return replay.Timeout
	case phase == replay.Dialing: // no route, no such network: nobody there
		return replay.Refused
	case errors.Is(err, net.ErrClosed):
		return replay.Cut
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return replay.Cut
	}
	return replay.Protocol
}

func explain(err error, f replay.Failure, phase replay.Phase) string {
	if t, ok := errors.AsType[*trouble](err); ok {
		return t.text
	}
	switch f {
	case replay.TLS:
		return explainTLS(err)
	case replay.DNS:
		return err.Error()
	case replay.Cut:
		if phase == replay.Reading {
			return "the connection ended before the answer did"
		}
		return "the handler closed the connection without an answer (" + doing[phase] + ")"
	case replay.Reset:
		return "the handler reset the connection while " + doing[phase]
	default:
		return err.Error()
	}
}

// explainTLS says what is wrong with the handler's TLS.
func explainTLS(err error) string {
	if e, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		if strings.HasPrefix(string(e.RecordHeader[:]), "HTTP") {
			return replay.SaysPlainPort
		}
		return "the port does not speak TLS: " + e.Msg
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return replay.SaysSelfSigned
	}
	if e, ok := errors.AsType[x509.HostnameError](err); ok {
		return "certificate is for another name: " + e.Error()
	}
	return err.Error()
}

// refused reports whether nobody listens at the address. Windows has a number of its own for it.
func refused(err error) bool { return isErrno(err, syscall.ECONNREFUSED, 10061) }

func reset(err error) bool {
	return isErrno(err, syscall.ECONNRESET, 10054) || isErrno(err, syscall.EPIPE, 10053)
}

func isErrno(err error, unix, windows syscall.Errno) bool {
	if runtime.GOOS == "windows" && errors.Is(err, windows) {
		return true
	}
	return errors.Is(err, unix)
}

func cutOff(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe)
}
