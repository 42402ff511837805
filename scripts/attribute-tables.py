#!/usr/bin/env python3
# Adds a table of attributes, with values and defaults, to each operation of a page from
# mlir-tblgen -gen-dialect-doc. Upstream's generator lists attributes but not properties,
# and most of ours are properties. It prints the format's directive for clauses unchanged;
# this script spells it out.
#
# usage: llvm-tblgen --dump-json ... | attribute-tables.py PAGE (in place)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re
import sys

TABLE = re.compile(r"#### Attributes:\n\n<table>.*?</table>\n\n", re.DOTALL)
CLAUSES = re.compile(r"\s*`` custom<Clauses>\(.*?, prop-dict, attr-dict\)\s*")
CLAUSE = re.compile(r'(required|optional)\(\\"(\w+)')
NO_OTHER = re.compile(r"\s*`` custom<NoOtherClause>\(.*?\)")
NEXT = re.compile(r"^#### (Operands|Results):$", re.MULTILINE)
EMPTY = "empty"
INTEGERS = {"64-bit integer", "64-bit signless integer attribute"}
LISTS = {"list of integers", "i64 dense array attribute"}


def find_enum(records, record):
    """Returns the enumeration of an attribute or a property, or None."""
    while record:
        if "enum" in record:
            return records[record["enum"]["def"]]
        base = record.get("baseProperty") or record.get("baseAttr")
        record = records[base["def"]] if base else None
    return None


def describe(records, record, where):
    """Returns the values of an attribute and its default, in words."""
    default = record.get("defaultValue")
    if record.get("isOptional"):
        default = "none"
    elif not default:
        default = "required"
    elif default.endswith("{}"):
        default = EMPTY
    enum = find_enum(records, record)
    if enum:
        cases = [records[case["def"]] for case in enum["enumerants"]]
        for case in cases:
            if default.endswith("::" + case["symbol"]):
                default = f"`{case['str']}`"
        words = ", ".join(f"`{case['str']}`" for case in cases)
        return f"{record['summary']}: {words}", default
    if record["summary"] in LISTS:
        return "list of integers", default
    if record["summary"] in INTEGERS:
        return "64-bit integer", default
    sys.exit(f"{where}: no words for '{record['summary']}'")


def make_table(records, op):
    name = f"pool.{op['opName']}"
    rows = []
    for argument, attribute in op["arguments"]["args"]:
        record = records[argument["def"]]
        if not {"Property", "Attr"} & set(record["!superclasses"]):
            continue
        values, default = describe(records, record, f"{name}, {attribute}")
        rows.append((f"`{attribute}`", values, default))
    if not rows:
        return ""
    lines = ["#### Attributes:", "", "| Attribute | Value | Default |"]
    lines += ["| :-------: | ----- | ------- |"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    if any(row[0] == "`pads_begin`" and row[2] == EMPTY for row in rows):
        lines += ["", "Empty strides and dilations are ones, empty pads zeros."]
    return "\n".join(lines) + "\n\n"


def spell_clauses(match):
    """Returns the syntax that a directive for clauses stands for."""
    lines, rest = [], []
    for kind, name in CLAUSE.findall(match[0]):
        words = f"`{name}` ${name}"
        (lines if kind == "required" else rest).append(words)
    for i in range(0, len(rest), 2):
        lines.append(("| " if i else "(") + " | ".join(rest[i : i + 2]))
    indent = "\n" + " " * 14
    return indent + indent.join(lines) + ")*" + indent + "attr-dict "


def main(path):
    records = json.load(sys.stdin)
    page = TABLE.sub("", path.read_text(encoding="utf-8"))
    page = CLAUSES.sub(spell_clauses, page)
    page = NO_OTHER.sub("", page)
    index = ["| operation | result |", "|---|---|"]
    ops = [records[name] for name in records["!instanceof"]["Op"]]
    for op in sorted(ops, key=lambda op: op["opName"]):
        if op["opDialect"]["def"] != "Pool_Dialect":
            continue
        heading = page.index(f"### `pool.{op['opName']}` ")
        anchor = re.sub(r"[`.:()]", "", page[heading + 4 : page.index("\n", heading)])
        anchor = anchor.lower().replace(" ", "-")
        index.append(f"| [`pool.{op['opName']}`](#{anchor}) | {op['summary']} |")
        place = NEXT.search(page, heading).start()
        page = page[:place] + make_table(records, op) + page[place:]
    index = "\n".join(["## Operations", ""] + index)
    page = page.replace("[TOC]\n\n## Operations", index)
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
