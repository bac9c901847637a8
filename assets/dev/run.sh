#!/bin/sh
# Builds AnyHook Desktop and starts it. Where there is no screen, or the system
# has no OpenGL to build with, it starts the same program without a window.
set -eu
cd "$(dirname "$0")/../.."

headless() {
	echo "$1: starting AnyHook without a window. Stop it with Ctrl+C."
	make --no-print-directory headless
	exec bin/anyhook serve
}

if [ "$(uname -s)" != Darwin ] && [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ]; then
	headless "No screen (DISPLAY and WAYLAND_DISPLAY are not set)"
fi
assets/dev/deps.sh build || headless "The window cannot be built without these"
make --no-print-directory desktop
exec bin/anyhook-desktop
