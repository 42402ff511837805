#!/usr/bin/env python3
# Gives each operation of a page that mlir-tblgen -gen-dialect-doc has written a
# table of its attributes: values and default. Upstream's generator knows
# attributes and passes over properties, which most of ours are.
#
# usage: llvm-tblgen --dump-json ... | attribute-tables.py PAGE (in place)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re
import sys

TABLE = re.compile(r"#### Attributes:\n\n<table>.*?</table>\n\n", re.DOTALL)
NEXT = re.compile(r"^#### (Operands|Results):$", re.MULTILINE)
EMPTY = "empty"
INTEGERS = {"64-bit integer", "64-bit signless integer attribute"}
LISTS = {"list of integers", "i64 dense array attribute"}


def find_enum(records, record):
    """The enumeration that an attribute or a property holds, if any."""
    while record:
        if "enum" in record:
            return records[record["enum"]["def"]]
        base = record.get("baseProperty") or record.get("baseAttr")
        record = records[base["def"]] if base else None
    return None


def describe(records, record, where):
    """What an attribute's values are, and its default."""
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


def main(path):
    records = json.load(sys.stdin)
    page = TABLE.sub("", path.read_text(encoding="utf-8"))
    for name in records["!instanceof"]["Op"]:
        op = records[name]
        if op["opDialect"]["def"] != "Pool_Dialect":
            continue
        heading = page.index(f"### `pool.{op['opName']}` ")
        place = NEXT.search(page, heading).start()
        page = page[:place] + make_table(records, op) + page[place:]
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
