package view

import (
	"context"

	"anyhook.net/desktop/capture"
)

// A Link leads to another request.
type Link struct {
	Seq  capture.Seq
	Text string // "#41 invoice.paid"
}

// maxLinks is how many requests that were made from one are named.
const maxLinks = 8

// links finds the request that d's was made from, and those made from it.
func (d *Detail) links(ctx context.Context, desk Desk) error {
	r := d.Request
	seqs, err := desk.MadeFrom(ctx, r.ID, maxLinks)
	if err != nil {
		return err
	}
	if r.From != "" {
		from, err := desk.Request(ctx, r.From)
		if err != nil {
			return err
		}
		d.From = &Link{from.Seq, linkText(summaryOf(from))}
	}
	sums, err := desk.Summaries(ctx, seqs)
	for _, s := range sums {
		d.Made = append(d.Made, Link{s.Seq, linkText(s)})
	}
	return err
}

func linkText(s capture.Summary) string { return "#" + number(s.Seq) + " " + what(s) }
