package view

import (
	"context"
	"sync"

	"anyhook.net/desktop/app/text"
)

// SettingsFacts says where things are kept.
func SettingsFacts(s Status) []Fact {
	out := []Fact{
		{text.T("settings.data"), s.DataDir},
		{text.T("settings.size"), text.Size(s.FileSize)},
		{text.T("settings.secrets"), TokenPlace(s)},
		{text.T("settings.listen"), s.LocalURL},
	}
	if s.MaxBody > 0 {
		out = append(out, Fact{text.T("settings.maxbody"), text.Number(s.MaxBody>>20) + " MiB"})
	}
	return out
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

// usualPorts are where handlers listen on the machines of developers.
var usualPorts = []string{"3000", "8000", "8080", "5000", "4000", "5173", "8888", "9000", "3001", "4242", "4567", "8787"}

// Listeners returns the targets on usual ports of this machine where somebody
// listens; our own port is left out.
func Listeners(ctx context.Context, desk Desk) []string {
	dial, ok := desk.(Listener)
	if !ok {
		return nil
	}
	found := make([]string, len(usualPorts))
	var wg sync.WaitGroup
	for i, port := range usualPorts {
		wg.Go(func() {
			target := "http://localhost:" + port
			if dial.Listening(ctx, target) && !samePort(target, desk.Status().LocalURL) {
				found[i] = target
			}
		})
	}
	wg.Wait()
	out := found[:0]
	for _, t := range found {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}

// samePort reports whether two local URLs lead to one port.
func samePort(a, b string) bool { return portOf(a) == portOf(b) }
