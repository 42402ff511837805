#!/usr/bin/env python3
# Adds a table of attributes, with values and defaults, to each operation of a page from
# mlir-tblgen -gen-dialect-doc. Upstream's generator lists attributes but not properties,
# and most of ours are properties. The generator also copies the directive `custom<Clauses>` of
# an assembly format. This script replaces the directive by the syntax of the clauses.
#
# usage: llvm-tblgen --dump-json ... | attribute-tables.py PAGE (in place)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import sys

from operations import read_operations

TABLE = re.compile(r"#### Attributes:\n\n<table>.*?</table>\n\n", re.DOTALL)
CLAUSES = re.compile(r"\s*`` custom<Clauses>\(.*?, prop-dict, attr-dict\)\s*")
CLAUSE = re.compile(r'(required|optional)\(\\"(\w+)')
# Directives that parse what they name, in a way that the syntax need not show.
PLAIN = re.compile(r"custom<(?:CaseAttr|Tensor)>\((\$\w+|type\(\$\w+\))\)")
NO_OTHER = re.compile(r"\s*`` custom<NoOtherClause>\(.*?\)")
NEXT = re.compile(r"^#### (Operands|Results):$", re.MULTILINE)
KINDS = {"integer": "64-bit integer", "list": "list of integers"}


def describe(attribute):
    """Returns the values of an attribute, and its default."""
    if attribute.kind == "enum":
        cases = ", ".join(f"`{case}`" for case in attribute.cases)
        default = attribute.default
        if default in attribute.cases:
            default = f"`{default}`"
        return f"{attribute.words}: {cases}", default
    kind = KINDS[attribute.kind]
    return f"{attribute.words} ({kind})" if attribute.words else kind, attribute.default


def make_table(op):
    rows = [(f"`{attribute.name}`", *describe(attribute)) for attribute in op.attributes]
    if not rows:
        return ""
    lines = ["#### Attributes:", "", "| Attribute | Value | Default |"]
    lines += ["| :-------: | ----- | ------- |"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n\n"


def spell_clauses(match):
    """Returns the syntax of the clauses that a matched directive lists."""
    lines, rest = [], []
    for kind, name in CLAUSE.findall(match[0]):
        words = f"`{name}` ${name}"
        (lines if kind == "required" else rest).append(words)
    for i in range(0, len(rest), 2):
        lines.append(("| " if i else "(") + " | ".join(rest[i : i + 2]))
    indent = "\n" + " " * 14
    return indent + indent.join(lines) + ")*" + indent + "attr-dict "


def main(path):
    page = TABLE.sub("", path.read_text(encoding="utf-8"))
    page = CLAUSES.sub(spell_clauses, page)
    page = NO_OTHER.sub("", page)
    page = PLAIN.sub(r"\1", page)
    index = ["## Operations", "", "| operation | result |", "|---|---|"]
    for op in sorted(read_operations(sys.stdin), key=lambda op: op.name):
        heading = page.index(f"### `pool.{op.name}` ")
        anchor = re.sub(r"[`.:()]", "", page[heading + 4 : page.index("\n", heading)])
        anchor = anchor.lower().replace(" ", "-")
        index.append(f"| [`pool.{op.name}`](#{anchor}) | {op.summary} |")
        place = NEXT.search(page, heading).start()
        page = page[:place] + make_table(op) + page[place:]
    page = page.replace("[TOC]\n\n## Operations", "\n".join(index))
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
