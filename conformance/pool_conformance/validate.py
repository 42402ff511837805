"""Checks vectors against schema.json and against the reference.

`errors` understands the words of JSON Schema that schema.json uses, so that the package needs
no other one.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import files
from .confirm import digest
from .registry import SCHEMA, VECTORS, read_files

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
         "number": (int, float)}


def is_type(value: Any, name: str) -> bool:
    """True if a value has a type of JSON Schema."""
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])  # type: ignore[arg-type]


def errors(value: Any, schema: dict[str, Any], root: dict[str, Any],
           where: str = "") -> Iterator[str]:
    """Yields a message for each place where a value breaks a schema."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_type(value, kind) for kind in kinds):
        yield f"{where}: not of type {' or '.join(kinds)}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{where}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not one of {', '.join(map(str, schema['enum']))}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not match {schema['pattern']}"
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield f"{where}: '{name}' is missing"
        for name, item in value.items():
            inner = known.get(name, schema.get("additionalProperties", True))
            if inner is False:
                yield f"{where}: '{name}' is not known"
            elif isinstance(inner, dict):
                yield from errors(item, inner, root, f"{where}/{name}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{where}: fewer than {schema['minItems']} items"
        for number, item in enumerate(value):
            yield from errors(item, schema.get("items", {}), root, f"{where}/{number}")


def check(directory: Path = VECTORS) -> Iterator[str]:
    """Yields a message for each fault: a file that breaks the schema, two vectors of one name
    or of one problem, an expected result that is not the reference's, and a vector that has
    neither a confirmation nor a reason."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    names: set[str] = set()
    problems: dict[str, str] = {}
    for path, content in read_files(directory).items():
        broken = [f"{path.name}{message}" for message in errors(content, schema, schema)]
        yield from broken
        for vector in [] if broken else content["vectors"]:
            name = vector["name"]
            if name in names:
                yield f"{name}: two vectors have this name"
            names.add(name)
            other = problems.setdefault(digest(vector) + vector["trap"], name)
            if other != name:
                yield f"{name}: the same problem as {other}"
            if vector["name"].split("/")[0] != vector["trap"]:
                yield f"{name}: the name does not begin with the trap"
            if files.make_vector(vector)["expected"] != vector["expected"]:
                yield f"{name}: the expected result is not the reference's"
            confirmed = vector["confirmed"]
            if not confirmed.get("ruled") and len(confirmed.get("by", [])) < 2:
                yield f"{name}: neither confirmed by two nor ruled"
