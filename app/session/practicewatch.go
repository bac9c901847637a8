package session

import (
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/practice"
)

// A practiceWatch sees what the practice handler does with the events of one
// run. A nil one sees nothing. Only the goroutine of the run uses it.
type practiceWatch struct {
	of     *practiceShop
	shop   *practice.Shop
	url    string
	sent   bool
	before map[string]int // charges of their events before the run, by key
}

// watch returns nil while nobody practises.
func (p *practiceShop) watch() *practiceWatch {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server == nil {
		return nil
	}
	return &practiceWatch{of: p, shop: p.shop, url: p.url, before: map[string]int{}}
}

// sending notes that r is about to be sent to a target.
func (w *practiceWatch) sending(r *capture.Request, target string) {
	if w == nil || target != w.url {
		return
	}
	w.sent = true
	for key, n := range w.shop.Charges(r.Header, r.Body) {
		if _, ok := w.before[key]; !ok {
			w.before[key] = n
		}
	}
}

// found is what became of what was sent: nil if nothing was, or if the shop
// that it was sent to is no more.
func (w *practiceWatch) found() *replay.Practised {
	if w == nil || !w.sent {
		return nil
	}
	w.of.mu.Lock()
	same := w.of.server != nil && w.of.shop == w.shop
	w.of.mu.Unlock()
	if !same {
		return nil
	}
	out := &replay.Practised{}
	for key, before := range w.before {
		n := w.shop.Charged(key)
		if n > 0 {
			out.Charged++
		}
		if n > 1 && n > before {
			out.Twice++
		}
	}
	return out
}
