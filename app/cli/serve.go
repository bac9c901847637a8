package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
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
one a delivery. The first line says the URLs. Ends at SIGINT or SIGTERM.

--endpoint FILE is YAML (or JSON), one endpoint or a list of them:

  - name: stripe
    path: /stripe                # it and all below it; "/" catches the rest
    provider: stripe             # "" recognises each request
    secrets: [whsec_…]           # any may match
    target: http://localhost:3000/webhooks
    reply: ""                    # "" stores and acknowledges; wait; fixed
    deadline: 10s                # of wait: acknowledge after it
    fixed: {status: 500, body: "", delay: 2s, times: 3}

The ngrok token is read from the environment, NGROK_AUTHTOKEN, and kept in the keychain
for the next time.`,
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
	return c.withJSON(c.onData(cmd), "one JSON object a line")
}

func (c *program) runServe(ctx context.Context, cmd *cobra.Command, f serveFlags) error {
	choice, err := f.choice()
	if err != nil {
		return err
	}
	endpoints, err := f.endpoints(cmd)
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

// follow opens the tunnel, says the URLs, and prints what comes until ctx ends.
func (c *program) follow(ctx context.Context, s *session.Session, p *printer, choice view.TunnelChoice) error {
	if err := s.Connect(ctx, choice); err != nil {
		return err
	}
	if err := waitForTunnel(ctx, s, choice.Kind); err != nil {
		return err
	}
	st := s.Status()
	if err := c.write(c.out, readyLine{"ready", st.LocalURL, st.PublicURL, s.DefaultTarget()}); err != nil {
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
func (f serveFlags) endpoints(cmd *cobra.Command) ([]capture.Endpoint, error) {
	var all []capture.Endpoint
	if f.file != "" {
		var err error
		if all, err = readEndpoints(f.file); err != nil {
			return nil, err
		}
	}
	fl := cmd.Flags()
	if fl.Changed("target") || fl.Changed("provider") || fl.Changed("secret") {
		e := capture.Endpoint{Name: "default", Path: "/", Provider: f.provider, Target: f.target, AwayOK: f.away}
		for _, s := range f.secrets {
			e.Secrets = append(e.Secrets, capture.Secret(s))
		}
		caught := false
		for i := range all { // the file's own endpoint / keeps what it says, and takes what it does not
			if all[i].Path == "/" {
				all[i].Target, caught = cmp.Or(f.target, all[i].Target), true
			}
		}
		if !caught {
			all = append(all, e)
		}
	}
	for i, e := range all {
		checked, err := session.CheckEndpoint(e)
		if err != nil {
			return nil, usage("endpoint %s: %v", e.Name, err)
		}
		checked.AwayOK = e.AwayOK || f.away
		all[i] = checked
	}
	return all, nil
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
