#!/usr/bin/env python3
"""Checks how the folders of lib/Conversion/PoolToVector depend on one another.

- A file includes only headers of its own folder and of folders in earlier layers.
- Only one file creates operations of the scf dialect, and only one defines limits.

Prints file:line: message for each violation, and fails if there is any.

usage: check-layers.py [ROOT]

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import re
import sys

FOLDER = "lib/Conversion/PoolToVector"
# From the bottom to the top; folders of one layer do not include each other. The passes and
# the tables of strategies, which know all layers, have no folder.
LAYERS = [
    {"Emit"},
    {"Problem"},
    {"Schedule"},
    {"Sink"},
    {"Reduce"},
    {"Adaptive", "Channels", "Direct", "Gather", "Global", "Planes", "Scatter",
     "Staged"},
    {"."},
]
LEVELS = {name: level for level, names in enumerate(LAYERS) for name in names}
INCLUDE = re.compile(r'#include "(\w+)/\w+\.h"')
BUILDER = "Emit/KernelBuilder.cpp"
CREATION = re.compile(r"\bscf::(\w+::create|build\w+)\(|create\w*<scf::")
LIMITS = "Problem/CostModel.h"
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


def main(root="."):
    folder = pathlib.Path(root) / FOLDER
    status = 0
    for path in sorted([*folder.rglob("*.h"), *folder.rglob("*.cpp")]):
        for number, message in problems(folder, path):
            print(f"{FOLDER}/{path.relative_to(folder)}:{number}: {message}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
