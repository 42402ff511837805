# REQUIRES: python-module
# RUN: env POOL_BUILD_DIR=%build_dir %python %s
# UNEXPLORED: its vectors are fixed.
"""Runs the vectors of the conformance kit on every path and by doors of the Python package.

The traps of pooling stand in these vectors and not in other tests. pool-opt says first which of
them this version refuses. A vector that expects an error must be refused, by the verifier or
when it runs; one that the operations lack (LACKING of the adapter) is counted.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import tempfile

from pool_conformance.adapter import Unsupported
from pool_conformance.adapters.pool_mlir import LACKING, make_module
from pool_conformance.adapters.pool_mlir_doors import Functions, Onnx, TFLite
from pool_conformance.compare import judge
from pool_conformance.registry import vectors
from pool_conformance.tensor import BITS, Tensor
from pool_conformance.worker import answer
from pooltest import tier
from pooltest.report import Report, main
from pooltest.tools import Batch, run, tool

PATHS = {"vector": ["-O0"], "linalg": ["-O0"], "affine": ["-O0"], "reference": []}
# Pads of 2^31 elements, which compiled code allocates: pool-run would need up to 16 GiB.
TOO_LARGE = re.compile("dilation-beyond-31-bits/.*-pads-")
DOORS = {"Python": Functions, "ONNX": Onnx, "TFLite": TFLite}
# An empty batch of TFLite, and ONNX's output_shape of MaxUnpool, which the importer reads
# otherwise.
DOORS_REFUSE = ("does not convert this model", "an index is negative or not below")
SEPARATOR = "\n// -----\n"


def expects_error(vector):
    return any(expected.refused for expected in vector.expected)


def verdicts(modules):
    """Returns the first error of pool-opt for each module, None for a valid one."""
    text, starts, line = "", [], 1
    for module in modules:
        starts.append(line)
        part = module + SEPARATOR
        text += part
        line += part.count("\n")
    errors = [None] * len(modules)
    process = run([tool("pool-opt"), "--split-input-file", "-"], stdin=text)
    for found in re.finditer(r"^<stdin>:(\d+):\d+: error: (.*)$", process.stderr, re.MULTILINE):
        number = sum(start <= int(found[1]) for start in starts) - 1
        errors[number] = errors[number] or found[2]
    return errors


def stored(tensor):
    """Returns an array in the form of a file: types that NumPy lacks are untyped bytes."""
    return tensor.array.view(f"V{tensor.array.itemsize}") if tensor.type in BITS \
        else tensor.array


def check(report, title, vector, given):
    status, message = judge(vector, given)
    report.expect(status == "pass", f"{title}: {vector.name}: {status}", message)
    report.count(f"{title}: vectors")


def outputs_of(vector, arrays):
    result = {}
    for name, array in zip(vector.outputs, arrays):
        kind = vector.output_type(name)
        is_bits = array.dtype.kind == "V" and kind in BITS
        result[name] = (Tensor.of(array.view(BITS[kind]), kind) if is_bits
                        else Tensor.of(array)).to_json()
    return {"outputs": result}


def run_paths(report, selected, directory):
    modules = []
    for vector in selected:
        try:
            modules.append((vector, make_module(vector)))
        except Unsupported:
            report.count("no such operation in the adapter")
    valid, refusals = [], []
    for (vector, module), error in zip(modules, verdicts([text for _, text in modules])):
        if error is None:
            (refusals if expects_error(vector) else valid).append((vector, module))
        elif expects_error(vector):
            report.count("refused by the verifier")
        else:
            report.expect(any(text in error for text in LACKING), f"{vector.name} is refused",
                          module, error=error)
            report.count("not offered")
    for path, options in PATHS.items():
        for kind, chosen in (("valid", valid), ("refusals", refusals)):
            chosen = [item for item in chosen
                      if path == "reference" or not TOO_LARGE.match(item[0].name)]
            if not chosen:
                continue
            batch = Batch(f"{directory}/{path}-{kind}")
            for number, (vector, module) in enumerate(chosen):
                batch.add(f"f{number}", module.replace("@main(", f"@f{number}("),
                          [stored(tensor) for tensor in vector.inputs.values()],
                          [None] * len(vector.outputs))
            found, process = batch.run("--path", path, *options)
            if kind == "valid":
                report.expect(process.returncode == 0, f"pool-run --path {path}",
                              process.stderr[:3000])
            for (vector, module), arrays in zip(chosen, found):
                if kind == "refusals":
                    report.expect(arrays is None, f"{path}: {vector.name} is not refused",
                                  module)
                    report.count(f"{path}: refused when it runs")
                elif report.expect(arrays is not None, f"{path}: {vector.name}: no output",
                                   module):
                    check(report, path, vector, outputs_of(vector, arrays))


def run_doors(report, everything):
    """Runs a sample by each door of the Python package that is its own rule: not those of
    OpenVINO and PyTorch, which give what those libraries give."""
    for title, make in DOORS.items():
        try:
            adapter = make()
        except ImportError as error:
            report.missing.append(f"{title}: {error}")
            continue
        for vector in tier.sample(everything, tier.size(None, 60, 20), fixed=1):
            if TOO_LARGE.match(vector.name):
                continue
            given = answer(adapter, {"request": "run", "vector": vector.json})
            status, message = judge(vector, given)
            if status == "refused" and any(word in message for word in DOORS_REFUSE):
                report.count(f"{title}: refused")
            elif status != "unsupported":
                check(report, title, vector, given)


def body():
    report = Report("paths")
    everything = [vector for vector in vectors() if not vector.shape_only]
    with tempfile.TemporaryDirectory() as directory:
        run_paths(report, tier.sample(everything, tier.size(None, 200, 60)), directory)
    run_doors(report, everything)
    report.require_counted("refused by the verifier", "Python: vectors",
                           *(f"{path}: vectors" for path in PATHS))
    return report.finish()


main(body)
