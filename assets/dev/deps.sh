#!/bin/sh
# Installs what this system lacks of what AnyHook is built and tested with, and
# does nothing where all is there.
#
#   assets/dev/deps.sh go|build|test|package...
#
#   go       the Go toolchain, for the program without a window
#   build    a C compiler and the headers that Fyne needs
#   test     what the tests run: curl, git, and a screen without a screen
#   package  what packages are made with
#
# It asks before it becomes root; not with CI=true, and not if it is root. Without
# sudo it says what to run as root.
set -eu

[ $# -gt 0 ] || set -- go build test package
case $(uname -s) in
Darwin) system=macos ;;
*) for pm in apt-get dnf pacman none; do command -v $pm >/dev/null && break; done
   system=$pm ;;
esac

# lacks NAME APT DNF PACMAN BREW notes what to install, as each of these names it; "-" for nothing.
apt='' dnf='' pacman='' brew='' missing=''
lacks() {
	case "$missing, " in *", $1, "*) return 0 ;; esac
	missing="$missing, $1"
	apt="$apt $2" dnf="$dnf $3" pacman="$pacman $4" brew="$brew $5"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Any Go from 1.21 on fetches the one that go.mod asks for.
need_go() {
	PATH=$PATH:/usr/local/go/bin
	has go && go version | grep -Eq 'go1\.(2[1-9]|[3-9][0-9])' && return
	if [ "$system" = apt-get ] && ! apt-cache policy golang-go 2>/dev/null | grep -Eq 'Candidate: 2:1\.(2[1-9]|[3-9][0-9])'; then
		echo "Please install Go 1.26 or later from https://go.dev/dl/ : this system has none that is new enough." >&2
		exit 1
	fi
	lacks go golang-go golang go go
}

need_build() {
	need_go
	compiles || lacks 'a C compiler' 'gcc libc6-dev' 'gcc glibc-devel' gcc xcode
	[ "$system" != macos ] || return 0
	has pkg-config || lacks pkg-config pkg-config pkgconf-pkg-config pkgconf -
	header gl libgl-dev mesa-libGL-devel 'libglvnd mesa'
	header egl libegl-dev mesa-libEGL-devel libglvnd
	header xcursor libxcursor-dev libXcursor-devel libxcursor
	header xrandr libxrandr-dev libXrandr-devel libxrandr
	header xinerama libxinerama-dev libXinerama-devel libxinerama
	header xi libxi-dev libXi-devel libxi
	header xxf86vm libxxf86vm-dev libXxf86vm-devel libxxf86vm
	header wayland-client libwayland-dev wayland-devel wayland
	header xkbcommon libxkbcommon-dev libxkbcommon-devel libxkbcommon
}

compiles() { echo '#include <stdio.h>' | cc -E -x c - >/dev/null 2>&1; }

header() {
	pkg-config --exists "$1" 2>/dev/null || lacks "$1" "$2" "$3" "$4" -
}

need_test() {
	need_build
	has curl || lacks curl curl curl curl curl
	has git || lacks git git git git git
	[ "$system" != macos ] || return 0
	has xvfb-run || lacks xvfb-run xvfb xorg-x11-server-Xvfb xorg-server-xvfb -
	has xauth || lacks xauth xauth xorg-x11-xauth xorg-xauth -
	has xdotool || lacks xdotool xdotool xdotool xdotool -
	has import || has magick || lacks imagemagick imagemagick ImageMagick imagemagick -
	has xclip || lacks xclip xclip xclip xclip -
}

need_package() {
	need_build
	has xz || lacks xz xz-utils xz xz xz
}

for what in "$@"; do
	case $what in
	go | build | test | package) need_"$what" ;;
	*) echo "$0: $what is none of go, build, test, package" >&2; exit 64 ;;
	esac
done
[ -n "$missing" ] || exit 0
missing=${missing#, }

case $system in
apt-get) install="apt-get install -y --no-install-recommends$apt" ;;
dnf) install="dnf install -y$dnf" ;;
pacman) install="pacman -S --needed --noconfirm$pacman" ;;
macos) install="brew install$brew" ;;
*)
	echo "Please install: $missing" >&2
	echo "(on Debian:$apt)" >&2
	exit 1
	;;
esac
install=$(echo "$install" | sed 's/ -\( \|$\)/ /g; s/ -\( \|$\)/ /g')

if [ "$system" = macos ]; then
	case $brew in
	*xcode*) echo "Please run: xcode-select --install" >&2; exit 1 ;;
	esac
	echo "AnyHook needs: $missing"
	echo "Please run: $install" >&2
	exit 1
fi

root=''
if [ "$(id -u)" != 0 ]; then
	has sudo || { echo "AnyHook needs: $missing. Please run as root: $install" >&2; exit 1; }
	root=sudo
	if [ "${CI:-}" = true ]; then
		root='sudo -n'
	elif [ -t 0 ]; then
		printf 'AnyHook needs: %s\nMay I run: sudo %s ? [y/N] ' "$missing" "$install"
		read -r answer
		case $answer in
		y* | Y*) ;;
		*) echo "Nothing was installed." >&2; exit 1 ;;
		esac
	else
		echo "AnyHook needs: $missing. Please run: sudo $install" >&2
		exit 1
	fi
fi
echo "Installing: $missing"
export DEBIAN_FRONTEND=noninteractive
[ "$system" != apt-get ] || $root apt-get update -qq
# shellcheck disable=SC2086 # it is several words
$root $install
