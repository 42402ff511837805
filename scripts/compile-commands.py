#!/usr/bin/env python3
"""Rewrites compile_commands.json for clangd, clang-tidy and editors.

CMake's own file has the commands of the build: they compile units of several sources, with a
precompiled header. The new file has a command for each source alone, without this header, so
that tools find a missing #include.

usage: compile-commands.py COMPILE-COMMANDS-JSON

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import pathlib
import re
import sys

# Matches the options that CMake adds for a precompiled header.
PRECOMPILED = re.compile(
    r" -Winvalid-pch| -Xclang (-include-pch|-include|-emit-pch) -Xclang \S+"
)
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def single(entry):
    """Yields the commands of the sources that `entry` compiles."""
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
    # Rename a complete file, so that an interruption leaves either the old or the new file.
    written = path.with_suffix(".new")
    written.write_text(json.dumps([s for e in entries for s in single(e)], indent=1))
    os.replace(written, path)


main(*sys.argv[1:])
