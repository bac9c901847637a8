#!/bin/sh
# Makes in dist/ what users install, from what "make build" left in bin/:
#
#   Linux   anyhook-desktop-VERSION-linux-ARCH.tar.xz, and a .deb where dpkg-deb is there
#   macOS   anyhook-desktop-VERSION-darwin-ARCH.tar.xz with AnyHook Desktop.app
#   all     anyhook-VERSION-OS-ARCH, the program without a window, for each system
#   all     SHA256SUMS
#
# The same commit gives the same archives: their times are the commit's.
set -eu
cd "$(dirname "$0")/../.."
version=$1
id=net.anyhook.desktop
arch=$(go env GOARCH)
tree=$(mktemp -d)
chmod 755 "$tree"
trap 'rm -rf "$tree"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
rm -rf dist
mkdir dist

# lay_out fills $tree/usr as a Linux system wants it.
lay_out() {
	install -D -m 755 bin/anyhook-desktop "$tree/usr/bin/anyhook-desktop"
	install -D -m 755 bin/anyhook "$tree/usr/bin/anyhook"
	share=$tree/usr/share
	install -D -m 644 assets/$id.desktop "$share/applications/$id.desktop"
	install -D -m 644 assets/$id.metainfo.xml "$share/metainfo/$id.metainfo.xml"
	install -D -m 644 assets/icon.png "$share/icons/hicolor/512x512/apps/$id.png"
	install -D -m 644 assets/icon.svg "$share/icons/hicolor/scalable/apps/$id.svg"
	for doc in LICENSE README.md assets/CHANGELOG.md assets/fonts/OFL.txt; do
		install -D -m 644 $doc "$share/doc/anyhook-desktop/$(basename $doc)"
	done
}

linux_archive() {
	name=anyhook-desktop-$version-linux-$arch
	tar --create --xz --file "dist/$name.tar.xz" --directory "$tree" --transform "s,^usr,$name," \
		--sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" usr
}

linux_deb() {
	size=$(du -sk "$tree/usr" | cut -f1)
	mkdir "$tree/DEBIAN"
	cat >"$tree/DEBIAN/control" <<-END
		Package: anyhook-desktop
		Version: $version
		Architecture: $arch
		Maintainer: The AnyHook authors <https://anyhook.net>
		Installed-Size: $size
		Depends: libc6, libgl1, libx11-6, libwayland-client0
		Recommends: libxcursor1, libxrandr2, libxinerama1, libxi6, libxxf86vm1, libwayland-cursor0, libwayland-egl1, libxkbcommon0
		Section: devel
		Priority: optional
		Homepage: https://anyhook.net
		Description: local-first debugging proxy for webhooks
		 AnyHook Desktop opens a public URL, stores every webhook on this machine
		 before it is acknowledged, checks its signature and forwards it to your
		 handler. Replay, repeat or reorder deliveries, and export them as fixtures.
	END
	dpkg-deb --root-owner-group --build "$tree" "dist/anyhook-desktop_${version}_$arch.deb" >/dev/null
}

# mac_app has Fyne's tool make the bundle in a copy, since it writes to FyneApp.toml.
mac_app() {
	root=$PWD
	mkdir -p "$tree/src/assets"
	cp FyneApp.toml go.mod "$tree/src/"
	cp assets/icon.png "$tree/src/assets/"
	echo 'package main' >"$tree/src/main.go"
	(cd "$tree/src" && go run fyne.io/tools/cmd/fyne@v1.7.4 package --target darwin --executable "$root/bin/anyhook-desktop")
	tar -cJf "dist/anyhook-desktop-$version-darwin-$arch.tar.xz" -C "$tree/src" "AnyHook Desktop.app"
}

headless() {
	for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
		os=${target%/*} cpu=${target#*/} end=''
		[ "$os" != windows ] || end=.exe
		echo "dist/anyhook-$version-$os-$cpu$end"
		# shellcheck disable=SC2086 # flags are words, and have their own quotes
		eval CGO_ENABLED=0 GOOS="$os" GOARCH="$cpu" go build $BUILDFLAGS -o "dist/anyhook-$version-$os-$cpu$end" ./app/cli
	done
}

if [ "$(uname -s)" = Darwin ]; then
	mac_app
else
	lay_out
	linux_archive
	if command -v dpkg-deb >/dev/null; then
		linux_deb
	fi
fi
headless
cd dist
if command -v sha256sum >/dev/null; then
	sha256sum -- * >SHA256SUMS
else
	shasum -a 256 -- * >SHA256SUMS
fi
ls -l
