# RUN: %python %s %src_root
"""Pages must name only existing pages, sections, files and directories, and be easy to reach.

A path in backticks that begins with a top directory of the source tree must exist there. A
bare file name is checked only on docs/Internals/Architecture.md, where it must exist
somewhere in the tree. Two clicks lead from docs/README.md to every page of docs. Only pages
named README share a name. The site's navigation, in mkdocs.yml, has every page.
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
    """Returns the page's anchors: those that GitHub makes of its headings, and those in `<a
    id>`."""
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


def get_linked(root, page):
    """Returns the pages that `page` links."""
    targets = LINK.findall(FENCE.sub("", (root / page).read_text()))
    paths = {(root / page).parent / target.partition("#")[0] for target in targets}
    return {path.resolve().relative_to(root).as_posix() for path in paths
            if path.suffix == ".md" and path.exists()}


def check_order(root):
    found = [page for page in pages(root) if page.startswith("docs/")]
    first = get_linked(root, "docs/README.md")
    near = first.union(*(get_linked(root, page) for page in first))
    yield from (f"{page}: more than two clicks from docs/README.md"
                for page in found if page not in near | {"docs/README.md"})
    names = [Path(page).name for page in found]
    yield from (f"{page}: another page has this name"
                for page in found if names.count(Path(page).name) > 1
                and Path(page).name != "README.md")
    navigation = set(re.findall(r"[\w/-]+\.md", (root / "mkdocs.yml").read_text()))
    yield from (f"{page}: not in the navigation of mkdocs.yml" for page in found
                if page.removeprefix("docs/") not in navigation | {"README.md"})


def main(root):
    found = [f"{page}: {problem}" for page in pages(root) for problem in check(root, page)
             if problem]
    found += check_order(root)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
