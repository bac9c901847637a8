// Command cli is anyhook: AnyHook without a window. It runs the same core as
// the desktop program, and is built with CGO_ENABLED=0.
//
// Its surface is a contract; the README lists it. Bad input is one line on
// standard error and exit status 64, and nothing is written.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/assets"
	"anyhook.net/desktop/tunnel"
)

// Exit statuses beyond 0 for success.
const (
	exitNo    = 1  // it was carried out, and the answer is no
	exitBroke = 3  // it could not be carried out
	exitUsage = 64 // the input is bad
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	os.Exit(Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// endings are the signals that end the program in good order: a terminal that
// is closed, too, unless nohup had that ignored.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// Main runs one command and returns its exit status.
func Main(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	text.Use("en") // the surface is a contract, whatever the user's language
	c := &program{now: time.Now, in: in, out: out}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	status := exitUsage // what cobra refuses by itself: an unknown command or flag
	if e, ok := errors.AsType[*exitError](err); ok {
		status = e.status
	}
	if msg := err.Error(); msg != "" {
		if e, ok := errors.AsType[*tunnel.Error](err); ok && e.Do != "" {
			msg += " " + e.Do
		}
		fmt.Fprintln(errs, "anyhook: "+short(printable(msg)))
	}
	return status
}

// An exitError ends the program with its status.
type exitError struct {
	status int
	err    error // nil to say nothing more
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage is bad input: it names the flag or file and what is wrong.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// broke is work that could not be done.
func broke(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*exitError](err); ok {
		return err
	}
	return &exitError{exitBroke, err}
}

// A program is what all commands share.
type program struct {
	now func() time.Time
	in  io.Reader
	out io.Writer

	data string // --data
	json bool   // --json
}

func (c *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "anyhook",
		Short:         "Capture, check, replay and export webhooks, without a window",
		Long:          walk,
		Version:       assets.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("%q is no command; see anyhook --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("anyhook {{.Version}}\n")
	c.arrange(root)
	return root
}

// onData adds --data to a command that works on a data folder.
func (c *program) onData(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&c.data, "data", session.DefaultDir(), "the data folder")
	return cmd
}

// withJSON adds --json.
func (c *program) withJSON(cmd *cobra.Command, what string) *cobra.Command {
	cmd.Flags().BoolVar(&c.json, "json", false, what)
	return cmd
}

// config is what every session of the command line has in common.
func (c *program) config(cmd *cobra.Command) session.Config {
	return session.Config{
		Dir: c.data, NoKeychain: os.Getenv("ANYHOOK_NO_KEYCHAIN") != "", Logger: logger(cmd.ErrOrStderr()),
	}
}

// writable checks that --data names a folder, or what can become one.
func (c *program) writable() error {
	if c.data == "" {
		return usage("--data: name the data folder")
	}
	if info, err := os.Stat(c.data); err == nil && !info.IsDir() {
		return usage("--data %s: not a folder", c.data)
	}
	return nil
}

// existing checks that --data names a folder that holds data.
func (c *program) existing() error {
	if err := c.writable(); err != nil {
		return err
	}
	if _, err := os.Stat(c.data); err != nil {
		return usage("--data %s: no such folder", c.data)
	}
	if info, err := os.Stat(filepath.Join(c.data, session.FileName)); err != nil || !info.Mode().IsRegular() {
		return usage("--data %s: it holds no AnyHook data", c.data)
	}
	return nil
}
