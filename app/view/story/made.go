package story

import (
	"context"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
)

// MadeFrom implements view.Desk.
func (d *Desk) MadeFrom(_ context.Context, id capture.ID, limit int) ([]capture.Seq, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []capture.Seq
	for _, r := range d.requests {
		if r.From == id && len(out) < limit {
			out = append(out, r.Seq)
		}
	}
	return out, nil
}

// Make implements view.Desk.
func (d *Desk) Make(ctx context.Context, rs []*capture.Request) ([]capture.ID, error) {
	var ids []capture.ID
	for _, r := range rs {
		from, err := d.Request(ctx, r.From)
		if err != nil {
			return ids, err
		}
		c := r.Clone()
		c.ID, c.Kind, c.At, c.Events = "", capture.Made, d.Now(), from.Events
		c.Signature = capture.Signature{Status: capture.Unchecked, Why: capture.WhyMade, Detail: string(from.Signature.Worth())}
		d.Add(c, replay.Standing{})
		ids = append(ids, c.ID)
	}
	return ids, nil
}
