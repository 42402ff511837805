"""Finds adapters by the name of their system, and the vectors of the package."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Optional

from .adapter import Adapter
from .vector import Vector

VECTORS = Path(__file__).parent / "vectors"
SCHEMA = Path(__file__).parent / "schema.json"


class UnknownName(ValueError):
    """There is no system, vector, trap or operation of that name."""


def adapters() -> dict[str, Callable[[], Adapter]]:
    """Returns the class of each system by the system's name. No system is imported. A module
    that cannot be imported is left out with a message on standard error."""
    import sys

    from . import adapters as package
    result: dict[str, Callable[[], Adapter]] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        try:
            loaded = importlib.import_module(f"{package.__name__}.{module}")
        except Exception as error:
            print(f"pool-conformance: adapters/{module}.py: {error}", file=sys.stderr)
            continue
        result.update(getattr(loaded, "ADAPTERS", {}))
    return result


def find(system: str) -> Callable[[], Adapter]:
    """Returns the class of a system. Raises UnknownName with the names that exist."""
    known = adapters()
    if system not in known:
        raise UnknownName(f"no system '{system}'; there are: {', '.join(sorted(known))}")
    return known[system]


def read_files(directory: Path = VECTORS) -> dict[Path, dict[str, Any]]:
    """Returns the contents of all files of vectors."""
    return {path: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(directory.glob("*.json"))}


def vectors(patterns: Iterable[str] = (), traps: Iterable[str] = (),
            operations: Iterable[str] = (), directory: Path = VECTORS) -> list[Vector]:
    """Returns the vectors whose name contains one of `patterns`, and whose trap and operation
    are among the given ones. An empty list selects all. Raises UnknownName if a selection
    matches nothing."""
    everything = [Vector(data) for content in read_files(directory).values()
                  for data in content["vectors"]]
    for kind, wanted in (("trap", traps), ("operation", operations)):
        known = {getattr(vector, kind) for vector in everything}
        for name in wanted:
            if name not in known:
                raise UnknownName(f"no {kind} '{name}'; there are: {', '.join(sorted(known))}")
    selected = [vector for vector in everything
                if (not traps or vector.trap in traps)
                and (not operations or vector.operation in operations)
                and (not patterns or any(pattern in vector.name for pattern in patterns))]
    if not selected:
        raise UnknownName("no vector matches")
    return selected


def sample(selected: list[Vector], size: int) -> list[Vector]:
    """Returns about `size` of the vectors, the same in each call: evenly spaced ones of each
    trap, and at least one of each."""
    groups: dict[str, list[Vector]] = {}
    for vector in selected:
        groups.setdefault(vector.trap, []).append(vector)
    result: list[Vector] = []
    for group in groups.values():
        number = max(1, round(len(group) * min(1.0, size / len(selected))))
        result += [group[i * len(group) // number] for i in range(number)]
    return result


def find_vector(name: str) -> Vector:
    """Returns the vector of that name, or the only one whose name contains it."""
    found = vectors([name])
    exact = [vector for vector in found if vector.name == name]
    if not exact and len(found) > 1:
        some = ", ".join(vector.name for vector in found[:5])
        raise UnknownName(f"'{name}' names {len(found)} vectors: {some}, ...")
    return (exact or found)[0]


def count(items: Iterable[Optional[str]]) -> dict[str, int]:
    """Counts equal items, most frequent first."""
    result: dict[str, int] = {}
    for item in items:
        result[str(item)] = result.get(str(item), 0) + 1
    return dict(sorted(result.items(), key=lambda pair: (-pair[1], pair[0])))
