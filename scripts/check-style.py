#!/usr/bin/env python3
# Checks rules of CONTRIBUTING.md that no formatter checks:
# - a file begins with its reason and the licence, and is not too long; neither is a test;
# - some words and paths must not occur in the tree, and prose spells a word one way;
# - JSON and TOML parse;
# - no test depends on the clock or an unseeded generator;
# - no library defines a constant twice.
# Prints file:line: message for each violation, and fails if there is any.
#
# usage: check-style.py [FILE...]   (default: every file that git tracks)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# The licence line must be among the first HEADER_LINES lines.
HEADER_LINES = 40
MAX_LINES = 500
MAX_SVG_LINES = 200

SOURCES = {".h", ".cpp", ".c", ".td", ".py", ".sh", ".cmake"}
GENERATED = {"docs/Reference/Passes.md", "docs/Reference/Operations.md"}
# The words are split, so that this file passes its own check.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
# Matches a constant outside functions. A unity build compiles several sources of a library
# together, so two of its files must not have the same constant.
CONSTANT = re.compile(
    r"^(?:static |inline )*const(?:expr)? [^(={]*?\b(\w+)(?:\[\w*\])?(?: =|\{)"
)
# Matches calls that would give a test different cases on each date or in each run.
UNSEEDED = re.compile(
    r"\btoday\(|\bnow\(\)|\btime\.time\(|\b(default_rng|Random|RandomState|seed)\(\)"
    r"|(?<![\w.])(np\.)?random\.(?!default_rng|Random|RandomState|Generator)\w+\("
    r"|\brandom_device\b|\bs?rand\(\)"
)
TESTS = ("test/", "unittests/")
MACHINE_PATH = re.compile(r"(?<![\w.$}/-])/(home|root|work|Users)/")
# Matches the noun in prose. Upstream's names have the other spelling.
OTHER_SPELLING = re.compile(r"(?<![\w.:`/\"%<{-])[Bb]ufferi[z]ation(?![\w:`(/>}-]|\.\w)")


def tracked_files():
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True
    )
    if listing.returncode == 0:
        names = listing.stdout.decode().split("\0")
        return [ROOT / name for name in names if name]
    # In an archive without git: every file except build outputs and hidden files
    return [
        path
        for path in ROOT.rglob("*")
        if not path.relative_to(ROOT).parts[0].startswith(("build", "."))
    ]


def is_source(path):
    return path.suffix in SOURCES or path.read_bytes().startswith(b"#!")


def says_why(lines):
    """True if text precedes the licence, or a docstring follows it."""
    place = next(n for n, line in enumerate(lines) if LICENCE in line)
    before = [line for line in lines[:place] if not line.startswith("#!")]
    after = next((line for line in lines[place + 1 :] if line.strip()), "")
    return any(re.search(r"\w", line) for line in before) or after.startswith('"""')


PARSERS = {".json": json.loads, ".toml": tomllib.loads}


def problems(path):
    name = path.relative_to(ROOT).as_posix()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return
    if parse := PARSERS.get(path.suffix):
        try:
            parse("\n".join(lines))
        except ValueError as error:
            yield getattr(error, "lineno", 1), f"does not parse: {error}"
    if is_source(path):
        if not any(LICENCE in line for line in lines[:HEADER_LINES]):
            yield 1, "no licence line among the first lines"
        elif not says_why(lines):
            yield 1, "the header does not say why the file exists"
    if is_source(path) or path.suffix in {".mlir", ".test"}:
        if len(lines) > MAX_LINES:
            yield MAX_LINES, f"{len(lines)} lines, more than {MAX_LINES}: split"
    if path.suffix == ".svg" and len(lines) > MAX_SVG_LINES:
        yield MAX_SVG_LINES, f"{len(lines)} lines, more than {MAX_SVG_LINES}: a plot is a PNG"
    if name in GENERATED or path.suffix in {".json", ".svg"}:
        return
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield number, "unfinished work is an issue, not a comment"
        if name.startswith(TESTS) and path.suffix in SOURCES and UNSEEDED.search(line):
            yield number, "a test draws from a fixed seed"
        if OTHER_SPELLING.search(line):
            yield number, "bufferisation has an s, except in upstream's names"
        if MACHINE_PATH.search(line):
            yield number, "a path of somebody's machine"
        if line != line.rstrip() and path.suffix not in {".md"}:
            yield number, "space at the end of the line"


def library(path):
    """Returns the folder of the library that `path` belongs to."""
    return next(
        folder for folder in path.parents if (folder / "CMakeLists.txt").is_file()
    )


def repeated_constants(paths):
    seen = {}
    for path in sorted(paths):
        if path.suffix != ".cpp" or not path.is_relative_to(ROOT / "lib"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = CONSTANT.match(line)
            if not found:
                continue
            first = seen.setdefault((library(path), found[1]), path)
            if first != path:
                yield path, number, f"{found[1]} is also in {first.name}"


def main(arguments):
    paths = [pathlib.Path(a).resolve() for a in arguments] or tracked_files()
    found = 0
    for path in paths:
        if not path.is_file() or path.is_symlink():
            continue
        for number, message in problems(path):
            print(f"{path.relative_to(ROOT)}:{number}: {message}")
            found += 1
    for path, number, message in repeated_constants(filter(pathlib.Path.is_file, paths)):
        print(f"{path.relative_to(ROOT)}:{number}: {message}")
        found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
