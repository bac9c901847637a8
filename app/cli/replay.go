package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/plan"
)

type replayFlags struct {
	when                   span
	failed, resign, dryRun bool
	sign                   string
	target                 string
	away                   bool
}

func (c *program) replay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [ID…]",
		Short: "Deliver again: the IDs given, a time range, or all that failed; prints the count first",
		Long: `Deliver again: the IDs given in their order, or a time range or all that failed,
oldest first. Prints the count first, then a line a delivery, then the sums.
Ends with status 0 when the handler took all, 1 when it did not. It needs the
data folder to itself, so stop serve first; not for --dry-run.`,
		Example: `  anyhook replay --failed
  anyhook replay --since 2h --until 10m --target http://localhost:3000/webhooks --dry-run
  anyhook replay --resign req_… req_…`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.existing(); err != nil {
				return err
			}
			if len(args) > 0 && (f.when.given() || f.failed) {
				return usage("give IDs, or --since, --until and --failed, not both")
			}
			if f.resign && f.sign != "" {
				return usage("give --resign or --sign, not both")
			}
			if _, err := signingNamed(f.sign); err != nil {
				return err
			}
			if len(args) == 0 && !f.when.given() && !f.failed {
				return usage("say what to replay: IDs, --since and --until, or --failed")
			}
			var err error
			if f.target, err = target(cmd.Context(), f.target, f.away); err != nil {
				return err
			}
			return broke(c.runReplay(cmd.Context(), cmd, f, args))
		},
	}
	f.when.flags(cmd.Flags())
	cmd.Flags().BoolVar(&f.failed, "failed", false, "those whose last attempt failed")
	cmd.Flags().BoolVar(&f.resign, "resign", false, "re-signed now, with the endpoint's secret")
	cmd.Flags().StringVar(&f.sign, "sign", "", "sign wrongly on purpose: "+strings.Join(wrongSignings(), ", "))
	offer(cmd, "sign", wrongSignings()...)
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print the count and stop")
	cmd.Flags().StringVar(&f.target, "target", "", "the handler; each endpoint's own if not given")
	cmd.Flags().BoolVar(&f.away, "allow-remote-target", false, "deliver to a target that is not this machine")
	return c.withJSON(c.onData(cmd), "one JSON object a line")
}

// countLine comes before a replay.
type countLine struct {
	Kind   string       `json:"kind"` // "replay"
	Count  int          `json:"count"`
	Target string       `json:"target"`
	IDs    []capture.ID `json:"ids"`
	Since  string       `json:"since,omitzero"` // of --since, in UTC
	Until  string       `json:"until,omitzero"` // of --until, in UTC

	since, until time.Time
}

func newCountLine(f replayFlags, ids []capture.ID, now time.Time) (countLine, error) {
	since, until, err := f.when.times(now)
	return countLine{"replay", len(ids), f.target, ids, stamp(since), stamp(until), since, until}, err
}

func (l countLine) String() string {
	s := fmt.Sprintf("%d requests", l.Count)
	if l.Count == 1 {
		s = "1 request"
	}
	if !l.since.IsZero() {
		s += " from " + human(l.since)
	}
	if !l.until.IsZero() {
		s += " until before " + human(l.until)
	}
	if l.Target != "" {
		s += " to " + l.Target
	}
	return s
}

// sumLine comes after it. Count = Sent + Skipped, Sent = OK + Failed.
type sumLine struct {
	Kind    string `json:"kind"` // "sum"
	Sent    int    `json:"sent"`
	OK      int    `json:"ok"`
	Failed  int    `json:"failed"`
	Skipped int    `json:"skipped"`
	Error   string `json:"error,omitzero"`
	Note    string `json:"note,omitzero"` // why sends were skipped
}

func (l sumLine) String() string {
	s := fmt.Sprintf("%d sent: %d taken, %d failed; %d not sent", l.Sent, l.OK, l.Failed, l.Skipped)
	if why := cmp.Or(l.Error, l.Note); why != "" {
		s += ": " + why
	}
	return printable(s)
}

func (c *program) runReplay(ctx context.Context, cmd *cobra.Command, f replayFlags, args []string) error {
	if f.dryRun { // reads only, so that it works beside another AnyHook
		a, err := session.Look(ctx, c.data)
		if err != nil {
			return err
		}
		defer a.Close()
		ids, err := c.pick(ctx, a, f, args)
		if err != nil {
			return err
		}
		return c.count(f, ids)
	}
	cfg := c.config(cmd)
	cfg.RemoteTargets = f.away
	cfg.OnAttempt = func(a replay.Attempt) { _ = c.write(c.out, newAttemptLine(a)) }
	s, err := session.Start(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	ids, err := c.pick(ctx, s.Archive, f, args)
	if err != nil {
		return err
	}
	if err := c.count(f, ids); err != nil {
		return err
	}
	signing := replay.AsReceived
	if f.sign != "" {
		signing = replay.Signing(f.sign)
	}
	if f.resign {
		signing = replay.Fresh
	}
	run, err := s.Replay(ctx, plan.Once(ids, signing), f.target, func(replay.Run) {})
	if err != nil {
		return err
	}
	if err := c.write(c.out, sumLine{"sum", run.Sent, run.OK, run.Failed, run.Skipped, run.Err, run.Note}); err != nil {
		return err
	}
	if run.OK != len(ids) {
		return &exitError{status: exitNo}
	}
	return nil
}

// count prints what is going to be replayed.
func (c *program) count(f replayFlags, ids []capture.ID) error {
	l, err := newCountLine(f, ids, c.now())
	if err != nil {
		return err
	}
	return c.write(c.out, l)
}

// pick returns the requests to replay.
func (c *program) pick(ctx context.Context, a *session.Archive, f replayFlags, args []string) ([]capture.ID, error) {
	if len(args) > 0 {
		ids := make([]capture.ID, 0, len(args))
		for _, arg := range args {
			r, err := a.Request(ctx, capture.ID(arg))
			if err != nil {
				return nil, notFound(capture.ID(arg), err)
			}
			if !r.Kind.Replayable() {
				return nil, usage("%s is a %s request, not a delivery: it cannot be replayed", arg, r.Kind)
			}
			ids = append(ids, r.ID)
		}
		return ids, nil
	}
	filter := capture.Filter{Kinds: capture.Replayable}
	var err error
	if filter.Since, filter.Until, err = f.when.times(c.now()); err != nil {
		return nil, err
	}
	if f.failed {
		filter.Outcome = []capture.Outcome{capture.OutcomeFailed}
	}
	return all(ctx, a, filter)
}

// all returns the requests that f chooses, oldest first.
func all(ctx context.Context, a *session.Archive, f capture.Filter) ([]capture.ID, error) {
	last, err := a.Last(ctx)
	if err != nil {
		return nil, err
	}
	seqs, err := a.Match(ctx, f, 1, last)
	if err != nil {
		return nil, err
	}
	ids := make([]capture.ID, 0, len(seqs))
	for page := range slices.Chunk(seqs, pageSize) {
		sums, err := a.Summaries(ctx, page)
		if err != nil {
			return nil, err
		}
		for _, s := range sums {
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}
