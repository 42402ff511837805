"""Writes the status of pool-mlir from results of the kit: what runs on which path, by which door.

    python conformance/scripts/make_status.py --results DIRECTORY   writes status.json, status.md
    python conformance/scripts/make_status.py --check               fails if they are not current

DIRECTORY has the files that `pool-conformance run` writes for the systems of DOORS; others are
ignored. status.json is the data and status.md its page, both in conformance/reports. --check
runs nothing: it makes the page again, and compares the vectors with those that were run.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pool_conformance.compare import FAULTS  # noqa: E402
from pool_conformance.confirm import digest  # noqa: E402
from pool_conformance.registry import vectors  # noqa: E402
from pool_conformance.vector import OPERATIONS, Vector  # noqa: E402

DATA, PAGE = ROOT / "reports" / "status.json", ROOT / "reports" / "status.md"
# System -> (door, path)
DOORS = {"pool-vector": ("pool-run", "vector"), "pool-linalg": ("pool-run", "linalg"),
         "pool-affine": ("pool-run", "affine"), "pool-reference": ("pool-run", "reference"),
         "pool-python": ("Python functions", "vector"),
         "pool-torch": ("PyTorch functions", "vector"),
         "pool-jax": ("JAX functions", "vector"), "pool-onnx": ("ONNX models", "vector"),
         "pool-tflite": ("TFLite models", "vector"),
         "pool-openvino": ("OpenVINO models", "vector"),
         "pool-import-jax": ("imported JAX", "vector")}
TYPES = ("f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "i8", "ui8", "i16", "ui16", "i32",
         "ui32", "i64", "ui64")
LAYOUTS = ("channels_first", "channels_last")


def layout_of(vector: Vector) -> str:
    return vector["layout"] or "any"


def fingerprint() -> str:
    """Returns a text that changes with any vector."""
    parts = [f"{vector.name} {digest(vector.json)}" for vector in vectors()]
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


def collect(directory: Path) -> dict[str, Any]:
    """Returns the status as data: a row for each operation, type, layout, path and door."""
    counts: dict[tuple[str, ...], dict[str, int]] = {}
    systems = []
    everything = vectors()
    for system, (door, path) in DOORS.items():
        file = directory / f"{system}.json"
        if not file.exists():
            print(f"no {file.name}", file=sys.stderr)
            continue
        result = json.loads(file.read_text(encoding="utf-8"))
        systems.append({"door": door, "path": path, "version": result["version"],
                        "date": result["date"],
                        "vectors": sum(v.name in result["results"] for v in everything)})
        for vector in everything:
            entry = result["results"].get(vector.name)
            # A vector that expects an error says nothing about what is offered.
            if entry is None or any(expected.refused for expected in vector.expected):
                continue
            key = (vector.operation, vector.type, layout_of(vector), path, door)
            row = counts.setdefault(key, {})
            row[entry["status"]] = row.get(entry["status"], 0) + 1
    names = ("operation", "type", "layout", "path", "door")
    return {"vectors": fingerprint(), "systems": systems,
            "rows": [{**dict(zip(names, key)), **row} for key, row in counts.items()]}


def text(data: dict[str, Any]) -> str:
    """Returns the JSON, a row a line."""
    systems = ",\n  ".join(map(json.dumps, data["systems"]))
    rows = ",\n  ".join(map(json.dumps, data["rows"]))
    return (f'{{"vectors": {json.dumps(data["vectors"])},\n "systems": [\n  {systems}],\n'
            f' "rows": [\n  {rows}]}}\n')


def cell(rows: list[dict[str, Any]]) -> str:
    """Returns a cell: passes by layout, and what else happened."""
    passes = [sum(row.get("pass", 0) for row in rows if row["layout"] == layout)
              for layout in LAYOUTS]
    passes[0] += sum(row.get("pass", 0) for row in rows if row["layout"] == "any")
    wrong = {status: sum(row.get(status, 0) for row in rows)
             for status in (*FAULTS, "broken", "refused")}
    notes = [f"{number} {status}" for status, number in wrong.items() if number]
    if not rows:
        return ""
    if not any(passes):
        return ", ".join(notes) or "-"
    return ", ".join([f"{passes[0]}+{passes[1]}", *notes])


def page(data: dict[str, Any]) -> str:
    """Returns the page."""
    lines = ["# Status of pool-mlir", "",
             "What runs, by operation, element type, layout, path and door. Made by",
             "`conformance/scripts/make_status.py` from runs of the [kit](../README.md);",
             "[status.json](status.json) has the data. A cell `4+1` says: 4 vectors with channels",
             "first and 1 with channels last have the right result. `-`: not offered. An empty",
             "cell: no vector. `refused`: an error, most often for the memory that a vector needs.",
             "The doors of PyTorch and OpenVINO give what those libraries give, also where a",
             "vector says otherwise: these are their differences.", "",
             "| door | path | version | date | vectors |", "|---|---|---|---|---|"]
    lines += [f"| {s['door']} | {s['path']} | {s['version']} | {s['date']} | {s['vectors']} |"
              for s in data["systems"]]
    for system in data["systems"]:
        mine = [row for row in data["rows"]
                if (row["door"], row["path"]) == (system["door"], system["path"])]
        used = [kind for kind in TYPES if any(row["type"] == kind for row in mine)]
        lines += ["", f"## {system['door']}, path {system['path']}", "",
                  "| operation | " + " | ".join(used) + " |", "|---|" + "---|" * len(used)]
        for operation in OPERATIONS:
            rows = [row for row in mine if row["operation"] == operation]
            if rows:
                lines.append(f"| {operation} | " + " | ".join(
                    cell([row for row in rows if row["type"] == kind]) for kind in used) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", metavar="DIRECTORY")
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    if bool(arguments.results) == arguments.check:
        parser.error("give --results or --check")
    if arguments.results:
        data = collect(Path(arguments.results))
        DATA.write_text(text(data), encoding="utf-8")
        PAGE.write_text(page(data), encoding="utf-8")
        print(f"{len(data['rows'])} rows")
        return 0
    data = json.loads(DATA.read_text(encoding="utf-8"))
    faults = []
    if DATA.read_text(encoding="utf-8") != text(data) \
            or PAGE.read_text(encoding="utf-8") != page(data):
        faults.append("status.md is not the page of status.json")
    if data["vectors"] != fingerprint():
        faults.append("the vectors have changed: run the systems of DOORS again, with "
                      "`pool-conformance run`, then this script with --results")
    missing = [door for door, path in DOORS.values()
               if not any(s["door"] == door and s["path"] == path for s in data["systems"])]
    if missing:
        faults.append(f"doors without a run: {', '.join(missing)}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
