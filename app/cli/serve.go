package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/tunnel"
)

// serveFlags are what serve is told.
type serveFlags struct {
	listen, target, tunnel, publicURL, domain, file string
	provider                                        string
	secrets                                         []string
	maxBody                                         int64
	away                                            bool
}

func (c *program) serve() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Capture, verify, store, acknowledge and forward; prints one line a request",
		Long: `Capture, verify, store, acknowledge and forward; prints one line a request and
one a delivery. The first line says the URLs. It ends at Ctrl+C, SIGTERM or when
its terminal is closed: whoever waits has an answer by then, and what was not
delivered is delivered after the next start.

--target, --provider and --secret are about the endpoint /, which catches every
path. For several providers, --endpoint FILE is YAML (or JSON), one endpoint or a
list of them:

  - name: stripe
    path: /stripe                # it and all below it; "/" catches the rest
    provider: stripe             # "" recognises each request
    secrets: [whsec_…]           # any may match
    target: http://localhost:3000/webhooks
    reply: ""                    # "" stores and acknowledges; wait; fixed
    deadline: 10s                # of wait: acknowledge after it
    fixed: {status: 500, body: "", delay: 2s, times: 3}
    pass_checks: false           # true: the target answers set-up checks, AnyHook does not

A target with a path gets every request at exactly that path; one without it, at
the path that the sender used. Endpoints are kept in the data folder.

The ngrok token is read from the environment, NGROK_AUTHTOKEN, and kept in the
keychain for the next time.`,
		Example: `  anyhook serve --target http://localhost:3000/webhooks --provider stripe --secret whsec_…
  NGROK_AUTHTOKEN=… anyhook serve --tunnel ngrok --target 3000
  anyhook serve --tunnel own --public-url https://dev.example.com --endpoint endpoints.yaml
  anyhook serve --json --listen 127.0.0.1:0 --target 3000 | jq .`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.runServe(cmd.Context(), cmd, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.listen, "listen", session.DefaultListen, "the address to capture on; port 0 takes a free one")
	fl.StringVar(&f.target, "target", "", "the handler: http://localhost:3000/webhooks, or a port")
	fl.StringVar(&f.tunnel, "tunnel", "none", "the way in: none, ngrok or own")
	fl.StringVar(&f.publicURL, "public-url", "", "with --tunnel own: the URL that leads here")
	fl.StringVar(&f.domain, "domain", "", "with --tunnel ngrok: your domain")
	fl.StringVar(&f.file, "endpoint", "", "a file of endpoints, kept in the data folder from now on")
	fl.StringVar(&f.provider, "provider", "", "who calls: the provider of the endpoint / (recognised if not given)")
	fl.StringArrayVar(&f.secrets, "secret", nil, "signing secret of the endpoint /; repeat it for several")
	fl.Int64Var(&f.maxBody, "max-body", 32<<20, "largest body taken, in bytes")
	fl.BoolVar(&f.away, "allow-remote-target", false, "deliver to a target that is not this machine")
	offer(cmd, "tunnel", "none", "ngrok", "own")
	offer(cmd, "provider", providerNames()...)
	return c.withJSON(c.onData(cmd), "one JSON object a line")
}

func (c *program) runServe(ctx context.Context, cmd *cobra.Command, f serveFlags) error {
	choice, err := f.choice()
	if err != nil {
		return err
	}
	endpoints, err := f.endpoints(ctx, cmd)
	if err != nil {
		return err
	}
	if err := tunnel.CheckListen(f.listen); err != nil {
		return usage("--listen %s: %v", f.listen, err)
	}
	if f.maxBody < 1 || f.maxBody > capture.LimitMaxBody {
		return usage("--max-body %d: want a number of bytes, at most %d", f.maxBody, capture.LimitMaxBody)
	}
	if err := c.writable(); err != nil {
		return err
	}
	for _, e := range endpoints {
		if !c.knows(ctx, e.Provider) {
			return usage("endpoint %s: provider %q: not known; see anyhook providers", e.Name, e.Provider)
		}
	}
	signal.Ignore(syscall.SIGPIPE) // who reads our lines and goes away ends us in good order, too
	p := newPrinter(c)
	cfg := c.config(cmd)
	cfg.Listen, cfg.AnyPort, cfg.MaxBody, cfg.OnAttempt = f.listen, !cmd.Flags().Changed("listen"), f.maxBody, p.attempt
	cfg.Endpoints = endpoints
	s, err := session.Start(ctx, cfg)
	if err != nil {
		return broke(err)
	}
	defer func() { _ = s.Close() }()
	return broke(c.follow(ctx, s, p, choice))
}

// knows reports whether there is a provider of that name, or the user described
// one in the data folder; "" is known.
func (c *program) knows(ctx context.Context, name string) bool {
	if _, ok := provider.ByName(name); ok || name == "" {
		return true
	}
	a, err := session.Look(ctx, c.data)
	if err != nil {
		return false
	}
	defer a.Close()
	return slices.ContainsFunc(a.Providers(), func(p capture.Provider) bool { return p.Name == name })
}

// follow opens the tunnel, says the URLs, and prints what comes until ctx ends.
func (c *program) follow(ctx context.Context, s *session.Session, p *printer, choice view.TunnelChoice) error {
	if err := s.Connect(ctx, choice); err != nil {
		return err
	}
	if err := waitForTunnel(ctx, s, choice.Kind); err != nil {
		return err
	}
	st := s.Status()
	if err := c.write(c.out, readyLine{"ready", st.LocalURL, st.PublicURL, s.DefaultTarget(), st.PortTaken}); err != nil {
		return err
	}
	return p.run(ctx, s)
}

// waitForTunnel returns when the tunnel is open, or cannot be opened.
func waitForTunnel(ctx context.Context, s *session.Session, kind string) error {
	if kind == "none" {
		return nil
	}
	for ctx.Err() == nil {
		changed := s.Changed()
		st := s.Status().Tunnel
		if e, ok := errors.AsType[*tunnel.Error](st.Err); ok && e.Fatal {
			return fmt.Errorf("tunnel: %w", e)
		}
		if st.Phase == tunnel.Online {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return nil
}

func (f serveFlags) choice() (view.TunnelChoice, error) {
	switch f.tunnel {
	case "none":
		return view.TunnelChoice{Kind: "none"}, nil
	case "ngrok":
		return view.TunnelChoice{Kind: "ngrok", Token: os.Getenv("NGROK_AUTHTOKEN"), URL: f.domain}, nil
	case "own":
		u, err := tunnel.ParseURL(f.publicURL)
		if err != nil { // which does not tell a password
			return view.TunnelChoice{}, usage("--public-url: %v Write it like https://dev.example.com", err)
		}
		return view.TunnelChoice{Kind: "own", URL: u}, nil
	}
	return view.TunnelChoice{}, usage("--tunnel %s: want none, ngrok or own", f.tunnel)
}

// endpoints are those of the file, and what the flags say of the endpoint /.
// No flag and no file leave the endpoints of the data folder as they are.
func (f serveFlags) endpoints(ctx context.Context, cmd *cobra.Command) (all []capture.Endpoint, err error) {
	if f.target, err = target(ctx, f.target, f.away); err != nil {
		return nil, err
	}
	if f.file != "" {
		if all, err = readEndpoints(f.file); err != nil {
			return nil, err
		}
	}
	fl := cmd.Flags()
	if fl.Changed("target") || fl.Changed("provider") || fl.Changed("secret") {
		all = f.ofFlags(all)
	}
	for i, e := range all {
		checked, err := session.CheckEndpoint(e)
		if err != nil {
			return nil, usage("endpoint %s: %v", e.Name, err)
		}
		checked.AwayOK = e.AwayOK || f.away
		if !checked.AwayOK && session.Away(ctx, checked.Target) {
			return nil, usage("--endpoint %s: endpoint %s: target %s: %s", f.file, e.Name, checked.Target, notHere)
		}
		all[i] = checked
	}
	return all, nil
}

// notHere is what is wrong with a target that is another machine.
const notHere = "that is not this machine; to deliver there, add --allow-remote-target"

// target checks --target; away is --allow-remote-target.
func target(ctx context.Context, s string, away bool) (string, error) {
	to, err := session.CheckTarget(s)
	if err != nil {
		return "", usage("--target: %v", err)
	}
	if !away && session.Away(ctx, to) {
		return "", usage("--target %s: %s", to, notHere)
	}
	return to, nil
}

// ofFlags says of the endpoint /, which it adds where it is not there, what the flags say.
func (f serveFlags) ofFlags(all []capture.Endpoint) []capture.Endpoint {
	i := slices.IndexFunc(all, func(e capture.Endpoint) bool { return e.Path == "/" })
	if i < 0 {
		i, all = len(all), append(all, capture.Endpoint{Name: session.DefaultEndpoint, Path: "/"})
	}
	e := &all[i]
	e.Target, e.Provider = cmp.Or(f.target, e.Target), cmp.Or(f.provider, e.Provider)
	if len(f.secrets) > 0 {
		e.Secrets = nil
	}
	for _, s := range f.secrets {
		e.Secrets = append(e.Secrets, capture.Secret(s))
	}
	return all
}

// readEndpoints reads a file of one endpoint or a list of them.
func readEndpoints(name string) ([]capture.Endpoint, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, usage("--endpoint %s: %v", name, errors.Unwrap(err))
	}
	defer file.Close()
	var doc yaml.Node
	dec := yaml.NewDecoder(file)
	if err := dec.Decode(&doc); err != nil {
		return nil, usage("--endpoint %s: %v", name, err)
	}
	if !errors.Is(dec.Decode(&yaml.Node{}), io.EOF) {
		return nil, usage("--endpoint %s: want one document, not more behind ---", name)
	}
	all, err := decodeEndpoints(&doc)
	if err != nil {
		return nil, usage("--endpoint %s: %v", name, err)
	}
	return all, nil
}

func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%q: this command takes no arguments, only flags", args[0])
	}
	return nil
}
