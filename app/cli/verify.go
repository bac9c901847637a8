package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/doctor"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/capture/wire"
)

// maxRaw is the largest request that verify reads, in bytes.
const maxRaw = 256 << 20

type verifyFlags struct {
	provider, url, at string
	secrets           []string
	hashed            bool
}

// verifyLine is the answer of verify --json.
type verifyLine struct {
	Provider string         `json:"provider"`
	Status   capture.Status `json:"status"`
	Reason   string         `json:"reason"`
	Secret   int            `json:"secret,omitzero"`
	Doctor   *doctorLine    `json:"doctor,omitzero"`
}

// doctorLine is what the doctor finds: with which change the signature fits.
type doctorLine struct {
	Cause  doctor.Cause `json:"cause"`
	Detail string       `json:"detail,omitzero"`
	Also   doctor.Cause `json:"also,omitzero"`
	Says   string       `json:"says"`
	Next   string       `json:"next,omitzero"`
}

func newDoctorLine(f doctor.Finding) *doctorLine {
	if f.Cause == "" {
		return nil
	}
	d := view.Diagnose(f)
	l := &doctorLine{Cause: f.Cause, Detail: f.Detail, Says: d.Says, Next: d.Next}
	if f.Also != nil {
		l.Also = f.Also.Cause
	}
	return l
}

func (l verifyLine) String() string {
	s := l.Provider + ": " + string(l.Status)
	if l.Secret > 0 {
		s += ", secret " + strconv.Itoa(l.Secret)
	}
	if l.Reason != "" {
		s += ": " + l.Reason
	}
	s = printable(s)
	if l.Doctor != nil {
		s += "\ndoctor: " + printable(l.Doctor.Says)
		if l.Doctor.Next != "" {
			s += "\n        " + printable(l.Doctor.Next)
		}
	}
	return s
}

func (c *program) verify() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check the signature of one raw HTTP/1.1 request; - is standard input",
		Long: `Check the signature of one raw HTTP/1.1 request: its head and body as they came,
as show --raw writes them. Status 0 means valid or authenticated, 1 means not.
Where it does not fit, the doctor tries what really goes wrong, and says with
which change it would. --hashed writes exactly what is hashed instead.
Where a provider signs with a certificate (Amazon SNS, PayPal), it takes the one
in the data folder, or in PEM as a --secret; it fetches none.`,
		Example: "  anyhook show req_… --raw | anyhook verify --provider github --secret s3cret -",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("verify wants one FILE, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.runVerify(cmd.Context(), f, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.provider, "provider", "", "who signed it; recognised if not given")
	fl.StringArrayVar(&f.secrets, "secret", nil, "signing secret as the provider's dashboard shows it; repeat it for several")
	fl.StringVar(&f.url, "url", "", "the public URL it was sent to; some providers sign it")
	fl.BoolVar(&f.hashed, "hashed", false, "write exactly what is hashed, and nothing else")
	fl.StringVar(&f.at, "at", "", "when it arrived, in Unix seconds; now if not given")
	offer(cmd, "provider", providerNames()...)
	c.onData(cmd)
	return c.withJSON(cmd, "one JSON object")
}

func (c *program) runVerify(ctx context.Context, f verifyFlags, file string) error {
	at := c.now()
	if f.at != "" {
		sec, err := strconv.ParseFloat(f.at, 64)
		if err != nil || !(math.Abs(sec) < 1e11) { // until the year 5138; not NaN
			return usage("--at %q: want Unix seconds", f.at)
		}
		at = time.UnixMilli(int64(sec * 1000))
	}
	raw, err := c.read(file)
	if err != nil {
		return err
	}
	r, err := rawRequest(raw, f.url)
	if err != nil {
		return usage("%s: %v", file, err)
	}
	r.At = at
	if f.provider != "" {
		if _, ok := provider.ByName(f.provider); !ok {
			return usage("--provider %s: not known; see anyhook providers", f.provider)
		}
	}
	ep := capture.Endpoint{Provider: f.provider}
	for _, s := range f.secrets {
		ep.Secrets = append(ep.Secrets, capture.Secret(s))
	}
	c.check(r, ep)
	if whole := raw[len(r.Head):]; !good(r) && r.Header.Get("Transfer-Encoding") != "" && len(whole) != len(r.Body) {
		stored := r.Clone() // it looked like chunks, and is a body that looks like chunks
		stored.Body = whole
		if c.check(stored, ep); good(stored) {
			r = stored
		}
	}
	s := r.Signature
	if f.hashed {
		if len(s.Content) == 0 {
			return usage("%s: nothing is hashed: %s", file, s.Reason())
		}
		_, err := c.out.Write(bytes.Join(s.Content, nil))
		return broke(err)
	}
	l := verifyLine{r.Provider, s.Status, s.Reason(), s.Secret, nil}
	if p, ok := provider.Known.Named(r.Provider); ok && (s.Status == capture.Invalid || s.Status == capture.Malformed) {
		l.Doctor = newDoctorLine(doctor.Examine(ctx, doctor.Patient{Request: r, Provider: p, Secrets: ep.Secrets, Rows: provider.Known}))
	}
	if err := c.write(c.out, l); err != nil {
		return broke(err)
	}
	if !good(r) {
		return &exitError{status: exitNo}
	}
	return nil
}

// check verifies r with the secrets of ep, and with the certificate of whoever
// signed it, if the data folder has it.
func (c *program) check(r *capture.Request, ep capture.Endpoint) {
	named := ep
	if p := provider.Known.Of(r); p != nil && ep.Provider == "" {
		named.Provider = p.Name
	}
	capture.Verify(r, provider.Known, ep, session.KeptCertificate(c.data, r, provider.Known, named)...)
}

func good(r *capture.Request) bool {
	return r.Signature.Status.Good()
}

// read returns the file's bytes, or standard input's for "-".
func (c *program) read(file string) ([]byte, error) {
	in := c.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, usage("%s: cannot be read", file)
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxRaw+1))
	if err != nil {
		return nil, usage("%s: %v", file, err)
	}
	if len(raw) > maxRaw {
		return nil, usage("%s: over %d bytes", file, maxRaw)
	}
	return raw, nil
}

// rawRequest takes a raw request apart. url is where it was sent; "" means
// what its own Host says, by https.
func rawRequest(raw []byte, url string) (*capture.Request, error) {
	head, body, err := wire.Split(raw)
	if err != nil {
		return nil, err
	}
	r := &capture.Request{Kind: capture.Delivery, Head: head, Body: body, Header: capture.Head(head).Header(), URL: url}
	var target string
	r.Method, target, _ = r.Head.Line()
	if r.URL == "" {
		r.URL = "https://" + r.Header.Get("Host") + target
		if strings.Contains(target, "://") {
			r.URL = target
		}
	}
	return r, nil
}

// printableText makes a body safe for a terminal: line ends stay, the rest of
// what could steer it does not.
func printableText(b []byte) string {
	lines := bytes.Split(b, []byte("\n"))
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = printable(strings.ReplaceAll(strings.ToValidUTF8(string(bytes.TrimSuffix(l, []byte("\r"))), "�"), "\t", "    "))
	}
	return strings.Join(out, "\n")
}
