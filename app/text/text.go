// Package text has every sentence that a user reads, in the user's language.
//
// A text has a key of dotted words ("inbox.empty.title"). The catalogues are
// assets/lang/*.json, one a language: a key and its text, or a key and its
// plural forms by the names of CLDR ("one", "other"). Texts are formats of
// package fmt whose arguments are strings and are numbered where a language
// turns them around ("%[2]s"). What a catalogue lacks is taken from English; a
// test keeps them equal.
//
// To add a language, add its catalogue and its name to names.
package text

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync/atomic"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"anyhook.net/desktop/assets"
)

// names are the languages, in the order offered, each in its own words. The first is the fallback.
var names = []Language{{"en", "English"}, {"zh-TW", "繁體中文"}}

// A Language is one that the program speaks.
type Language struct {
	Tag  string // BCP 47: "zh-TW"
	Name string // in itself: "繁體中文"
}

// A catalog is the texts of one language.
type catalog struct {
	tag     language.Tag
	words   map[string]forms
	printer *message.Printer
}

// forms are the plural forms of a text by their CLDR names; one without plurals has "other" only.
type forms map[string]string

// UnmarshalJSON takes a string, too.
func (f *forms) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*f = forms{"other": s}
		return nil
	}
	var m map[string]string
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	*f = m
	return nil
}

var (
	catalogs = mustLoad(assets.Lang)
	current  atomic.Pointer[catalog] // nil means the fallback
)

// mustLoad reads the embedded catalogues; a test reads them too, so it cannot fail in the field.
func mustLoad(files fs.FS) map[string]*catalog {
	all := map[string]*catalog{}
	for _, l := range names {
		data, err := fs.ReadFile(files, path.Join("lang", l.Tag+".json"))
		if err != nil {
			panic(err)
		}
		c := &catalog{tag: language.MustParse(l.Tag)}
		if err := json.Unmarshal(data, &c.words); err != nil {
			panic(fmt.Errorf("read catalogue %s: %w", l.Tag, err))
		}
		c.printer = message.NewPrinter(c.tag)
		all[l.Tag] = c
	}
	return all
}

// Langs returns the languages in the order in which they are offered.
func Langs() []Language { return names }

// Lang returns the tag of the language in use.
func Lang() string {
	if c := current.Load(); c != nil {
		return c.tag.String()
	}
	return names[0].Tag
}

// Use switches to the language whose tag fits best, and returns that tag. Tags
// may have the shape of LANG ("zh_TW.UTF-8"); with none that fits it is English.
func Use(wanted ...string) string {
	tags := make([]language.Tag, len(names))
	for i, l := range names {
		tags[i] = language.MustParse(l.Tag)
	}
	var prefs []language.Tag
	for _, w := range wanted {
		w, _, _ = strings.Cut(w, ".")
		w, _, _ = strings.Cut(w, "@")
		if t, err := language.Parse(w); err == nil {
			prefs = append(prefs, t)
		}
	}
	_, i, confidence := language.NewMatcher(tags).Match(prefs...)
	if confidence == language.No {
		i = 0
	}
	current.Store(catalogs[names[i].Tag])
	return names[i].Tag
}

// T returns the text of key with args filled in; the key itself if nobody has it.
func T(key string, args ...any) string {
	s, ok := find(key, "other")
	if !ok {
		return key
	}
	if len(args) == 0 {
		return s
	}
	return fmt.Sprintf(s, args...)
}

// Or is T with a text for keys that nobody has, for words that come from elsewhere.
func Or(key, fallback string, args ...any) string {
	if _, ok := find(key, "other"); !ok {
		return fallback
	}
	return T(key, args...)
}

// N returns the text of key in the plural form that n asks for. The first
// argument of the text is n, written as [Number] does.
func N(key string, n int64, args ...any) string {
	s, ok := find(key, pluralForm(plural.Cardinal, n))
	if !ok {
		return key
	}
	return fmt.Sprintf(s, append([]any{Number(n)}, args...)...)
}

// Nth is N for a place in a row: 1st, 2nd.
func Nth(key string, n int64) string {
	s, ok := find(key, pluralForm(plural.Ordinal, n))
	if !ok {
		return key
	}
	return fmt.Sprintf(s, Number(n))
}

// pluralForm returns the name of the form that n takes.
func pluralForm(rules *plural.Rules, n int64) string {
	names := map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}
	name, ok := names[rules.MatchPlural(catalogs[Lang()].tag, int(max(n, -n)%1_000_000_000), 0, 0, 0, 0)]
	if !ok {
		return "other"
	}
	return name
}

// find looks in the language in use, then in the fallback.
func find(key, form string) (string, bool) {
	for _, lang := range []string{Lang(), names[0].Tag} {
		f, ok := catalogs[lang].words[key]
		if !ok {
			continue
		}
		if s, ok := f[form]; ok {
			return s, true
		}
		if s, ok := f["other"]; ok {
			return s, true
		}
	}
	return "", false
}

// Number writes n with the separators of the language: "1,204".
func Number(n int64) string { return catalogs[Lang()].printer.Sprintf("%d", n) }

// Size writes a number of bytes as people read it: "512 bytes", "18.4 MB".
func Size(n int64) string {
	if n < 1000 {
		return N("size.bytes", n)
	}
	f, units := float64(n)/1000, []string{"KB", "MB", "GB", "TB"}
	for len(units) > 1 && f >= 999.5 {
		f, units = f/1000, units[1:]
	}
	if f < 9.95 {
		return fmt.Sprintf("%.1f %s", f, units[0])
	}
	return fmt.Sprintf("%.0f %s", f, units[0])
}
