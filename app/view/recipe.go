package view

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
)

// A Recipe is a provider that the user describes.
type Recipe = provider.Recipe

// Recipes keep the providers that the user describes.
type Recipes interface {
	Recipes(ctx context.Context) ([]Recipe, error)
	// SaveRecipe replaces the provider called old, or adds one if old is "".
	SaveRecipe(ctx context.Context, old string, r Recipe) error
	DeleteRecipe(ctx context.Context, name string) error
	// TryRecipe reads a captured request as r would, with the secrets given or,
	// if there are none, those of the request's endpoint.
	TryRecipe(r Recipe, about *capture.Request, secrets []capture.Secret) (capture.Signature, []capture.Event, error)
}

// RecipeChoices are what the fields of a recipe that are no free text may be.
var RecipeChoices = map[string][]string{
	"kind":     {"hmac", "token", "none"},
	"hash":     {"sha256", "sha1", "sha512"},
	"encoding": {"hex", "base64", "base64url"},
	"timeUnit": {"s", "ms", "iso"},
	"keyForm":  {"text", "base64", "hex", "whsec"},
}

// RecipeOf proposes a recipe for a request that nobody recognised: its most
// telling header, and the fields that are mostly called so.
func RecipeOf(r *capture.Request) Recipe {
	out := Recipe{Kind: "hmac", Key: ".id", Type: ".type", At: ".created_at"}
	if r == nil {
		return out
	}
	for f := range r.Head.Fields() {
		name := strings.ToLower(f.Name)
		if strings.Contains(name, "signature") || strings.Contains(name, "hmac") {
			out.Header, out.Mark = f.Name, f.Name
			if name, ok := listed(f.Value); ok {
				out.Prefix, out.TimeIn, out.Signs = name, "t=", "{time}.{body}"
				continue
			}
			if prefix, _, ok := strings.Cut(f.Value, "="); ok && prefix != "" && len(prefix) < 10 && !strings.HasSuffix(f.Value, "=") {
				out.Prefix = prefix + "="
			}
		}
		if strings.Contains(name, "timestamp") && out.TimeIn == "" {
			out.TimeIn, out.Signs = f.Name, "{time}.{body}"
		}
	}
	return out
}

// RecipeName is the name to store for a title: "acme-pay" for "Acme Pay".
func RecipeName(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	name := strings.Join(words, "-")
	return name[:min(len(name), 40)]
}

// UnknownFirst puts the requests that nobody recognised first, else as they come.
func UnknownFirst(ctx context.Context, desk Desk, seqs []capture.Seq) ([]capture.Seq, error) {
	sums, err := desk.Summaries(ctx, seqs)
	if err != nil {
		return nil, err
	}
	known := map[capture.Seq]bool{}
	for _, s := range sums {
		known[s.Seq] = s.Provider != ""
	}
	slices.SortStableFunc(seqs, func(a, b capture.Seq) int {
		switch {
		case known[a] == known[b]:
			return 0
		case known[b]:
			return -1
		}
		return 1
	})
	return seqs, nil
}

// listed returns the name of the signature in a list such as t=…,v1=….
func listed(header string) (name string, ok bool) {
	stamp, rest, ok := strings.Cut(header, ",")
	name, _, signed := strings.Cut(rest, "=")
	return name + "=", ok && signed && strings.HasPrefix(stamp, "t=")
}

// A Trial is what a recipe makes of a captured request.
type Trial struct {
	Wrong   string // what is wrong with the recipe; "" and the rest counts
	Verdict Mark
	Reason  string
	Hashed  *Document // exactly what was hashed; nil when nothing was
	Events  []EventFacts
	Trouble string // what of the request could not be read
}

// EventFacts is one event, field by field.
type EventFacts []Fact

// Try reads a captured request as the recipe would. secret "" means that of
// the request's endpoint.
func Try(desk Desk, clock Clock, recipe Recipe, about *capture.Request, secret string) Trial {
	var secrets []capture.Secret
	if secret != "" {
		secrets = append(secrets, capture.Secret(secret))
	}
	if recipe.Name == "" {
		recipe.Name = "unnamed" // it can be tried before it has a name
	}
	if recipe.Title == "" {
		recipe.Title = recipe.Name
	}
	s, events, err := desk.TryRecipe(recipe, about, secrets)
	if s.Status == "" && err != nil {
		return Trial{Wrong: wrongRecipe(err)}
	}
	t := Trial{Verdict: Verdict(s.Status), Reason: reason(s)}
	if err != nil {
		t.Trouble = Clean(err.Error(), 300)
	}
	if len(s.Content) > 0 {
		d := hashed(s.Content)
		t.Hashed = &d
	}
	const most = 20
	for _, e := range events[:min(len(events), most)] {
		t.Events = append(t.Events, eventFacts(e, clock))
	}
	return t
}

// wrongRecipe says what is wrong with a recipe.
func wrongRecipe(err error) string {
	e, ok := errors.AsType[*provider.RecipeError](err)
	switch {
	case !ok:
		return Clean(err.Error(), 300)
	case e.Detail == "":
		return text.Or("recipe.wrong."+e.Why, e.Error())
	}
	return text.Or("recipe.wrong."+e.Why, e.Error(), Clean(e.Detail, 300))
}

func eventFacts(e capture.Event, clock Clock) EventFacts {
	at := ""
	if !e.At.IsZero() {
		at = clock.Both(e.At)
	}
	order := ""
	if e.Order != 0 {
		order = strconv.FormatInt(e.Order, 10)
	}
	var out EventFacts
	for _, f := range []Fact{
		{Name: text.T("recipe.key"), Value: Clean(e.Key.Value, 200)},
		{Name: text.T("recipe.type"), Value: Clean(e.Type, 200)},
		{Name: text.T("recipe.object"), Value: Clean(e.Object, 200)},
		{Name: text.T("recipe.at"), Value: at},
		{Name: text.T("recipe.order"), Value: order},
	} {
		out = append(out, Fact{Name: f.Name, Value: firstOf(f.Value, "–")})
	}
	return out
}
