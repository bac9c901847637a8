#!/usr/bin/python3
"""Builds assets/fonts/AnyHookCJK.otf, the font for all that Fyne's own lacks.

It is Noto Sans CJK TC (SIL Open Font Licence 1.1, Debian's fonts-noto-cjk),
cut down to Big5, GB 2312, JIS X 0208, kana and punctuation. What Noto Sans has
stays out, so that Latin text never turns full width; the space is in, or every
space after a CJK run would be a box; height and depth are those of Noto Sans,
or CJK would be cut off in a monospaced line. Symbols that a monospaced font
has in one cell are condensed to one cell, and the few that Noto Sans CJK lacks
are drawn here.

Usage: assets/dev/font.py $(go list -m -f '{{.Dir}}' fyne.io/fyne/v2)/theme/font
Needs Debian's python3-fonttools and fonts-noto-cjk.
"""
import math
import os
import sys

from fontTools.misc.transform import Identity
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

SOURCE = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
OUT = os.path.join(os.path.dirname(__file__), "..", "fonts", "AnyHookCJK.otf")
CELL = 602  # advance of the monospaced font, in thousandths of an em
EXTRA = "✓→←↑↓↔⇄⏎⌘⇧⚠●○◆◇■□▲▼★⋯"


def codes(codec, rows, cells):
    """The characters of a two-byte character set."""
    for a in rows:
        for b in cells:
            try:
                c = bytes([a, b]).decode(codec)
            except UnicodeDecodeError:
                continue
            if len(c) == 1:
                yield ord(c)


def ring(cx, cy, r, width, start, end):
    """An open ring from start to end degrees, as one polygon."""
    n = 40
    at = [math.radians(start + (end - start) * i / n) for i in range(n + 1)]
    outer = [(cx + (r + width / 2) * math.cos(a), cy + (r + width / 2) * math.sin(a)) for a in at]
    inner = [(cx + (r - width / 2) * math.cos(a), cy + (r - width / 2) * math.sin(a)) for a in reversed(at)]
    return outer + inner


def bar(x0, y0, x1, y1, w0, w1):
    """A stroke from one point to another, w0 wide here and w1 there."""
    d = math.hypot(x1 - x0, y1 - y0)
    nx, ny = -(y1 - y0) / d, (x1 - x0) / d
    return [(x0 + nx * w0 / 2, y0 + ny * w0 / 2), (x1 + nx * w1 / 2, y1 + ny * w1 / 2),
            (x1 - nx * w1 / 2, y1 - ny * w1 / 2), (x0 - nx * w0 / 2, y0 - ny * w0 / 2)]


# Ours: polygons in thousandths of an em, one cell wide.
DRAWN = {
    "✗": [bar(100, 110, 502, 610, 60, 96), bar(110, 600, 492, 120, 96, 60)],
    "▴": [[(301, 520), (471, 240), (131, 240)]],
    "▾": [[(131, 500), (471, 500), (301, 220)]],
    "▸": [[(161, 550), (461, 370), (161, 190)]],
    "↻": [ring(301, 360, 195, 62, 60, -240), [(390, 640), (556, 590), (430, 470)]],
    "⌥": [bar(80, 620, 220, 620, 62, 62), bar(196, 640, 406, 110, 62, 62), bar(382, 130, 522, 130, 62, 62),
          bar(350, 620, 522, 620, 62, 62)],
    "⧉": [[(70, 90), (400, 90), (400, 440), (70, 440)],
          [(126, 146), (126, 384), (344, 384), (344, 146)],
          [(200, 500), (200, 640), (532, 640), (532, 290), (460, 290), (460, 346), (476, 346), (476, 584), (256, 584),
           (256, 500)]],
}


def add(font, char, polygons):
    """Adds a glyph of ours."""
    top = font["CFF "].cff.topDictIndex[0]
    name = "cid%05d" % (60000 + ord(char) % 5000)
    like = top.CharStrings[font.getBestCmap()[0x20]]
    pen = T2CharStringPen(CELL, None)
    for p in polygons:
        pen.moveTo(p[0])
        for q in p[1:]:
            pen.lineTo(q)
        pen.closePath()
    index = len(top.CharStrings.charStringsIndex)
    top.CharStrings.charStringsIndex.append(pen.getCharString(private=like.private, globalSubrs=like.globalSubrs))
    top.CharStrings.charStrings[name] = index
    top.charset.append(name)
    top.FDSelect.gidArray.append(top.FDSelect[font.getGlyphID(font.getBestCmap()[0x20])])
    font.setGlyphOrder(top.charset)
    font["hmtx"][name] = (CELL, 0)
    font["maxp"].numGlyphs = len(top.charset)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord(char)] = name


def condense(font, code):
    """Makes a full-width symbol one cell wide."""
    strings, name = font["CFF "].cff.topDictIndex[0].CharStrings, font.getBestCmap()[code]
    if font["hmtx"][name][0] <= CELL:
        return
    old = strings[name]
    x = CELL / font["hmtx"][name][0]
    box = 0x2500 <= code < 0x25A0  # lines and blocks have to meet above and below
    y = 1 if box else 0.72
    move = Identity.translate(0 if box else CELL * -0.06, 0 if box else 370 * (1 - y)).scale(x if box else x * 1.12, y)
    pen = T2CharStringPen(CELL, None)
    old.draw(TransformPen(pen, move))
    strings[name] = pen.getCharString(private=old.private, globalSubrs=old.globalSubrs)
    font["hmtx"][name] = (CELL, 0)


def main(fyne):
    latin = TTFont(os.path.join(fyne, "NotoSans-Regular.ttf"))
    mono = set(TTFont(os.path.join(fyne, "DejaVuSansMono-Powerline.ttf")).getBestCmap())
    has = set(latin.getBestCmap())
    low, high = list(range(0x40, 0x7F)), list(range(0xA1, 0xFF))
    want = {ord(c) for c in EXTRA} | set(range(0x3000, 0x3100)) | set(range(0xFF00, 0xFFF0))
    want |= set(codes("big5", range(0xA1, 0xFA), low + high))
    want |= set(codes("euc_jp", range(0xB0, 0xF5), high)) | set(codes("gb2312", range(0xB0, 0xF8), high))
    want = {c for c in want if c >= 0x2190 and c not in has} | {0x20, 0xA0}

    font = next(f for f in TTCollection(SOURCE, lazy=True) if f["name"].getDebugName(4) == "Noto Sans CJK TC")
    options = Options()
    options.layout_features, options.hinting, options.notdef_outline = [], False, True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["vhea", "vmtx", "VORG", "GPOS", "GSUB", "BASE"]
    cut = Subsetter(options)
    cut.populate(unicodes=want)
    cut.subset(font)
    for code in sorted(want):
        if 0x2190 <= code < 0x2E80 and code in mono and code in font.getBestCmap():
            condense(font, code)
    for char, polygons in DRAWN.items():
        add(font, char, polygons)
    scale = font["head"].unitsPerEm / latin["head"].unitsPerEm
    for table, names in (("hhea", ("ascent", "descent", "lineGap")),
                         ("OS/2", ("sTypoAscender", "sTypoDescender", "sTypoLineGap", "usWinAscent", "usWinDescent"))):
        for name in names:
            setattr(font[table], name, round(getattr(latin[table], name) * scale))
    font.save(OUT)
    print(len(font.getGlyphOrder()), "glyphs,", os.path.getsize(OUT), "bytes")


if __name__ == "__main__":
    main(sys.argv[1])
