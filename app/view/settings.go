package view

import (
	"strings"

	"anyhook.net/desktop/app/text"
)

// SettingsFacts says where things are kept.
func SettingsFacts(s Status) []Fact {
	out := []Fact{
		{Name: text.T("settings.data"), Value: s.DataDir},
		{Name: text.T("settings.size"), Value: text.Size(s.FileSize)},
		{Name: text.T("settings.secrets"), Value: TokenPlace(s)},
		{Name: text.T("settings.listen"), Value: s.LocalURL},
	}
	if s.MaxBody > 0 {
		out = append(out, Fact{Name: text.T("settings.maxbody"), Value: text.Number(s.MaxBody>>20) + " MiB"})
	}
	return out
}

// Changes is a change log without its own title, which stands above it already.
func Changes(markdown string) string {
	if first, rest, ok := strings.Cut(strings.TrimSpace(markdown), "\n"); ok && strings.HasPrefix(first, "# ") {
		return strings.TrimSpace(rest)
	}
	return markdown
}

// A Welcome is what an empty inbox offers.
type Welcome struct {
	Title, Text string
	Choices     []WelcomeChoice
}

// A WelcomeChoice is one of the ways to begin.
type WelcomeChoice struct {
	Command     string // ID
	Title, Text string
}

// ViewWelcome is what the inbox says before the first request.
func ViewWelcome(s Status) Welcome {
	w := Welcome{Title: text.T("welcome.title"), Text: text.T("welcome.text", s.LocalURL)}
	for _, id := range []string{"sample", "tunnel", "import"} {
		w.Choices = append(w.Choices, WelcomeChoice{id, text.T("welcome." + id), text.T("welcome." + id + ".text")})
	}
	return w
}
