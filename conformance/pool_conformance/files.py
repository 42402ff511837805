"""Writes vectors as JSON that people can read: a few lines for each vector."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import json
from typing import Any

from . import reference
from .vector import Expected, Vector

SCHEMA_VERSION = 1


def expected_json(expected: Expected, shape_only: bool = False) -> dict[str, Any]:
    """Returns an expected result as it stands in a file."""
    result: dict[str, Any] = {"name": expected.name} if expected.name else {}
    if expected.refused:
        return {**result, "refused": expected.refused}
    outputs = {}
    for name, tensor in expected.outputs.items():
        outputs[name] = tensor.to_json()
        if name in expected.bounds:
            outputs[name]["bound"] = expected.bounds[name]
    return {**result, "outputs": outputs}


def same_results(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """True if two expected results in JSON differ at most in their names."""
    return {**first, "name": ""} == {**second, "name": ""}


def make_vector(case: dict[str, Any]) -> dict[str, Any]:
    """Returns the vector of a case as it stands in a file, with the reference's results."""
    vector = Vector({**case, "expected": []})
    results = [expected_json(e) for e in reference.compute(vector)]
    if len(results) > 1 and all(same_results(results[0], other) for other in results):
        results = [{key: value for key, value in results[0].items() if key != "name"}]
    keys = ("name", "trap", "operation", "shape_only", "attributes", "inputs", "expected",
            "rule", "documents", "threads")
    return {key: results if key == "expected" else case[key]
            for key in keys if key in case or key == "expected"}


def vector_text(vector: dict[str, Any]) -> str:
    """Returns one vector, a few lines."""
    def part(*keys: str) -> str:
        return ", ".join(f"{json.dumps(key)}: {json.dumps(vector[key])}"
                         for key in keys if key in vector)
    lines = [part("name", "trap", "operation", "shape_only"), part("attributes"),
             part("inputs"), part("expected"), part("rule"),
             part("documents"), part("threads", "confirmed")]
    return "{" + ",\n ".join(filter(None, lines)) + "}"


def file_text(vectors: list[dict[str, Any]]) -> str:
    """Returns the text of a file of vectors."""
    body = ",\n".join(map(vector_text, vectors))
    return f'{{"version": {SCHEMA_VERSION}, "vectors": [\n{body}\n]}}\n'


def texts(vectors: list[dict[str, Any]]) -> dict[str, str]:
    """Returns the text of each file by its name; each trap has a file."""
    by_trap: dict[str, list[dict[str, Any]]] = {}
    for vector in vectors:
        by_trap.setdefault(vector["trap"], []).append(vector)
    return {f"{trap}.json": file_text(group) for trap, group in sorted(by_trap.items())}
