package replay

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// What a scenario may have at most, beside MaxAtOnce sends in a wave.
const (
	MaxWaves = 100_000
	MaxItems = 1_000              // of a batch
	MaxWait  = 7 * 24 * time.Hour // of a send, and of a fault
	MaxCut   = 1 << 30            // bytes
	MaxTry   = 1_000_000
	MaxSpeed = 1_000_000
	MaxHold  = 100
	maxName  = 200 // bytes
	maxLook  = 10_000
)

// Check says what is wrong with a scenario; nil if it can be carried out.
func (s Scenario) Check() error {
	switch {
	case strings.TrimSpace(s.Name) == "":
		return errors.New("the scenario has no name")
	case len(s.Name) > maxName || !utf8.ValidString(s.Name) || strings.ContainsFunc(s.Name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("the name of a scenario is one line of at most %d bytes", maxName)
	case s.Speed < 0 || s.Speed > MaxSpeed || math.IsNaN(s.Speed):
		return fmt.Errorf("speed %g: want 0 to %d", s.Speed, MaxSpeed)
	case len(s.Waves) > MaxWaves:
		return fmt.Errorf("%d waves: at most %d", len(s.Waves), MaxWaves)
	case len(s.Hold) > MaxHold:
		return fmt.Errorf("%d expectations: at most %d", len(s.Hold), MaxHold)
	}
	for i, w := range s.Waves {
		if err := w.Check(); err != nil {
			return fmt.Errorf("wave %d: %w", i+1, err)
		}
	}
	for i, e := range s.Hold {
		if err := e.Check(); err != nil {
			return fmt.Errorf("expectation %d: %w", i+1, err)
		}
	}
	return nil
}

// Check says what is wrong with a wave; nil if it can be sent.
func (w Wave) Check() error {
	if len(w) == 0 || len(w) > MaxAtOnce {
		return fmt.Errorf("%d sends: want 1 to %d", len(w), MaxAtOnce)
	}
	for i, s := range w {
		if err := s.Check(); err != nil {
			return fmt.Errorf("send %d: %w", i+1, err)
		}
	}
	return nil
}

// Check says what is wrong with a send; nil if it can be made.
func (s Send) Check() error {
	switch {
	case s.Request == "":
		return errors.New("it names no request")
	case !slices.Contains(Signings, s.Signing):
		return fmt.Errorf("%q is no way of signing", string(s.Signing))
	case s.Wait.Min < 0 || s.Wait.Min > MaxWait || s.Wait.Max > MaxWait || s.Wait.Max != 0 && s.Wait.Max <= s.Wait.Min:
		return fmt.Errorf("it waits from %s to %s: want 0 to %s, the less first", s.Wait.Min, s.Wait.Max, MaxWait)
	case s.Try < 0 || s.Try > MaxTry:
		return fmt.Errorf("attempt number %d: want 1 to %d", s.Try, MaxTry)
	case s.Items != nil && (len(s.Items) == 0 || len(s.Items) > MaxItems):
		return fmt.Errorf("a batch of %d: want 1 to %d", len(s.Items), MaxItems)
	}
	for _, item := range s.Items {
		if item.Request == "" || item.N < 0 || item.N > MaxItems {
			return fmt.Errorf("event %d of request %q: want 1 to %d of a request", item.N, string(item.Request), MaxItems)
		}
	}
	for i, f := range s.Faults {
		if err := f.Check(); err != nil {
			return err
		}
		if FaultOf(s.Faults[:i], f.Kind) != nil {
			return fmt.Errorf("fault %q is there twice", string(f.Kind))
		}
	}
	return nil
}

// Check says what is wrong with a fault; nil if it can be done.
func (f Fault) Check() error {
	may := Fault{Kind: f.Kind}
	switch f.Kind {
	case LostAnswer, Gateway:
	case CutRequest:
		may.Bytes = f.Bytes
	case HangUp, Slow:
		may.After = f.After
	case Kill:
		if may.Point = f.Point; f.Point == AfterBody {
			may.After, may.Share = f.After, f.Share
		}
	default:
		return fmt.Errorf("%q is no fault", string(f.Kind))
	}
	switch {
	case f.Point != AfterBody && f.Point != AfterHead && f.Point != AfterAnswer:
		return fmt.Errorf("fault %q: %q is no point", string(f.Kind), string(f.Point))
	case f != may:
		return fmt.Errorf("fault %q has what it has no use for", string(f.Kind))
	case f.Bytes < 0 || f.Bytes > MaxCut:
		return fmt.Errorf("fault %q after %d bytes: want 1 to %d", string(f.Kind), f.Bytes, MaxCut)
	case f.After < 0 || f.After > MaxWait || f.Kind == Slow && f.After == 0:
		return fmt.Errorf("fault %q for %s: want more than nothing, and at most %s", string(f.Kind), f.After, MaxWait)
	case f.Share < 0 || f.Share > 1000 || f.Share > 0 && f.After > 0:
		return fmt.Errorf("fault %q at %d%%: want 1 to 1000, and no time with it", string(f.Kind), f.Share)
	}
	return nil
}

// Check says what is wrong with an expectation; nil if one can look.
func (e Expect) Check() error {
	switch {
	case e.URL == "":
		return errors.New("it has no URL to get")
	case len(e.URL) > maxLook || len(e.JQ) > maxLook || len(e.Text) > maxLook:
		return fmt.Errorf("it is longer than %d bytes", maxLook)
	}
	return nil
}
