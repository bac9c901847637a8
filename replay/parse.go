package replay

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"anyhook.net/desktop/capture"
)

// A NotationError says what is wrong with a text, and where.
type NotationError struct {
	Column int // of the text, in characters from 1
	Err    error
}

func (e *NotationError) Error() string { return fmt.Sprintf("column %d: %v", e.Column, e.Err) }

func (e *NotationError) Unwrap() error { return e.Err }

// ParseWaves reads the notation; see [Notate]. id tells which request a label
// stands for. The error is a *NotationError.
func ParseWaves(text string, id func(label string) (capture.ID, bool)) ([]Wave, error) {
	p := parser{text: text, id: id}
	var waves []Wave
	for p.space(); p.pos < len(text); p.space() {
		start := p.pos
		w, err := p.wave()
		if err == nil && len(waves) == MaxWaves {
			p.pos, err = start, fmt.Errorf("there are more than %d waves", MaxWaves)
		}
		if err != nil {
			return nil, &NotationError{1 + utf8.RuneCountInString(text[:p.pos]), err}
		}
		waves = append(waves, w)
	}
	return waves, nil
}

// A parser stands at pos: after an error, where that is.
type parser struct {
	text string
	pos  int
	id   func(string) (capture.ID, bool)
}

func (p *parser) space() {
	rest := strings.TrimLeftFunc(p.text[p.pos:], unicode.IsSpace)
	p.pos = len(p.text) - len(rest)
}

// ends reports whether a wave ends here.
func (p *parser) ends() bool {
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return p.pos == len(p.text) || unicode.IsSpace(r)
}

// take moves over c if it is there.
func (p *parser) take(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *parser) wave() (Wave, error) {
	var w Wave
	for {
		start := p.pos
		s, err := p.send()
		if err != nil {
			return nil, err
		}
		if len(w) == MaxAtOnce {
			p.pos = start
			return nil, fmt.Errorf("there are more than %d sends at once", MaxAtOnce)
		}
		w = append(w, s)
		if p.ends() {
			return w, nil
		}
		if !p.take('|') {
			r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
			return nil, fmt.Errorf("%q is no mark: want one of ! ~ # ?, or | or a space before the next send", r)
		}
	}
}

func (p *parser) send() (s Send, err error) {
	start := p.pos
	if s, err = p.what(); err != nil {
		return s, err
	}
	for more := true; more; {
		at := p.pos
		if more, err = p.mark(&s); err != nil {
			p.pos = at
			return s, err
		}
	}
	if err = s.Check(); err != nil {
		p.pos = start
	}
	return s, err
}

// mark reads one mark, and reports false if there is none.
func (p *parser) mark(s *Send) (bool, error) {
	switch {
	case p.take('!'):
		return true, does(s, p.word())
	case p.take('~'):
		return true, waits(s, p.word())
	case p.take('#'):
		return true, counts(s, p.word())
	case p.take('?'):
		if s.Retry {
			return true, errors.New("? is there twice")
		}
		s.Retry = true
		return true, nil
	}
	return false, nil
}

// what reads the request, or the batch.
func (p *parser) what() (s Send, err error) {
	if s.Request, err = p.label(); err != nil {
		return s, err
	}
	first := Item{Request: s.Request}
	if p.take(':') {
		if first.Request, err = p.label(); err != nil {
			return s, err
		}
	} else if p.pos == len(p.text) || p.text[p.pos] != '.' && p.text[p.pos] != '+' {
		return s, nil
	}
	for item := first; ; item = (Item{}) {
		if item.Request == "" {
			if item.Request, err = p.label(); err != nil {
				return s, err
			}
		}
		if p.take('.') {
			if item.N, err = p.number(); err != nil {
				return s, err
			}
		}
		if s.Items = append(s.Items, item); len(s.Items) > MaxItems {
			return s, fmt.Errorf("the batch has more than %d parts", MaxItems)
		}
		if !p.take('+') {
			return s, nil
		}
	}
}

func (p *parser) label() (capture.ID, error) {
	n := labelEnd(p.text[p.pos:])
	if n == 0 {
		return "", errors.New("want the label of a request, such as A")
	}
	id, ok := p.id(p.text[p.pos : p.pos+n])
	if !ok || n > maxLabel {
		return "", fmt.Errorf("%.64q is the label of no request", p.text[p.pos:p.pos+n])
	}
	p.pos += n
	return id, nil
}

func (p *parser) number() (int, error) {
	digits := len(p.text[p.pos:]) - len(strings.TrimLeft(p.text[p.pos:], "0123456789"))
	n, err := whole(p.text[p.pos:p.pos+digits], MaxItems)
	if err != nil {
		return 0, err
	}
	p.pos += digits
	return n, nil
}

// word moves to the next mark, or to the end of the send.
func (p *parser) word() string {
	rest := p.text[p.pos:]
	n := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("!~#?|", r) })
	if n < 0 {
		n = len(rest)
	}
	p.pos += n
	return rest[:n]
}

// does reads a way of signing, or a fault.
func does(s *Send, word string) error {
	if word != "" && slices.Contains(Signings, Signing(word)) {
		if s.Signing != AsReceived {
			return fmt.Errorf("!%s: it is signed as !%s already", word, s.Signing)
		}
		s.Signing = Signing(word)
		return nil
	}
	f, err := parseFault(word)
	if err != nil {
		return fmt.Errorf("!%.40s: %w", word, err)
	}
	if FaultOf(s.Faults, f.Kind) != nil {
		return fmt.Errorf("!%s is there twice", f.Kind)
	}
	s.Faults = append(s.Faults, f)
	return nil
}

func parseFault(word string) (f Fault, err error) {
	kind, at, has := strings.Cut(word, "@")
	f.Kind = FaultKind(kind)
	if !slices.Contains(FaultKinds, f.Kind) {
		return f, errors.New("there is no such mark")
	}
	percent, share := strings.CutSuffix(at, "%")
	switch {
	case !has:
	case f.Kind == CutRequest:
		f.Bytes, err = positive(at, MaxCut)
	case f.Kind == Kill && (at == string(AfterHead) || at == string(AfterAnswer)):
		f.Point = Point(at)
	case f.Kind == Kill && share:
		f.Share, err = positive(percent, 1000)
	case f.Kind == Kill || f.Kind == HangUp || f.Kind == Slow:
		f.After, err = pause(at)
	default:
		err = errors.New("it takes no @")
	}
	if err == nil {
		err = f.Check()
	}
	return f, err
}

func waits(s *Send, word string) (err error) {
	if s.Wait != (Wait{}) {
		return fmt.Errorf("~%.40s: it waits already", word)
	}
	from, to, random := strings.Cut(word, "..")
	if s.Wait.Min, err = pause(from); err == nil && random {
		s.Wait.Max, err = pause(to)
	}
	if err == nil && random && s.Wait.Max <= s.Wait.Min {
		err = errors.New("want the less first")
	}
	if err != nil {
		return fmt.Errorf("~%.40s: %w", word, err)
	}
	return nil
}

func counts(s *Send, word string) (err error) {
	if s.Try != 0 {
		return fmt.Errorf("#%.40s: it has a number already", word)
	}
	if s.Try, err = positive(word, MaxTry); err != nil {
		return fmt.Errorf("#%.40s: %w", word, err)
	}
	return nil
}

// pause reads a time.
func pause(word string) (time.Duration, error) {
	d, err := time.ParseDuration(word)
	if err != nil || d < 0 || d > MaxWait || word[0] == '+' || word[0] == '-' {
		return 0, fmt.Errorf("want a time such as 2s, 150ms or 1h30m, at most %s", brief(MaxWait))
	}
	return d, nil
}

func positive(word string, most int) (int, error) {
	n, err := whole(word, most)
	if err == nil && n == 0 {
		err = fmt.Errorf("want a number from 1 to %d", most)
	}
	return n, err
}

// whole reads a number that is all digits.
func whole(word string, most int) (int, error) {
	n, err := strconv.ParseUint(word, 10, 31)
	if err != nil || n > uint64(most) { //nolint:gosec // most is positive
		return 0, fmt.Errorf("want a number up to %d", most)
	}
	return int(n), nil
}
