package ngrok

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

const mask = "****"

// tokenShape is what ngrok's authtokens and API keys look like.
var tokenShape = regexp.MustCompile(`\b[0-9][0-9A-Za-z]{15,}_[0-9A-Za-z]{10,}\b`)

// redactor returns a function that takes token, and whatever looks like one, out of a text.
func redactor(token string) func(string) string {
	return func(s string) string {
		if len(token) >= 8 {
			s = strings.ReplaceAll(s, token, mask)
		} else if token != "" { // a slip of the keyboard, which words may contain
			s = replaceWord(s, token)
		}
		return tokenShape.ReplaceAllString(s, mask)
	}
}

// replaceWord masks word in s wherever it is not a part of a longer one.
func replaceWord(s, word string) string {
	var out strings.Builder
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			out.WriteString(s[from:])
			return out.String()
		}
		i += from
		end := i + len(word)
		out.WriteString(s[from:i])
		if (i == 0 || !letter(s[i-1])) && (end == len(s) || !letter(s[end])) {
			out.WriteString(mask)
		} else {
			out.WriteString(word)
		}
		from = end
	}
}

func letter(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// quietLogger is l for the SDK: without secrets, and at Debug, since the SDK
// logs a line per retry and more, while the keeper logs what changes.
func quietLogger(l *slog.Logger, hide func(string) string) *slog.Logger {
	if l == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(&redacting{l.Handler(), hide})
}

type redacting struct {
	inner slog.Handler
	hide  func(string) string
}

// Enabled implements slog.Handler.
func (h *redacting) Enabled(ctx context.Context, _ slog.Level) bool {
	return h.inner.Enabled(ctx, slog.LevelDebug)
}

// Handle implements slog.Handler.
func (h *redacting) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, slog.LevelDebug, h.hide(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.attr(a))
		return true
	})
	return h.inner.Handle(ctx, clean)
}

// WithAttrs implements slog.Handler.
func (h *redacting) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, 0, len(attrs))
	for _, a := range attrs {
		clean = append(clean, h.attr(a))
	}
	return &redacting{h.inner.WithAttrs(clean), h.hide}
}

// WithGroup implements slog.Handler.
func (h *redacting) WithGroup(name string) slog.Handler {
	return &redacting{h.inner.WithGroup(name), h.hide}
}

func (h *redacting) attr(a slog.Attr) slog.Attr {
	for _, secret := range []string{"token", "cookie", "secret", "password", "authorization"} {
		if strings.Contains(strings.ToLower(a.Key), secret) {
			return slog.String(a.Key, mask)
		}
	}
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, h.hide(v.String()))
	case slog.KindAny:
		return slog.String(a.Key, h.hide(fmt.Sprint(v.Any())))
	case slog.KindGroup:
		clean := make([]slog.Attr, 0, len(v.Group()))
		for _, inner := range v.Group() {
			clean = append(clean, h.attr(inner))
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(clean...)}
	default:
		return slog.Attr{Key: a.Key, Value: v}
	}
}
