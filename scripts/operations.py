"""Reads the operations of the dialect from the output of llvm-tblgen --dump-json."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json

INTEGERS = {"64-bit integer", "64-bit signless integer attribute"}
LISTS = {"list of integers", "i64 dense array attribute"}
EMPTY = "empty"


@dataclasses.dataclass
class Attribute:
    """An attribute or property. `kind` is "enum", "list" or "integer". `default` is
    "required", "none", "empty" for a list, the keyword of a case or a number. `cases`
    maps the keyword of each case to its meaning."""

    name: str
    kind: str
    default: str
    words: str
    cases: dict


@dataclasses.dataclass
class Operand:
    """An operand or result. `type` describes its constraint."""

    name: str
    type: str
    words: str
    is_optional: bool
    is_variadic: bool


@dataclasses.dataclass
class Operation:
    name: str
    summary: str
    operands: list
    attributes: list
    results: list


def find_enum(records, record):
    """Returns the enumeration that an attribute or a property holds, or None."""
    while record:
        if "enum" in record:
            return records[record["enum"]["def"]]
        base = record.get("baseProperty") or record.get("baseAttr")
        record = records[base["def"]] if base else None
    return None


def read_attribute(records, record, name):
    default = record["defaultValue"]
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
                default = case["str"]
        return Attribute(name, "enum", default, record["summary"],
                         {case["str"]: case["meaning"] for case in cases})
    if record["summary"] not in INTEGERS | LISTS:
        raise ValueError(f"{name}: no words for '{record['summary']}'")
    kind = "list" if record["summary"] in LISTS else "integer"
    return Attribute(name, kind, default, record["description"], {})


def read_operand(records, record, name):
    words = ""
    if "constraint" in record:
        words = record["summary"]
        record = records[record["constraint"]["def"]]
    base = records[record["baseType"]["def"]] if "baseType" in record else record
    return Operand(name, base["summary"], words, "Optional" in record["!superclasses"],
                   "Variadic" in record["!superclasses"])


def read_operations(file):
    """Returns the operations in the order of their definitions."""
    records = json.load(file)

    def get(dag):
        return [(records[value["def"]], name) for value, name in dag["args"]]

    operations = []
    for key in records["!instanceof"]["Op"]:
        op = records[key]
        if op["opDialect"]["def"] != "Pool_Dialect":
            continue
        is_attribute = {"Property", "Attr"}.intersection
        arguments = [(bool(is_attribute(record["!superclasses"])), record, name)
                     for record, name in get(op["arguments"])]
        operations.append(Operation(
            op["opName"], op["summary"],
            [read_operand(records, *each) for is_one, *each in arguments if not is_one],
            [read_attribute(records, *each) for is_one, *each in arguments if is_one],
            [read_operand(records, *each) for each in get(op["results"])]))
    return operations
