#!/usr/bin/env python3
"""Writes compile_commands.json anew for clangd, clang-tidy and editors.

CMake's own names what is compiled: units of several sources each, with a
precompiled header. This has the command that compiles each source alone and by
what it includes itself, so that a missing #include is found.

usage: compile-commands.py COMPILE-COMMANDS-JSON

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import pathlib
import re
import sys

# What CMake adds for a precompiled header: both are given to the compiler proper.
PRECOMPILED = re.compile(
    r" -Winvalid-pch| -Xclang (-include-pch|-include|-emit-pch) -Xclang \S+"
)
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def single(entry):
    """The commands of the sources that `entry` compiles."""
    unit = entry["file"]
    if "cmake_pch.hxx" in unit:
        return
    sources = [unit]
    if "/Unity/unity_" in unit:
        sources = INCLUDE.findall(pathlib.Path(unit).read_text())
    command = PRECOMPILED.sub("", entry["command"])
    for source in sources:
        yield {
            "directory": entry["directory"],
            "command": command.replace(unit, source),
            "file": source,
        }


def main(path):
    path = pathlib.Path(path)
    entries = json.loads(path.read_text())
    # An interruption leaves the one or the other.
    written = path.with_suffix(".new")
    written.write_text(json.dumps([s for e in entries for s in single(e)], indent=1))
    os.replace(written, path)


main(*sys.argv[1:])
