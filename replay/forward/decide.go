package forward

import (
	"time"

	"anyhook.net/desktop/replay"
)

// Retries is how often a request is tried again by Exponential.
const Retries = 8

const firstWait = 2 * time.Second

// Exponential waits 2 s after the first failure and twice as long after each
// further one, more or less a quarter, and gives up after Retries. random
// returns numbers from 0 to 1; nil means no jitter.
func Exponential(random func() float64) func(n int) (time.Duration, bool) {
	return func(n int) (time.Duration, bool) {
		if n > Retries {
			return 0, false
		}
		wait := firstWait << (max(n, 1) - 1)
		if random != nil {
			wait += time.Duration((random() - 0.5) / 2 * float64(wait))
		}
		return wait, true
	}
}

// decide says what becomes of an item after an attempt.
func decide(it item, o replay.Outcome, now time.Time, backoff func(int) (time.Duration, bool)) (item, replay.Progress) {
	it.due = time.Time{}
	switch {
	case o.OK():
		return it, replay.Delivered
	case unreachable(o):
		it.met = true
		return it, replay.Queued
	case o.Failure == replay.Blocked: // this request can never be sent
		return it, replay.GaveUp
	}
	it.tries++
	it.met = true
	wait, ok := backoff(it.tries)
	if !ok {
		return it, replay.GaveUp
	}
	it.due = now.Add(wait)
	return it, replay.Retrying
}

// unreachable reports whether the target, and not the request, is the reason
// that nothing was sent: then others need not be tried either.
func unreachable(o replay.Outcome) bool {
	return o.Failure == replay.Refused || unsendable(o)
}

// unsendable reports whether AnyHook itself will not send to the target.
func unsendable(o replay.Outcome) bool {
	if o.Failure != replay.Blocked {
		return false
	}
	h := replay.Hint(o)
	return h == replay.HintUnconfirmed || h == replay.HintOwnPort
}
