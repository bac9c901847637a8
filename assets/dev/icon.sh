#!/bin/sh
# Draws assets/icon.png from assets/icon.svg. Needs rsvg-convert (Debian: librsvg2-bin).
set -eu
cd "$(dirname "$0")/.."
rsvg-convert --width 512 --height 512 icon.svg --output icon.png
