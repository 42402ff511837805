# RUN: %python %s %src_root
"""Each label in error messages, such as (Window.C8), must belong to one rule and one check.

A label has one row in a .td file and one anchor in the generated reference. Its messages are
in one file of lib. A negative test has the label in the name of its function, and no other
function of its file has this name. The numbers of a table have no gap, and every label that the
tree mentions exists.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
from collections import Counter
from pathlib import Path

LABEL = r"[A-Z][A-Za-z]*\.C[0-9]+"
ROW = re.compile(rf"^ *- \(({LABEL})\)", re.MULTILINE)
ANCHOR = re.compile(rf'^- <a id="({LABEL})"></a>\(\1\)', re.MULTILINE)
# In C++, a message begins with its label.
MESSAGE = re.compile(rf'"\(({LABEL})\)')
# Matches a negative test: its function's name has a label, and the error that it expects has
# the same label.
NEGATIVE = re.compile(rf"^func\.func @\w*?({LABEL})(?:(?!^func)[^\0])*?expected-error.*?\(\1\)",
                      re.MULTILINE)
# Matches the function of such a test.
NAMED = re.compile(rf"^func\.func (@\w*?{LABEL}\w*)", re.MULTILINE)
MENTION = re.compile(rf"(?<![\w.]){LABEL}\b")
# Matches a label in the old form, without the name of a table.
BARE = re.compile(r"\(C[0-9]+\)")
FOLDERS = {"docs": {".md"}, "include": {".h", ".td"}, "lib": {".h", ".cpp"}, "python": {".py"},
           "test": {".mlir", ".py", ".test", ".c"}, "unittests": {".cpp"}}


def read(root, *folders):
    """Yields the path and text of each source file in `folders`."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in FOLDERS[folder]:
                yield path.relative_to(root), path.read_text(encoding="utf-8")


def count(pattern, root, folder):
    """Counts how often `pattern` finds each label in the files of `folder`."""
    return Counter(label for _, text in read(root, folder) for label in pattern.findall(text))


def check(root):
    rows = count(ROW, root, "include")
    anchors = count(ANCHOR, root, "docs")
    checks = Counter(label for _, text in read(root, "lib") for label in set(MESSAGE.findall(text)))
    tests = count(NEGATIVE, root, "test")
    for label in sorted(rows | anchors | checks):
        if rows[label] != 1:
            yield f"{label}: {rows[label]} rows in the .td files, must have 1"
        if anchors[label] != 1:
            yield f"{label}: {anchors[label]} anchors in docs, must have 1"
        if checks[label] != 1:
            yield f"{label}: messages in {checks[label]} files of lib, must be in 1"
        if not tests[label]:
            yield f"{label}: no negative test whose function it names"
        table, number = label.split(".C")
        if number != "1" and f"{table}.C{int(number) - 1}" not in rows:
            yield f"{label}: number {int(number) - 1} is missing"
    for path, text in read(root, "test"):
        for name, times in Counter(NAMED.findall(text)).items():
            if times > 1:
                yield f"{path}: {times} tests are called {name}"
    for path, text in read(root, *FOLDERS):
        for mention in MENTION.findall(text):
            if mention not in rows:
                yield f"{path}: no constraint {mention}"
        for bare in BARE.findall(text):
            if path.name != "constraints.py":
                yield f"{path}: {bare} names no table"


if __name__ == "__main__":
    sys.exit("\n".join(check(Path(sys.argv[1]).resolve())) or 0)
