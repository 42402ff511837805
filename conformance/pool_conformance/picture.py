"""Draws the picture of the report: a square for each trap and system, as SVG."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from html import escape

from .compare import FAULTS

SIDE = 22
LEFT = 190
TOP = 150
# What a square shows -> its color
COLORS = {"all right": "#4a9d5b", "some wrong": "#e6b04a", "all wrong": "#c8443c",
          "crash or hang": "#5b2a86", "refused": "#9fb4c7", "not offered": "#eeeeee"}


def kind(counts: dict[str, int]) -> str:
    """Returns the key of COLORS for the numbers of results of one trap."""
    faults, passed = sum(counts.get(s, 0) for s in FAULTS), counts.get("pass", 0)
    if counts.get("crash") or counts.get("hang"):
        return "crash or hang"
    if faults:
        return "some wrong" if passed else "all wrong"
    if passed:
        return "all right"
    return "refused" if counts.get("refused") else "not offered"


def draw(titles: list[str], tables: list[dict[str, dict[str, int]]]) -> str:
    """Returns the picture. `tables` has the number of vectors of each result, by trap, of each
    system."""
    traps = sorted({trap for table in tables for trap in table})
    width = LEFT + SIDE * len(titles) + 170
    height = TOP + SIDE * max(len(traps), len(COLORS)) + 10
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="12">',
             "<title>Conformance by trap and system</title>"]
    for column, text in enumerate(titles):
        x = LEFT + SIDE * column + SIDE // 2 + 4
        lines.append(f'<text transform="translate({x},{TOP - 6}) rotate(-60)">'
                     f"{escape(text)}</text>")
    for row, trap in enumerate(traps):
        y = TOP + SIDE * row
        lines.append(f'<text x="{LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(trap)}'
                     "</text>")
        squares = []
        for column, table in enumerate(tables):
            what = kind(table.get(trap, {}))
            squares.append(f'<rect x="{LEFT + SIDE * column}" y="{y}" width="{SIDE - 2}" '
                           f'height="{SIDE - 2}" fill="{COLORS[what]}"><title>'
                           f"{escape(titles[column])}, {escape(trap)}: {what}</title></rect>")
        lines.append("".join(squares))
    for row, (what, color) in enumerate(COLORS.items()):
        x, y = LEFT + SIDE * len(titles) + 20, TOP + SIDE * row
        lines.append(f'<rect x="{x}" y="{y}" width="{SIDE - 2}" height="{SIDE - 2}" '
                     f'fill="{color}"/><text x="{x + SIDE + 4}" y="{y + 15}">{what}</text>')
    return "\n".join(lines) + "\n</svg>\n"
