package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/capture"
)

// pageSize is how many requests are looked up together.
const pageSize = 200

func (c *program) list() *cobra.Command {
	var when span
	var f capture.Filter
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List captured requests, newest first",
		Long: `List captured requests, newest first: number, time of arrival, ID, provider, what
it tells of, and what became of its signature. Works beside serve.`,
		Example: `  anyhook list --since 10m
  anyhook list --query invoice.paid --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.existing(); err != nil {
				return err
			}
			var err error
			if f.Since, f.Until, err = when.times(c.now()); err != nil {
				return err
			}
			return broke(c.runList(cmd, f))
		},
	}
	cmd.Flags().StringVar(&f.Text, "query", "", "only requests with this text in type, key, object, URL, headers or body")
	when.flags(cmd.Flags())
	return c.withJSON(c.onData(cmd), "one JSON object a line")
}

func (c *program) runList(cmd *cobra.Command, f capture.Filter) error {
	ctx := cmd.Context()
	a, err := session.Look(ctx, c.data)
	if err != nil {
		return err
	}
	defer a.Close()
	last, err := a.Last(ctx)
	if err != nil {
		return err
	}
	// Blocks from the newest backwards, so that the first lines come at once.
	for to := last; to > 0; to -= min(to, 10*pageSize) {
		seqs, err := a.Match(ctx, f, max(1, to-10*pageSize+1), to)
		if err != nil {
			return err
		}
		slices.Reverse(seqs)
		for page := range slices.Chunk(seqs, pageSize) {
			if err := c.page(cmd, a, page); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *program) page(cmd *cobra.Command, a *session.Archive, seqs []capture.Seq) error {
	sums, err := a.Summaries(cmd.Context(), seqs)
	if err != nil {
		return err
	}
	rs, err := a.Known(cmd.Context(), seqs)
	if err != nil {
		return err
	}
	for i, r := range rs { // requests are never deleted: both have all of them
		l := newRequestLine(r)
		l.BodySize = sums[i].BodySize
		if err := c.write(c.out, l); err != nil {
			return err
		}
	}
	return nil
}

func (c *program) show() *cobra.Command {
	raw := false
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one request and its deliveries; --raw writes the bytes as received",
		Example: `  anyhook show req_…
  anyhook show req_… --raw | anyhook verify --provider github --secret s3cret -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("show wants one ID, as list prints it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.existing(); err != nil {
				return err
			}
			return broke(c.runShow(cmd, capture.ID(args[0]), raw))
		},
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "write the head and the body exactly as they came")
	return c.withJSON(c.onData(cmd), "JSON lines: the request, then its attempts")
}

func (c *program) runShow(cmd *cobra.Command, id capture.ID, raw bool) error {
	ctx := cmd.Context()
	a, err := session.Look(ctx, c.data)
	if err != nil {
		return err
	}
	defer a.Close()
	r, err := a.Request(ctx, id)
	if err != nil {
		return notFound(id, err)
	}
	if raw {
		if _, err := c.out.Write(r.Head); err != nil {
			return err
		}
		_, err := c.out.Write(r.Body)
		return err
	}
	if err := c.write(c.out, newRequestLine(r)); err != nil {
		return err
	}
	attempts, err := a.Attempts(ctx, id)
	if err != nil {
		return err
	}
	for _, at := range attempts {
		if err := c.write(c.out, newAttemptLine(at)); err != nil {
			return err
		}
	}
	if c.json {
		return nil
	}
	fmt.Fprintln(c.out)
	for f := range r.Head.Fields() {
		fmt.Fprintln(c.out, printable(f.Name+": "+f.Value))
	}
	fmt.Fprintf(c.out, "\n%s\n", printableText(r.Body))
	return nil
}
