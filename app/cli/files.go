package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/capture"
)

func (c *program) export() *cobra.Command {
	var format, out, redact string
	var when span
	cmd := &cobra.Command{
		Use:   "export [ID…]",
		Short: "Write requests as fixtures or curl scripts; all of them if no ID and no time is given",
		Long: `Write requests as fixtures or curl scripts; all of them if no ID and no time is
given. Works beside serve. A fixture is a readable file with the head, one with the
exact body, and an entry in manifest.json; import reads it back byte for byte. A
script sends the request again: sh FILE [http://localhost:3000/webhooks].`,
		Example: `  anyhook export --out testdata/webhooks
  anyhook export --out testdata/webhooks --since 10m
  anyhook export --format curl --redact none --out . req_…`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.existing(); err != nil {
				return err
			}
			switch {
			case format != "fixture" && format != "curl":
				return usage("--format %q: want fixture or curl", format)
			case out == "":
				return usage("--out: name the folder to write to")
			case redact != "default" && redact != "none":
				return usage("--redact %q: want default or none", redact)
			case len(args) > 0 && when.given():
				return usage("give IDs, or --since and --until, not both")
			}
			return broke(c.runExport(cmd, exportFlags{format, out, redact == "default", when}, args))
		},
	}
	cmd.Flags().StringVar(&format, "format", "fixture", "fixture or curl")
	cmd.Flags().StringVar(&out, "out", "", "the folder to write to (required)")
	cmd.Flags().StringVar(&redact, "redact", "default", "default hides headers that hold secrets; none keeps every byte")
	when.flags(cmd.Flags())
	offer(cmd, "format", "fixture", "curl")
	offer(cmd, "redact", "default", "none")
	return c.onData(cmd)
}

type exportFlags struct {
	format, out string
	redact      bool
	when        span
}

func (c *program) runExport(cmd *cobra.Command, f exportFlags, args []string) error {
	ctx := cmd.Context()
	a, err := session.Look(ctx, c.data)
	if err != nil {
		return err
	}
	defer a.Close()
	ids, err := c.pick(ctx, a, replayFlags{when: f.when}, args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.out, 0o750); err != nil {
		return usage("--out %s: %v", f.out, errors.Unwrap(err))
	}
	files, err := a.Export(ctx, f.out, f.format, f.redact, ids)
	for _, name := range files {
		fmt.Fprintln(c.out, printable(name))
	}
	return err
}

func (c *program) importFiles() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Add the requests of fixture folders or files to the data folder",
		Long: `Add the requests of fixture folders or files to the data folder: all of them, or
none if one cannot be read. They get new IDs, are marked as imported, and are
delivered by replay only. It needs the data folder to itself, so stop serve first.`,
		Example: "  anyhook import testdata/webhooks",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("import wants fixture folders or files")
			}
			for _, a := range args {
				if _, err := os.Stat(a); err != nil {
					return usage("%s: no such file or folder", a)
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.writable(); err != nil {
				return err
			}
			requests, err := session.ReadFixtures(args)
			if err != nil {
				return usage("%v", err)
			}
			s, err := session.Start(cmd.Context(), c.config(cmd))
			if err != nil {
				return broke(err)
			}
			defer func() { _ = s.Close() }()
			n, err := s.Add(cmd.Context(), requests)
			fmt.Fprintf(c.out, "%d imported\n", n)
			return broke(err)
		},
	}
	return c.onData(cmd)
}

// notFound makes a request that is not there bad input.
func notFound(id capture.ID, err error) error {
	if errors.Is(err, session.ErrNotFound) {
		return usage("%s: no such request in the data folder", id)
	}
	return err
}
