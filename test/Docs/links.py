# RUN: %python %s %src_root
"""Checks that pages name only existing pages, sections, files and directories.

A path in backticks that begins with a directory of the source tree must match something
there. A bare file name is checked only on docs/Internals/Architecture.md, where it must exist
somewhere in the tree.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "Inputs"))
# pylint: disable=wrong-import-position
from blocks import FENCE, pages  # noqa: E402

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
TOP = ("benchmarks", "cmake", "docs", "examples", "include", "lib", "python", "scripts", "test",
       "tools", "unittests")
PATH = re.compile(rf"(?:{'|'.join(TOP)})/[\w./*-]+")
FILE = re.compile(r"\w+\.(?:cpp|h|td|py)")


def get_anchors(text):
    """Returns GitHub's anchors of the headings, and the anchors that the page sets
    itself."""
    headings = re.findall(r"^#+ +(.*)$", FENCE.sub("", text), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    names = {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
             for heading in plain}
    return names | set(re.findall(r'<a id="([^"]*)"></a>', text))


def check_link(root, page, target):
    if re.match(r"\w+:", target):
        return None
    name, _, anchor = target.partition("#")
    path = (root / page).parent / name if name else root / page
    if not path.exists():
        return f"no {target}"
    if anchor and anchor not in get_anchors(path.read_text()):
        return f"no section {target}"
    return None


def check(root, page):
    text = (root / page).read_text()
    for target in LINK.findall(FENCE.sub("", text)):
        yield check_link(root, page, target)
    names = {path.name for top in TOP for path in (root / top).rglob("*")}
    for code in CODE.findall(FENCE.sub("", text)):
        if PATH.fullmatch(code) and not list(root.glob(code.rstrip("/"))):
            yield f"no {code}"
        if page == "docs/Internals/Architecture.md" and FILE.fullmatch(code) and code not in names:
            yield f"no file {code}"


def main(root):
    found = [f"{page}: {problem}" for page in pages(root) for problem in check(root, page)
             if problem]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
