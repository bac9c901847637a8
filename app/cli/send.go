package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/assets"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/capture/sample"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/practice"
)

func (c *program) send() *cobra.Command {
	var name, smp, secret, how string
	cmd := &cobra.Command{
		Use:   "send URL",
		Short: "Send a signed sample event as the provider would",
		Long: `Send a signed sample event as the provider would, with a fresh ID and time.
"anyhook providers" lists the samples. Status 0 means that it was answered 2xx.`,
		Example: "  anyhook send --provider github --sample push --secret s3cret http://127.0.0.1:4080/github",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("send wants one URL")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, ok := provider.ByName(name)
			if !ok {
				return usage("--provider %q: not known; see anyhook providers", name)
			}
			names := sample.Names(p.Name)
			if smp == "" && len(names) > 0 {
				smp = names[0]
			}
			if !slices.Contains(names, smp) {
				return usage("--sample %q: %s has %s", smp, name, strings.Join(names, ", "))
			}
			url, err := session.CheckTarget(args[0])
			if err != nil || url == "" {
				return usage("%s: want a URL: %v", args[0], err)
			}
			signing, err := signingNamed(how)
			if err != nil {
				return err
			}
			status, id, err := session.SendSample(cmd.Context(), session.Sample{
				Provider: name, Name: smp, Secret: capture.Secret(secret), URL: url, Now: c.now(), Signing: signing,
			})
			if err != nil {
				return broke(err)
			}
			fmt.Fprintf(c.out, "%s %s (%s): %d\n", name, smp, printable(id), status)
			if status < 200 || status > 299 {
				return &exitError{status: exitNo}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "provider", "", "whose event (required)")
	cmd.Flags().StringVar(&smp, "sample", "", "which event; the provider's first if not given")
	cmd.Flags().StringVar(&secret, "secret", "", "signing secret; unsigned if not given")
	cmd.Flags().StringVar(&how, "sign", "", "sign wrongly on purpose: "+strings.Join(wrongSignings(), ", "))
	offer(cmd, "provider", providerNames()...)
	offer(cmd, "sign", wrongSignings()...)
	return cmd
}

// providerLine is one row of providers --json.
type providerLine struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Scheme    string   `json:"scheme"`
	Header    string   `json:"header"`
	Tolerance float64  `json:"tolerance_s"`
	Deadline  float64  `json:"deadline_s"`
	Dedupe    string   `json:"dedupe"`
	Order     string   `json:"order,omitzero"`
	Attempt   string   `json:"attempt,omitzero"`
	Retries   string   `json:"retries,omitzero"`
	Disabled  string   `json:"disabled,omitzero"`
	Setup     string   `json:"setup,omitzero"`
	Note      string   `json:"note,omitzero"`
	Verified  bool     `json:"verified"` // how it signs is by its own library, docs or source
	Resign    bool     `json:"resign"`
	Handshake bool     `json:"handshake"`
	Samples   []string `json:"samples"`
	Sources   []string `json:"sources"`
}

func (l providerLine) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", l.Name, l.Title, l.Scheme, l.Dedupe, strings.Join(l.Samples, " "))
}

func (c *program) providers() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "providers",
		Short: "List the providers: how they sign, their dedupe key, their samples",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(c.out, 0, 4, 2, ' ', 0)
			if !c.json {
				fmt.Fprintln(w, "NAME\tTITLE\tSIGNATURE\tKEY\tSAMPLES")
			}
			for _, p := range provider.All {
				l := providerLine{
					p.Name, p.Title, p.Scheme, p.Header, p.Tolerance.Seconds(), p.Deadline.Seconds(),
					p.Dedupe, p.Order, p.Attempt, view.Retries(p.Retry), p.Disabled, p.Setup, p.Note, p.Trust.Signature.Verified(),
					p.Sign != nil, p.Handshake != nil, sample.Names(p.Name), p.Sources,
				}
				if err := c.write(w, l); err != nil {
					return broke(err)
				}
			}
			return broke(w.Flush())
		},
	}
	return c.withJSON(cmd, "one JSON object a line")
}

// wrongSignings are the ways of signing that a handler ought to refuse.
func wrongSignings() []string {
	var out []string
	for _, s := range replay.Signings {
		if s.Wrong() {
			out = append(out, string(s))
		}
	}
	return out
}

// signingNamed returns the way of signing that --sign names.
func signingNamed(name string) (replay.Signing, error) {
	if name == "" || slices.Contains(wrongSignings(), name) || name == string(replay.Fresh) {
		return replay.Signing(name), nil
	}
	return "", usage("--sign %q: want one of %s", name, strings.Join(wrongSignings(), ", "))
}

func (c *program) practice() *cobra.Command {
	var listen, flaw string
	cmd := &cobra.Command{
		Use:   "practice",
		Short: "Run the practice handler: a small shop with a flaw of your choice",
		Long:  "Run the practice handler: a small shop with a flaw of your choice.\nGET /state shows what it did.\n\nFlaws:\n" + flawTable(),
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := practice.New(flaw)
			if err != nil {
				return usage("--flaw %q: want one of %s", flaw, strings.Join(flawNames(), ", "))
			}
			var lc net.ListenConfig
			l, err := lc.Listen(cmd.Context(), "tcp", listen)
			if err != nil {
				return usage("--listen %s: %v", listen, err)
			}
			fmt.Fprintf(c.out, "practice handler (%s) on http://%s\n", flaw, l.Addr())
			srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
			stopped := make(chan struct{})
			go func() {
				defer close(stopped)
				<-cmd.Context().Done()
				_ = srv.Close()
			}()
			if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return broke(err)
			}
			<-stopped
			return nil
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:3000", "the address to listen on")
	cmd.Flags().StringVar(&flaw, "flaw", "none", "what is wrong with it")
	offer(cmd, "flaw", flawNames()...)
	return cmd
}

func flawNames() []string {
	names := make([]string, 0, len(practice.Flaws))
	for _, f := range practice.Flaws {
		names = append(names, f.Name)
	}
	return names
}

func flawTable() string {
	var b strings.Builder
	for _, f := range practice.Flaws {
		fmt.Fprintf(&b, "  %-20s %s\n", f.Name, f.Text)
	}
	return b.String()
}

func (c *program) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(c.out, "anyhook", assets.Version)
			return broke(err)
		},
	}
}
