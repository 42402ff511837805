#!/usr/bin/env python3
"""Times the pooling layers of trained models beside ONNX Runtime and OpenVINO.

The models come from nudenet, rapidocr and the onnx package, as in
test/Python/onnx-models.py. Models of ddddocr and rapidocr 3 are added if these packages are
installed (benchmarks/requirements-models.txt). Every layer has the extents for a photograph.
Equal layers of a model are timed once. The layers become workloads of compare.py: its
contestants compute each layer in turns, as a model of this layer alone.

    real_models.py --build build --markdown table.md
    real_models.py --only nudenet --rounds 50      other options go to compare.py
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import dataclasses
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import onnx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# pylint: disable=wrong-import-position
from measure import native  # noqa: E402, F401  (first, because it extends sys.path)
from measure.report import number  # noqa: E402
from pooltest import onnx_models, real_models  # noqa: E402
from pooltest.case import ENUMS, INTEGERS, LISTS, Case  # noqa: E402

PEERS = ("onnxruntime", "openvino")


def case_of(layer):
    """Returns the layer as a Case; a global one has a window of the input's extents."""
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in layer.node.attribute}
    if isinstance(attributes.get("auto_pad"), bytes):
        attributes["auto_pad"] = attributes["auto_pad"].decode()
    op = layer.op.removeprefix("Global")
    if op != layer.op:
        attributes["kernel_shape"] = list(layer.inputs[0].shape[2:])
    return onnx_models.case_of(onnx_models.Model(
        op, layer.opset, 0, layer.inputs, attributes, len(layer.outputs)))


def entry_of(case, name):
    """Returns the Case as an entry of a file of workloads."""
    entry = {"name": name, "op": case.op, "input": list(case.shape), "type": case.element_type}
    defaults = {f.name: f.default for f in dataclasses.fields(Case)}
    for key in (*LISTS, *ENUMS, *INTEGERS):
        value = getattr(case, key)
        if value is not None and value != defaults.get(key):
            entry[key] = list(value) if key in LISTS else value
    if case.index_type:
        entry["indices"] = case.index_type
    return entry


def window(case):
    """Describes the window in a few words."""
    words = [f"k {'x'.join(map(str, case.kernel))}"]
    for letter, values, default in (("s", case.strides, 1), ("d", case.dilations, 1)):
        if any(v != default for v in values):
            words.append(f"{letter} {'x'.join(map(str, values))}")
    if any(case.pads_begin) or any(case.pads_end):
        words.append(f"p {','.join(map(str, (*case.pads_begin, *case.pads_end)))}")
    if case.rounding_type != "floor":
        words.append("ceil")
    return " ".join(words)


def collect(options):
    """Returns {workload name: (model, case, number of the model's layers that equal it)}."""
    found = {}
    for source in (*real_models.REQUIRED, *real_models.OPTIONAL):
        path = source.locate()
        if path is None or not any(part in source.name for part in options.only or [""]):
            continue
        _, layers = real_models.activations(source, onnx.load(path))
        cases = collections.Counter(
            case_of(layer) for layer in layers if layer.op != "MaxUnpool")
        for i, (case, count) in enumerate(cases.items()):
            name = re.sub(r"[^A-Za-z0-9_.-]", "_", f"{source.name}_{i}")
            found[name] = (source.name, case, count)
    return found


def tables(found, run, machine):
    """Returns a table of the layers and one of the models, as lines of Markdown."""
    rows = {w["name"]: w["contestants"] for w in run["workloads"]}
    lines = [f"One thread, microseconds, the least of many calls in turn; {machine}", "",
             "| model | layer | input | window | times | pool | ONNX Runtime | OpenVINO | "
             "best peer / pool |", "|---|---|---|---|---|---|---|---|---|"]
    sums = collections.defaultdict(lambda: collections.defaultdict(float))
    for name, (model, case, count) in found.items():
        times = {who: rows.get(name, {}).get(who, {}).get("min_us") for who in ("pool", *PEERS)}
        peers = [times[who] for who in PEERS if times[who]]
        ratio = min(peers) / times["pool"] if peers and times["pool"] else None
        lines.append(
            f"| {model} | {case.op} | {'x'.join(map(str, case.shape))} | {window(case)} | {count} "
            f"| {' | '.join(number(times[who]) for who in ('pool', *PEERS))} | {number(ratio)} |")
        for who, time in times.items():
            sums[model][who] += count * time if time else float("nan")
        sums[model]["layers"] += count
    lines += ["", "All pooling of a model:", "",
              "| model | layers | pool | ONNX Runtime | OpenVINO | best peer / pool |",
              "|---|---|---|---|---|---|"]
    for model, total in sums.items():
        peers = [total[who] for who in PEERS if total[who] == total[who]]
        times = [total[who] if total[who] == total[who] else None for who in ("pool", *PEERS)]
        ratio = min(peers) / times[0] if peers and times[0] else None
        lines.append(f"| {model} | {int(total['layers'])} | "
                     f"{' | '.join(map(number, times))} | {number(ratio)} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--only", action="append", metavar="TEXT",
                        help="only models whose name contains this; may be given several times")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables to FILE")
    options, rest = parser.parse_known_args()
    found = collect(options)
    if not found:
        sys.exit("no such model is installed")
    with tempfile.TemporaryDirectory() as directory:
        workloads, result = Path(directory) / "workloads.json", Path(directory) / "result.json"
        workloads.write_text(json.dumps(
            {"workloads": [entry_of(case, name) for name, (_, case, _) in found.items()]}))
        process = subprocess.run(
            [sys.executable, str(HERE / "compare.py"), str(workloads), "--build",
             str(options.build), "--peers", ",".join(PEERS), "--threads", "1", "--no-linalg",
             "--json", str(result), *rest], check=False, stdout=subprocess.DEVNULL)
        if not result.exists():
            sys.exit(process.returncode or 1)
        measured = json.loads(result.read_text())
    machine = measured["machine"]
    lines = tables(found, measured["runs"][0],
                   f"{machine['processor']}, {machine['cpus']} CPUs.")
    print("\n".join(lines))
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n")
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
