#!/usr/bin/env python3
"""Checks how the folders of lib/Conversion/PoolToVector depend on one another.

- A file includes only headers of its own folder and of folders in earlier layers.
- Only one file creates operations of the scf dialect, and only one defines limits.

Prints file:line: message for each violation, and fails if there is any.

usage: check-layers.py [ROOT]
       check-layers.py --plot FILE [ROOT]     draw the folders and includes (needs matplotlib)

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import collections
import pathlib
import re
import sys

FOLDER = "lib/Conversion/PoolToVector"
# From the bottom to the top; folders of one layer do not include each other. The passes and
# the tables of strategies, which know all layers, have no folder.
LAYERS = [
    {"Emit"},
    {"Problem"},
    {"Fusion"},
    {"Reduce"},
    {"Adaptive", "Channels", "Gather", "Planes", "Scatter", "Separate",
     "Staged"},
    {"."},
]
LEVELS = {name: level for level, names in enumerate(LAYERS) for name in names}
INCLUDE = re.compile(r'#include "(\w+)/\w+\.h"')
BUILDER = "Emit/KernelBuilder.cpp"
CREATION = re.compile(r"\bscf::(\w+::create|build\w+)\(|create\w*<scf::")
LIMITS = "Problem/Limits.h"
LIMIT = re.compile(r"\bconstexpr (int64_t|double) k\w+ = [\d.]+;")


def problems(folder, path):
    name = path.relative_to(folder)
    own = name.parent.as_posix()
    if own not in LEVELS:
        yield 1, f"{own} is in no layer of scripts/check-layers.py"
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match and match[1] in LEVELS and match[1] != own \
                and LEVELS[match[1]] >= LEVELS[own]:
            yield number, f"{own} must not include {match[1]}, which is not in an earlier layer"
        if CREATION.search(line) and name.as_posix() != BUILDER:
            yield number, f"only {BUILDER} creates operations of scf"
        if LIMIT.search(line) and name.as_posix() != LIMITS:
            yield number, f"only {LIMITS} defines limits"


def plot(folder, files, output):
    """Draws a box for each folder and a line for its includes of another, which is as wide as
    they are many."""
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("Agg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel

    includes = collections.Counter()
    for path in files:
        own = path.relative_to(folder).parent.as_posix()
        used = INCLUDE.findall(path.read_text(encoding="utf-8"))
        includes.update((own, name) for name in used if name in LEVELS)
    # Layers of one folder step aside in turns, so that lines past them are seen.
    places = {name: ((i + 0.5) / len(names) + (len(names) == 1) * 0.12 * (-1) ** level, level)
              for level, names in enumerate(LAYERS) for i, name in enumerate(sorted(names))}
    figure, axes = pyplot.subplots(figsize=(10, 6))
    for (user, used), count in includes.items():
        if user != used:
            (x0, y0), (x1, y1) = places[user], places[used]
            # Lines that skip layers pass beside the boxes between.
            bend = 0 if y0 - y1 == 1 else 0.15 if x0 >= 0.5 else -0.15
            axes.annotate("", (x1, y1 + 0.17), (x0, y0 - 0.17), arrowprops={
                "arrowstyle": "-|>", "color": "tab:blue", "alpha": 0.5,
                "linewidth": 0.5 + count / 6, "connectionstyle": f"arc3,rad={bend}"})
    for name, (x, y) in places.items():
        axes.text(x, y, "the folder itself" if name == "." else name, ha="center", va="center",
                  bbox={"boxstyle": "round", "facecolor": "white"})
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.5, len(LAYERS) - 0.5)
    axes.axis("off")
    figure.tight_layout()
    figure.savefig(output, dpi=80)
    pyplot.close(figure)


def main(arguments):
    output = arguments[1] if arguments[:1] == ["--plot"] else None
    root = pathlib.Path(*(arguments[2:] if output else arguments))
    folder = root / FOLDER
    files = sorted([*folder.rglob("*.h"), *folder.rglob("*.cpp")])
    if output:
        plot(folder, files, output)
    status = 0
    for path in files:
        for number, message in problems(folder, path):
            print(f"{FOLDER}/{path.relative_to(folder)}:{number}: {message}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
