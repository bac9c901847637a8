# make run          start AnyHook Desktop (or "anyhook serve", where there is no screen)
# make test         vet, all tests with the race detector, and the tests of the real window
# make lint         golangci-lint, go fix and go mod tidy, none of which may have anything to say
# make bench        the benchmarks
# make build        bin/anyhook-desktop and bin/anyhook
# make package      what users install, in dist/
# make screenshots  every screen into bin/screenshots, and the real window into assets/screenshots
# make clean        removes bin/ and dist/
#
# Each works in a fresh clone. What the system lacks is installed by
# assets/dev/deps.sh, which asks first.

MODULE    := anyhook.net/desktop
VERSION   := $(shell sed -n 's/^ *Version *= *"\(.*\)"/\1/p' FyneApp.toml)
LINT      := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
BENCHTIME := 300ms

# One set of flags for everything that is built to be used: another set builds
# Fyne's C code anew, which takes minutes. The tag promises that all drawing
# happens on Fyne's goroutine; tests are built without it, so that Fyne reports
# where the promise is broken.
BUILDFLAGS := -tags migrated_fynedo -ldflags "-s -w"

# SQLite is C put into Go: to check each of its pointers, which the race detector
# does beside its own work, finds nothing and takes three times as long.
RACE := -race -gcflags=modernc.org/sqlite/lib=-d=checkptr=0

# The window's tests run on a screen of their own, without a session bus, which
# would leave a daemon behind for each run.
SCREEN := DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent LANG=en_US.UTF-8
XVFB   := $(SCREEN) xvfb-run -a -s "-screen 0 1400x900x24 -noreset"

.PHONY: run build desktop headless test test-unit test-window bench lint package screenshots clean

run:
	@assets/dev/run.sh

build: desktop headless

desktop:
	@assets/dev/deps.sh build
	go build $(BUILDFLAGS) -o bin/anyhook-desktop ./app

headless:
	@assets/dev/deps.sh go
	CGO_ENABLED=0 go build $(BUILDFLAGS) -o bin/anyhook ./app/cli

test: test-unit test-window

test-unit:
	@assets/dev/deps.sh build test
	go vet ./...
	go test $(RACE) $$(go list ./... | grep -vx '$(MODULE)/app')

test-window:
	@assets/dev/deps.sh build test
ifeq ($(shell uname -s),Linux)
	go vet -tags e2e ./app/...
	$(XVFB) timeout -s KILL 900 go test -tags e2e ./app/...
else
	@echo "The tests of the real window need Linux (Xvfb and xdotool): not run."
	go test ./app
endif

bench:
	@assets/dev/deps.sh build test
	CGO_ENABLED=0 go test -p 1 -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) $$(go list ./... | grep -vx '$(MODULE)/app')
ifeq ($(shell uname -s),Linux)
	$(XVFB) go test -tags e2e -run '^$$' -bench . -benchtime $(BENCHTIME) ./app
endif

lint:
	@assets/dev/deps.sh build
	go run $(LINT) config verify
	go run $(LINT) run ./...
	go fix -diff ./...
	go mod tidy -diff
	go mod verify

package: build
	@assets/dev/deps.sh package
	BUILDFLAGS='$(BUILDFLAGS)' assets/dev/package.sh $(VERSION)

screenshots: build
	@assets/dev/deps.sh test
	CGO_ENABLED=0 LANG=en_US.UTF-8 go run ./app/ui/storybook -out bin/screenshots
	$(XVFB) assets/dev/screenshots.sh

clean:
	rm -rf bin dist
