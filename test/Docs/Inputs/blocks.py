"""Finds the fenced blocks of the pages, and the commands of a console block."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import re

FENCE = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```[ ]*$", re.MULTILINE | re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    text: str

    @property
    def where(self):
        return f"{self.page}:{self.line}"

    @property
    def first_line(self):
        return next((line.strip() for line in self.text.splitlines() if line.strip()), "")


@dataclasses.dataclass(frozen=True)
class Command:
    text: str
    output: str


def pages(root):
    """Returns the pages that have examples, relative to `root`."""
    found = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md",
                                  "SECURITY.md")]
    found += (root / "docs").rglob("*.md")
    found += (root / "examples").rglob("*.md")
    return sorted(page.relative_to(root).as_posix() for page in found)


def blocks(root, page):
    text = (root / page).read_text()
    for match in FENCE.finditer(text):
        indent, language, body = match.groups()
        body = re.sub(f"^{indent}", "", body, flags=re.MULTILINE)
        yield Block(page, text.count("\n", 0, match.start()) + 1, language.strip(), body)


def commands(text):
    """Returns the commands of a console block, each after `$ `, with their output.

    A command continues while its line ends in a backslash or within single quotes.
    """
    found = []
    for line in text.splitlines(keepends=True):
        if found and not is_complete(found[-1][0]):
            found[-1][0] += line
        elif line.startswith("$ "):
            found.append([line[2:], ""])
        elif found:
            found[-1][1] += line
        elif line.strip():
            raise ValueError(f"output before the first command: {line}")
    return [Command(command.rstrip("\n"), output) for command, output in found]


def is_complete(command):
    return not command.rstrip("\n").endswith("\\") and command.count("'") % 2 == 0
