"""Times the pooling layers of trained models beside ONNX Runtime and OpenVINO.

The models come from nudenet, rapidocr and the onnx package, as in test/Python/onnx-models.py.
Models of ddddocr and rapidocr 3 are added if these packages are installed
(benchmarks/requirements-models.txt). Every layer has the extents for a photograph. Equal layers of
a model are timed once. The layers become workloads of compare.py: its contestants compute each
layer in turns, as a model of this layer alone.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import onnx

from measure.native import Failure
from measure.report import number
from pooltest import onnx_models, real_models
from pooltest.case import ENUMS, INTEGERS, LISTS, Case

KIND = "installed model"
ROUNDS = 20
COMPARE = Path(__file__).resolve().parents[1] / "compare.py"
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


def clean(name):
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)


def rows(options):
    """Returns {workload name: (model, case, number of the model's layers that equal it)}."""
    found = {}
    for source in (*real_models.REQUIRED, *real_models.OPTIONAL):
        path = source.locate()
        # Reading a model takes seconds, so skip those that --only does not name.
        if path is None or not any(part in clean(source.name) for part in options.only or [""]):
            continue
        _, layers = real_models.activations(source, onnx.load(path))
        cases = collections.Counter(
            case_of(layer) for layer in layers if layer.op != "MaxUnpool")
        for i, (case, count) in enumerate(cases.items()):
            found[f"{clean(source.name)}_{i}"] = (source.name, case, count)
    return found


def times_row(times):
    """Returns the cells of a row: the times, and the best peer's time divided by ours."""
    peers = [times[who] for who in PEERS if times.get(who)]
    ratio = min(peers) / times["pool"] if peers and times.get("pool") else None
    return [number(times.get(who)) for who in ("pool", *PEERS)] + [number(ratio)]


def measure(chosen, options):
    """Returns what compare.py writes as JSON."""
    workloads, result = options.directory / "workloads.json", options.directory / "result.json"
    workloads.write_text(json.dumps(
        {"workloads": [entry_of(case, name) for name, (_, case, _) in chosen.items()]}))
    limits = ["--no-limits"] if options.no_limits else []
    process = subprocess.run(
        [sys.executable, COMPARE, workloads, "--build", options.build, "--peers",
         ",".join(PEERS), "--threads", "1", "--no-linalg", "--json", result, "--rounds",
         str(options.rounds), *limits], check=False, stdout=subprocess.DEVNULL)
    if not result.exists():
        raise Failure(f"compare.py ended with {process.returncode}")
    return json.loads(result.read_text()), process.returncode


def add_options(parser):
    parser.add_argument("--no-limits", action="store_true", help="without the bandwidth limits")


def run(chosen, options, report):
    measured, report.status = measure(chosen, options)
    machine = measured["machine"]
    report.line("One thread, microseconds, the least of many calls in turn; "
                f"{machine['processor']}, {machine['cpus']} CPUs.\n")
    names = ("pool", "ONNX Runtime", "OpenVINO", "best peer / pool")
    report.header("model", "layer", "input", "window", "times", *names, left=(0, 1, 2, 3))
    found = {w["name"]: w["contestants"] for w in measured["runs"][0]["workloads"]}
    sums = collections.defaultdict(collections.Counter)
    for name, (model, case, count) in chosen.items():
        times = {who: found.get(name, {}).get(who, {}).get("min_us") for who in ("pool", *PEERS)}
        report.row(model, case.op, "x".join(map(str, case.shape)), window(case), count,
                   *times_row(times))
        report.figures[name] = {"count": count, **times}
        for who, time in times.items():
            sums[model][who] += count * (time or float("nan"))
        sums[model]["layers"] += count
    report.line("\nAll pooling of a model:\n")
    report.header("model", "layers", *names)
    for model, total in sums.items():
        known = {who: time for who, time in total.items() if time == time}
        report.row(model, total["layers"], *times_row(known))
