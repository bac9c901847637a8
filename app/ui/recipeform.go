package ui

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
)

// A recipeForm describes a provider, with what it makes of a captured request beside it.
type recipeForm struct {
	w       *Window
	old     string // name before the change, "" for a new one
	r       view.Recipe
	secret  string           // to try with; not kept
	about   *capture.Request // tried on; nil when there is none
	chosen  capture.Seq      // the one that the choice shows
	seqs    []capture.Seq    // that can be tried on, newest first
	wrong   *look.Words
	parts   map[string]*fyne.Container // shown or hidden with the kind
	subject *fyne.Container            // the choice of the request
	preview *fyne.Container
	save    *look.Button
	timer   *time.Timer
	tries   int
}

// describe opens the form of a provider that the user describes. about is a
// request to try it on; nil takes the one that is selected, or the newest.
func (w *Window) describe(r view.Recipe, about *capture.Request) {
	f := &recipeForm{w: w, old: r.Name, r: r, about: about, wrong: problem(), parts: map[string]*fyne.Container{}, preview: container.NewVBox()}
	if r.Kind == "" {
		f.r = view.RecipeOf(about)
	}
	w.screen = "providers"
	w.rail.mark(w.screen)
	f.show()
	f.find()
}

// show draws the form and the preview.
func (f *recipeForm) show() {
	f.save = look.NewMainButton(text.T("recipe.save"), "", f.keep)
	back := look.NewButton(text.T("cancel"), "", func() { f.w.show("providers") })
	title := strings.TrimSuffix(text.T("cmd.describe"), "…")
	if f.old != "" {
		title = f.r.Title
	}
	head := container.NewBorder(nil, widget.NewSeparator(), nil, container.NewHBox(back, f.save), heading(title))
	form := container.NewBorder(head, f.wrong, nil, nil, scroll(f.body()))
	f.subject, f.chosen = container.NewStack(), 0
	on := container.NewVBox(heading(text.T("recipe.preview")), widget.NewSeparator(), f.subject, f.tryWith())
	side := container.NewBorder(on, nil, nil, nil, scroll(f.preview))
	split := container.NewHSplit(container.NewPadded(form), container.NewPadded(side))
	split.SetOffset(0.52)
	f.w.center.Objects = []fyne.CanvasObject{split}
	f.w.center.Refresh()
	f.try()
}

// body is the fields.
func (f *recipeForm) body() fyne.CanvasObject {
	f.parts["signed"] = container.NewVBox(
		f.entry(text.T("recipe.header"), &f.r.Header, "X-Acme-Signature"))
	f.parts["hmac"] = container.NewVBox(
		f.choice("hash", &f.r.Hash), f.choice("encoding", &f.r.Encoding),
		f.entry(text.T("recipe.prefix"), &f.r.Prefix, "sha256="),
		f.entry(text.T("recipe.signs"), &f.r.Signs, "{body}"),
		muted(text.T("recipe.signs.text")),
		f.entry(text.T("recipe.time"), &f.r.TimeIn, text.T("recipe.time.hint")),
		f.choice("timeUnit", &f.r.TimeUnit),
		f.tolerance(), f.choice("keyForm", &f.r.KeyForm))
	f.shown()
	return container.NewVBox(
		f.names(),
		f.entry(text.T("recipe.mark"), &f.r.Mark, "X-Acme-Event"),
		look.NewSection(text.T("recipe.signature")),
		f.choice("kind", &f.r.Kind), f.parts["signed"], f.parts["hmac"],
		look.NewSection(text.T("recipe.events")),
		muted(text.T("recipe.events.text")),
		f.entry(text.T("recipe.each"), &f.r.Each, ".events[]"),
		f.entry(text.T("recipe.key"), &f.r.Key, ".id"),
		f.unique(),
		f.entry(text.T("recipe.type"), &f.r.Type, ".type"),
		f.entry(text.T("recipe.object"), &f.r.Object, ".data.id"),
		f.entry(text.T("recipe.at"), &f.r.At, ".created_at"),
		f.entry(text.T("recipe.order"), &f.r.Order, ".version"))
}

func (f *recipeForm) entry(title string, value *string, hint string) fyne.CanvasObject {
	i := look.NewInput(hint)
	i.SetText(*value)
	i.OnEscape = func() { f.w.show("providers") }
	i.OnChanged = func(s string) { *value = strings.TrimSpace(s); f.trySoon() }
	return field(title, i, nil)
}

// names are the two names; the one that is stored follows the title until it is written.
func (f *recipeForm) names() fyne.CanvasObject {
	title, name := look.NewInput("Acme"), look.NewInput("acme")
	title.SetText(f.r.Title)
	name.SetText(f.r.Name)
	own := f.r.Name != "" && f.r.Name != view.RecipeName(f.r.Title)
	title.OnChanged = func(s string) {
		f.r.Title = strings.TrimSpace(s)
		if !own {
			f.r.Name = view.RecipeName(s)
			name.SetText(f.r.Name)
		}
		f.trySoon()
	}
	name.OnChanged = func(s string) {
		own = own || s != view.RecipeName(f.r.Title)
		f.r.Name = strings.TrimSpace(s)
		f.trySoon()
	}
	return container.NewVBox(field(text.T("recipe.title"), title, nil), field(text.T("recipe.name"), name, nil))
}

func (f *recipeForm) choice(name string, value *string) fyne.CanvasObject {
	words := view.RecipeChoices[name]
	titles := make([]string, len(words))
	for i, w := range words {
		titles[i] = text.T("recipe." + name + "." + w)
	}
	return field(text.T("recipe."+name), choose(titles, slices.Index(words, *value), func(i int) {
		*value = words[i]
		f.shown()
		f.try()
	}), nil)
}

func (f *recipeForm) unique() fyne.CanvasObject {
	c := widget.NewCheck(text.T("recipe.unique"), nil)
	c.SetChecked(f.r.Unique)
	c.OnChanged = func(on bool) { f.r.Unique = on; f.try() }
	return c
}

func (f *recipeForm) tolerance() fyne.CanvasObject {
	i := look.NewInput("300")
	if f.r.Tolerance > 0 {
		i.SetText(strconv.Itoa(f.r.Tolerance))
	}
	i.OnChanged = func(s string) {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil && strings.TrimSpace(s) != "" {
			n = -1 // which the recipe names as wrong
		}
		f.r.Tolerance = n
		f.trySoon()
	}
	return field(text.T("recipe.tolerance"), i, nil)
}

// shown shows the fields that the kind has.
func (f *recipeForm) shown() {
	visible(f.parts["signed"], f.r.Kind != "none")
	visible(f.parts["hmac"], f.r.Kind == "hmac")
}

// find looks for requests to try it on.
func (f *recipeForm) find() {
	start(f.w, func(ctx context.Context) ([]capture.Seq, error) {
		last, err := f.w.desk.Last(ctx)
		if err != nil {
			return nil, err
		}
		const most, back = 20, 500
		seqs, err := f.w.desk.Match(ctx, capture.Filter{Kinds: capture.Replayable}, max(1, last-back), last)
		if err != nil {
			return nil, err
		}
		slices.Reverse(seqs)
		return view.UnknownFirst(ctx, f.w.desk, seqs[:min(len(seqs), most)])
	}, func(seqs []capture.Seq, err error) {
		if err != nil {
			f.w.fail(err)
		}
		f.seqs = seqs
		if one := f.w.inbox.table.Selected(); f.about == nil && len(one) == 1 {
			f.take(capture.Seq(one[0]))
		} else if f.about == nil && len(seqs) > 0 {
			f.take(seqs[0])
		}
		f.try()
	})
}

// take tries it on another request.
func (f *recipeForm) take(seq capture.Seq) {
	start(f.w, func(ctx context.Context) (*capture.Request, error) {
		sums, err := f.w.desk.Summaries(ctx, []capture.Seq{seq})
		if err != nil || len(sums) == 0 {
			return nil, err
		}
		return f.w.desk.Request(ctx, sums[0].ID)
	}, func(r *capture.Request, err error) {
		if err != nil {
			f.w.fail(err)
			return
		}
		f.about = r
		if f.old == "" && f.r.Header == "" && r != nil {
			title, name := f.r.Title, f.r.Name
			f.r = view.RecipeOf(r)
			f.r.Title, f.r.Name = title, name
			f.show()
		}
		f.try()
	})
}

func (f *recipeForm) keep() {
	f.w.pressed(f.save, func(ctx context.Context) error { return f.w.desk.SaveRecipe(ctx, f.old, f.r) }, func() {
		f.w.say(text.T("recipe.saved", f.r.Title))
		f.w.show("providers")
	})
}
