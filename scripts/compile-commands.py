#!/usr/bin/env python3
"""Takes the precompiled header out of compile_commands.json, which clangd,
clang-tidy and editors read: they see each source with what it includes itself,
so that a missing #include is found, and need not be of the compiler's version.

usage: compile-commands.py COMPILE-COMMANDS-JSON

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import pathlib
import re
import sys

# What CMake adds for it: the compiler proper is given the header and its list.
PRECOMPILED = re.compile(
    r" -Winvalid-pch| -Xclang -include(-pch)? -Xclang \S*/cmake_pch\.hxx\S*"
)

path = pathlib.Path(sys.argv[1])
entries = [
    entry | {"command": PRECOMPILED.sub("", entry["command"])}
    for entry in json.loads(path.read_text())
    if "cmake_pch.hxx" not in entry["file"]
]
path.write_text(json.dumps(entries, indent=1))
