package ui

import (
	"encoding/json"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/app/ui/look"
	"anyhook.net/desktop/app/view"
)

const (
	langPref  = "language"
	themePref = "theme"
	scalePref = "text.scale"
	timesPref = "times"
	rowsPref  = "density"
)

// themeNames are the modes of the theme, in the order of look's.
var themeNames = []string{"system", "light", "dark"}

// scales are the sizes of text that are offered.
var scales = []float32{0.9, 1, 1.15, 1.3, 1.5}

// newSettings makes the screen of the settings.
func newSettings(w *Window) fyne.CanvasObject {
	form := container.NewVBox(
		look.NewSection(text.T("settings.look")),
		field(text.T("settings.language"), w.languages(), nil),
		field(text.T("settings.theme"), w.themes(), nil),
		field(text.T("settings.scale"), w.scales(), nil),
		field(text.T("settings.density"), w.densities(), nil),
		field(text.T("settings.times"), w.timeModes(), nil),
		look.NewSection(text.T("settings.places")),
		w.fields(view.SettingsFacts(w.desk.Status())),
		look.NewSection(text.T("settings.about")),
		look.NewText(text.T("settings.version", w.o.Version), look.Plain),
		look.NewText(text.T("settings.private"), look.Muted))
	return container.NewPadded(container.NewBorder(heading(text.T("cmd.settings")), nil, nil, nil, scroll(container.New(columnLayout{720}, form))))
}

// columnLayout keeps lines short enough to read.
type columnLayout struct{ most float32 }

func (l columnLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }
func (l columnLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	o[0].Resize(fyne.NewSize(min(l.most, s.Width), s.Height))
}

// choose is a select box over names.
func choose(names []string, at int, done func(int)) fyne.CanvasObject {
	s := look.NewSelect(names, nil)
	s.SetSelectedIndex(max(0, at))
	s.OnChanged = func(string) { done(s.SelectedIndex()) }
	return s
}

func (w *Window) languages() fyne.CanvasObject {
	var names []string
	at := 0
	for i, l := range text.Langs() {
		names = append(names, l.Name)
		if l.Tag == text.Lang() {
			at = i
		}
	}
	return choose(names, at, func(i int) { w.setLanguage(text.Langs()[i].Tag) })
}

func (w *Window) themes() fyne.CanvasObject {
	names := make([]string, len(themeNames))
	for i, n := range themeNames {
		names[i] = text.T("settings.theme." + n)
	}
	return choose(names, slices.Index(themeNames, w.themeName()), func(i int) { w.setTheme(themeNames[i]) })
}

func (w *Window) scales() fyne.CanvasObject {
	names := make([]string, len(scales))
	for i, s := range scales {
		names[i] = strconv.Itoa(int(s*100+0.5)) + " %"
	}
	at := slices.Index(scales, w.scale())
	return choose(names, at, func(i int) {
		w.setPref(scalePref, strconv.FormatFloat(float64(scales[i]), 'f', 2, 32))
		w.useTheme()
		w.rebuild()
	})
}

// densities offers how close rows of lists are.
func (w *Window) densities() fyne.CanvasObject {
	at := 0
	if w.pref(rowsPref) == compact {
		at = 1
	}
	return choose([]string{text.T("settings.density.comfortable"), text.T("settings.density.compact")}, at, func(i int) { w.setCompact(i == 1) })
}

// compact is the word for rows close together; any other is comfortable.
const compact = "compact"

func (w *Window) setCompact(on bool) {
	word := "comfortable"
	if on {
		word = compact
	}
	w.setPref(rowsPref, word)
	w.useTheme()
	w.rebuild()
}

func (w *Window) nextDensity() { w.setCompact(w.pref(rowsPref) != compact) }

func (w *Window) timeModes() fyne.CanvasObject {
	var names []string
	for _, m := range []view.TimeMode{view.Local, view.UTC, view.Relative} {
		names = append(names, m.Name())
	}
	return choose(names, int(w.clock.Mode), func(i int) { w.setTimes(view.TimeMode(i)) })
}

// useLanguage speaks the language that the user chose, or the system's.
func (w *Window) useLanguage() {
	text.Use(w.pref(langPref), w.o.Lang)
	if m, err := strconv.Atoi(w.pref(timesPref)); err == nil && m >= 0 && m <= 2 {
		w.clock.Mode = view.TimeMode(m)
	}
	w.translateFyne()
}

// translateFyne gives the toolkit its own few words in our language: it looks
// for them under the system's language, so that is what ours is called here.
func (w *Window) translateFyne() {
	words := map[string]any{}
	for word, key := range map[string]string{
		"Advanced": text.T("fyne.advanced"), "Cancel": text.T("cancel"), "Confirm": text.T("fyne.confirm"), "Copy": text.T("fyne.copy"), "Create Folder": text.T("fyne.create-folder"),
		"Cut": text.T("fyne.cut"), "Enter filename": text.T("fyne.enter-filename"), "Error": text.T("fyne.error"), "Favourites": text.T("fyne.favourites"), "File": text.T("menu.file"),
		"Folder": text.T("fyne.folder"), "New Folder": text.T("fyne.new-folder"), "No": text.T("fyne.no"), "OK": text.T("fyne.ok"), "Open": text.T("fyne.open"), "Paste": text.T("fyne.paste"),
		"Quit": text.T("cmd.quit"), "Redo": text.T("fyne.redo"), "Save": text.T("fyne.save"), "Select all": text.T("fyne.select-all"), "Show Hidden Files": text.T("fyne.hidden"),
		"Undo": text.T("fyne.undo"), "Yes": text.T("fyne.yes"), "file.name": text.T("fyne.file.name"), "file.parent": text.T("fyne.file.parent"),
	} {
		words[word] = map[string]string{"other": key}
	}
	_ = lang.AddTranslationsForLocale(marshal(words), lang.SystemLocale()) // without them it speaks English
}

func (w *Window) setLanguage(tag string) {
	w.setPref(langPref, tag)
	w.useLanguage()
	w.inbox.model.Reword()
	w.rebuild()
}

// rebuild makes all that has words in it again.
func (w *Window) rebuild() {
	w.build()
}

func (w *Window) nextLanguage() {
	all := text.Langs()
	i := slices.IndexFunc(all, func(l text.Language) bool { return l.Tag == text.Lang() })
	w.setLanguage(all[(i+1)%len(all)].Tag)
}

func (w *Window) themeName() string {
	if n := w.pref(themePref); slices.Contains(themeNames, n) {
		return n
	}
	return themeNames[0]
}

func (w *Window) scale() float32 {
	f, err := strconv.ParseFloat(w.pref(scalePref), 32)
	if err != nil || !slices.Contains(scales, float32(f)) {
		return 1
	}
	return float32(f)
}

// useTheme draws in the theme that the user chose.
func (w *Window) useTheme() {
	if w.o.Theme == nil {
		return
	}
	w.o.Theme.Mode = look.Mode(slices.Index(themeNames, w.themeName()))
	w.o.Theme.Scale = w.scale()
	w.o.Theme.Compact = w.pref(rowsPref) == compact
	fyne.CurrentApp().Settings().SetTheme(w.o.Theme)
}

func (w *Window) setTheme(name string) {
	w.setPref(themePref, name)
	w.useTheme()
	w.rebuild()
}

func (w *Window) nextTheme() {
	w.setTheme(themeNames[(slices.Index(themeNames, w.themeName())+1)%len(themeNames)])
}

func (w *Window) setTimes(m view.TimeMode) {
	w.clock.Mode = m
	w.setPref(timesPref, strconv.Itoa(int(m)))
	w.inbox.model.SetTimeMode(m)
	w.drawStatus()
	if w.inbox.detail.seq != 0 {
		w.inbox.detail.load()
	}
}

func (w *Window) nextTimes() { w.setTimes(w.clock.Mode.Next()) }

// marshal is JSON of words, which cannot fail.
func marshal(words map[string]any) []byte {
	data, err := json.Marshal(words)
	if err != nil {
		return []byte("{}")
	}
	return data
}
