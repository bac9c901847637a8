package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/app/session"
	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/assets"
)

func TestTheProgramSaysOfItselfWhatFyneAppSays(t *testing.T) {
	toml, err := os.ReadFile("../FyneApp.toml")
	require.NoError(t, err)
	for key, want := range map[string]string{
		"ID": strconv.Quote(appID), "Name": strconv.Quote(appName), "Version": strconv.Quote(assets.Version), "Website": strconv.Quote(assets.Website), "Build": strconv.Itoa(appBuild), "Icon": `"assets/icon.png"`,
	} {
		found := regexp.MustCompile(`(?m)^\s*` + key + `\s*=\s*(\S.*)$`).FindSubmatch(toml)
		require.NotNil(t, found, key)
		require.Equal(t, want, string(found[1]), key)
	}
}

func TestTheSizeOfTheWindowIsRememberedWithinReason(t *testing.T) {
	require.Equal(t, fyne.NewSize(900, 600), sizeOf("900x600"))
	for _, bad := range []string{"", "900", "10x10", "NaNxNaN", "1e9x900", "x"} {
		require.Equal(t, fyne.NewSize(1280, 800), sizeOf(bad), bad)
	}
}

// What Fyne runs behind its loop now and then meets the end of the program, which panics then.
func TestNothingIsLeftToDoWhenTheLoopHasEnded(t *testing.T) {
	a := test.NewTempApp(t)
	l, ok := a.Lifecycle().(interface {
		OnStopped() func()
		SetOnStoppedHookExecuted(hook func())
	})
	require.True(t, ok)
	l.SetOnStoppedHookExecuted(func() {}) // as Fyne does for an app
	require.NotNil(t, l.OnStopped())
	endWithLoop(a)
	require.Nil(t, l.OnStopped())
}

func TestWithoutAScreenItSaysOneSentence(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("LANG", "en_US.UTF-8")
	t.Setenv("LC_ALL", "")
	var said sentence
	require.Equal(t, 1, run([]string{"-data", t.TempDir()}, &said))
	require.Regexp(t, `^AnyHook Desktop needs a screen, .*anyhook serve.*\n$`, string(said))
	said = nil
	require.Equal(t, 64, run([]string{"-nonsense"}, &said))
}

func TestADisplayIsWhereItsNameSays(t *testing.T) {
	for display, want := range map[string][]socket{
		":1":              {{"unix", "/tmp/.X11-unix/X1"}, {"unix", "@/tmp/.X11-unix/X1"}, {"tcp", "127.0.0.1:6001"}},
		":99.0":           {{"unix", "/tmp/.X11-unix/X99"}, {"unix", "@/tmp/.X11-unix/X99"}, {"tcp", "127.0.0.1:6099"}},
		"localhost:10.0":  {{"tcp", "localhost:6010"}},
		"[::1]:2":         {{"tcp", "[::1]:6002"}},
		"/tmp/launch/x:0": {{"unix", "/tmp/launch/x:0"}},
		"":                nil,
		"nonsense":        nil,
		":99999":          nil,
	} {
		require.Equal(t, want, x11(display), display)
	}
}

// Without a session bus the program does not even try to tell the desktop.
func TestASessionBusIsThereWhenItAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	for address, there := range map[string]bool{
		"unix:path=" + path: true, "unix:guid=0,path=" + path: true, "unix:path=/nonexistent;unix:path=" + path: true,
		"unix:path=/nonexistent": false, "unix:abstract=/nobody": false, "autolaunch:": false, "nonsense": false,
	} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		require.Equal(t, there, bus(t.Context()), address)
	}
	require.NoError(t, l.Close())
}

func TestFyneIsToldWhatIsNotThere(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "home", "cache")
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	t.Setenv("FYNE_PLATFORM", "")
	t.Setenv("FYNE_THEME", "")
	spareComplaints(t.Context())
	require.DirExists(t, cache)
	require.Equal(t, "x11", os.Getenv("FYNE_PLATFORM"))
	require.Equal(t, "default", os.Getenv("FYNE_THEME"))
	t.Setenv("FYNE_PLATFORM", "wayland")
	t.Setenv("FYNE_THEME", "light")
	spareComplaints(t.Context())
	require.Equal(t, "wayland", os.Getenv("FYNE_PLATFORM"), "what the user chose stays")
	require.Equal(t, "light", os.Getenv("FYNE_THEME"))
}

// The second start said in English why, and not what to do, in every language.
func TestWhyItCannotStartIsSaidInTheSystemsLanguage(t *testing.T) {
	dir := t.TempDir()
	s, err := session.Start(t.Context(), session.Config{Dir: dir, NoKeychain: true})
	require.NoError(t, err)
	t.Cleanup(func() { text.Use("en"); require.NoError(t, s.Close()) })
	_, locked := session.Start(t.Context(), session.Config{Dir: dir, NoKeychain: true})
	for lang, want := range map[string]string{"en_US.UTF-8": "AnyHook is running already", "zh_TW.UTF-8": "AnyHook 已在使用資料夾"} {
		t.Setenv("LC_ALL", lang)
		text.Use(speak())
		for _, err := range []error{locked, fmt.Errorf("open: %w", session.ErrNewer), fmt.Errorf("open: %w", session.ErrDamaged)} {
			require.Contains(t, problemOf(err, dir), dir)
			require.Contains(t, problemOf(err, dir), "anyhook-desktop -data ")
		}
		require.Contains(t, problemOf(locked, dir), want)
	}
	require.Contains(t, problemOf(errors.New("no idea"), dir), "no idea")
}

// A sentence is what was written.
type sentence []byte

// Write implements io.Writer.
func (s *sentence) Write(b []byte) (int, error) {
	*s = append(*s, b...)
	return len(b), nil
}
