package forward

import "anyhook.net/desktop/replay"

// An Alert is what deserves a person's attention: the 1st, 5th and 20th
// failure in a row at a target, and the first success after failures.
type Alert struct {
	Endpoint string
	Target   string
	Failures int            // in a row; with Back, how many there were
	Back     bool           // the handler takes requests again
	Last     replay.Attempt // the one that made it so
}

// count counts an attempt, and alerts where that is due.
func (f *Forwarder) count(endpoint string, a replay.Attempt) {
	alert := Alert{Endpoint: endpoint, Target: a.Target, Back: a.Outcome.OK(), Last: a}
	f.mu.Lock()
	if alert.Back {
		alert.Failures = f.failing[a.Target]
		delete(f.failing, a.Target)
	} else {
		if f.failing == nil {
			f.failing = map[string]int{}
		}
		f.failing[a.Target]++
		alert.Failures = f.failing[a.Target]
	}
	f.mu.Unlock()
	if f.Alert != nil && alert.due() {
		f.Alert(alert)
	}
}

func (a Alert) due() bool {
	if a.Back {
		return a.Failures > 0
	}
	return a.Failures == 1 || a.Failures == 5 || a.Failures == 20
}
