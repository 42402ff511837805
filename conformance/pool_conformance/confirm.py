"""Records which systems agree with each vector.

`confirmations.json` beside this file has, for each vector, a digest of the problem with its
expected results, and the systems that passed. A vector that changes loses its confirmations.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from .vector import Vector

FILE = Path(__file__).parent / "confirmations.json"
# Systems of the project that owns this package: they do not confirm.
OWN = ("pool", "pool-vector", "pool-linalg", "pool-affine", "pool-interpreter", "reference")
OUR_DOCUMENT = "pool-mlir Semantics"


def digest(vector: dict[str, Any]) -> str:
    """Returns a short text that changes with the problem or its expected results."""
    parts = [vector[key] for key in ("operation", "attributes", "inputs", "expected")]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]


def read() -> dict[str, Any]:
    """Returns the recorded confirmations by the vector's name."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def is_own(system: str) -> bool:
    """True if the system belongs to the project of this package."""
    return system in OWN or system.startswith("pool")


def complete(vector: dict[str, Any], ruled: str,
             confirmations: dict[str, Any]) -> dict[str, Any]:
    """Returns a vector with its member `confirmed`: `by` lists the implementations that agree,
    of which at least one is not ours; otherwise `ruled` has the reason of the ruling."""
    entry = confirmations.get(vector["name"], {})
    by = entry.get("by", []) if entry.get("digest") == digest(vector) else []
    if by:
        return {**vector, "confirmed": {"by": ["reference"] + by}}
    return {**vector, "confirmed": {"ruled": ruled or reason(vector)}}


def reason(vector: dict[str, Any]) -> str:
    """Returns why a vector stands that no other implementation confirms."""
    agreeing = [name for name, said in vector["documents"].items() if said == "agree"]
    if vector["rule"]["document"] != OUR_DOCUMENT:
        return (f"{vector['rule']['document']} states it; no implementation that was run "
                "computes it so, or none has this attribute and type.")
    if agreeing:
        return (f"The rule above agrees with {', '.join(agreeing)}; no implementation that was "
                "run computes it so, or none has this type.")
    return "The documents are silent or differ; no implementation that was run has this rule."


def record(results: list[dict[str, Any]], vectors: list[Vector]) -> tuple[int, int]:
    """Adds the passes of results to the file. Returns the number of vectors that have a foreign
    confirmation and the number of all vectors."""
    old = read()
    entries: dict[str, Any] = {}
    for vector in vectors:
        key = digest(vector.json)
        known = old.get(vector.name, {})
        by = {text.rsplit(" ", 1)[0]: text
              for text in (known.get("by", []) if known.get("digest") == key else [])}
        for result in results:
            if is_own(result["system"]) or vector.name not in result["results"]:
                continue
            by.pop(result["system"], None)
            if result["results"][vector.name]["status"] == "pass":
                by[result["system"]] = f"{result['system']} {result['version']}"
        if by:
            entries[vector.name] = {"digest": key, "by": [by[name] for name in sorted(by)]}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}"
                       for name, entry in entries.items())
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return len(entries), len(vectors)
