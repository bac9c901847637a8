package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

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

// A sentence is what was written.
type sentence []byte

// Write implements io.Writer.
func (s *sentence) Write(b []byte) (int, error) {
	*s = append(*s, b...)
	return len(b), nil
}
