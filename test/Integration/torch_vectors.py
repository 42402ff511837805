# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Pooling, compiled on every lowering path (vector, linalg, affine), must have PyTorch's results,
which are committed in test/data/torch.

test/data/torch/make_vectors.py made the results. They cover forward pooling where PyTorch is the
only peer: divisor_override, NaN that propagates, and ceil_torch with windows beyond the padded
input. They also cover adaptive pooling with indices, max_unpool with and without output_size, and
gradients by autograd. A sample has arguments of pool_mlir.torch: negative divisors, f16,
integers, indices. Every quotient of gradients is a whole number, so gradients must be equal. The
gradient of a maximum runs twice: with PyTorch's indices, and with maxima that it finds again.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import tempfile
from pathlib import Path

import numpy as np

from pooltest import tier
from pooltest.case import NUMPY_TYPES, tensor_type
from pooltest.report import Report, main
from pooltest.tools import Batch

DATA = Path(__file__).resolve().parent.parent / "data" / "torch"
FILES = {"vectors.json": 300, "adaptive.json": 120, "unpool.json": 60, "gradients.json": 160,
         "doors.json": 120}
PATHS = {"vector": ["-O0"], "linalg": ["-O0"], "affine": ["-O0"], "reference": []}
LISTS = ("kernel", "strides", "dilations", "pads_begin", "pads_end")


class Vector:
    """One operation: operands as (type, array), expected results, attributes."""

    def __init__(self, case):
        self.case = case
        self.op = case["op"]
        self.type = case.get("type", "f32")
        self.operands, self.results = [], []
        self.words = ""

    def array(self, key, shape, element_type=None):
        """Returns (type, array) of the case's list `key`."""
        element_type = element_type or self.type
        array = np.array(self.case[key], NUMPY_TYPES[element_type]).reshape(shape)
        return tensor_type(shape, element_type), array

    def window(self):
        case = self.case
        lists = {"kernel": case["kernel"], "strides": case["strides"],
                 "dilations": case.get("dilations"), "pads_begin": case["pads"],
                 "pads_end": case["pads"]}
        words = [f"{name} {lists[name]}" for name in LISTS if lists[name]]
        return " ".join(words + ["rounding_type ceil_torch"] * case["ceil"])

    def average(self):
        """Returns the average's own attributes. PyTorch's count_include_pad is the divisor
        `padded`."""
        words = [" divisor padded"] if self.case.get("count_include_pad") else []
        if "divisor_override" in self.case:
            words.append(f" divisor_override {self.case['divisor_override']}")
        return "".join(words)

    def function(self, name):
        arguments = ", ".join(f"%x{i}: {kind}" for i, (kind, _) in enumerate(self.operands))
        operands = ", ".join(f"%x{i}" for i in range(len(self.operands)))
        sources = ", ".join(kind for kind, _ in self.operands)
        names = ", ".join(f"%r{i}" for i in range(len(self.results)))
        targets = ", ".join(kind for kind, _ in self.results)
        return (f"func.func @{name}({arguments}) -> ({targets}) {{\n"
                f"  {names} = pool.{self.op} {operands} {self.words} : {sources} -> {targets}\n"
                f"  return {names} : {targets}\n}}\n")


def vectors_of(case):
    """Returns the case as a list of one operation, or of two for gradients."""
    vector = Vector(case)
    output = case["output"]
    if case["op"].endswith("pool_grad"):
        return gradients_of(case)
    vector.operands = [vector.array("x", case["shape"])]
    vector.results = [vector.array("y", output)]
    if case["op"] == "max_unpool":
        vector.operands.append(vector.array("indices", case["shape"], "i64"))
        vector.words = "axis 2"
    elif case["op"].startswith("adaptive"):
        vector.words = f"output_size {case['output_size']}"
        if "indices" in case:
            vector.results.append(vector.array("indices", output, "i64"))
            vector.words += " axis 2 nan_mode propagate"
    elif case["op"] == "max_pool":
        vector.words = f"{vector.window()} nan_mode propagate"
        if "indices" in case:
            vector.results.append(vector.array("indices", output, "i64"))
            vector.words += " axis 2"
    else:
        vector.words = vector.window() + vector.average()
    return [vector]


def gradients_of(case):
    vectors = []
    for given in (True, False) if case["op"] == "max_pool_grad" else (False,):
        vector = Vector(case)
        vector.operands = [vector.array("g", case["output"])]
        vector.words = vector.window()
        if case["op"] == "avg_pool_grad":
            vector.words += vector.average()
        else:
            vector.operands.insert(0, vector.array("x", case["shape"]))
        if given:
            vector.operands.append(vector.array("indices", case["output"], "i64"))
            vector.words += " axis 2"
        vector.results = [vector.array("dx", case["shape"])]
        vectors.append(vector)
    return vectors


def same_indices(report, x, actual, values, indices):
    """True if the indices are equal. Where the maximum is NaN, PyTorch's index is that of the
    last NaN, and ours that of the first."""
    nan = np.isnan(values)
    planes = x.reshape(*x.shape[:2], -1)
    named = np.take_along_axis(planes, indices.reshape(*x.shape[:2], -1), 2).reshape(nan.shape)
    later = nan & (indices > actual)
    report.difference("PyTorch's index of NaN is the last one's", int(later.sum()))
    return ((indices == actual) | (later & np.isnan(named))).all()


def same_but_for_reciprocals(actual, expected):
    """Allows averages to differ by a unit in the last place. Sums of the file's small integers
    are exact in any order, but a division by a rounded reciprocal rounds once more than
    PyTorch's division."""
    same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    with np.errstate(invalid="ignore"):
        near = np.abs(actual - expected) <= np.spacing(np.abs(expected))
    return bool((same | near).all())


def check(report, path, vector, arrays):
    text = vector.function("f")
    if not report.expect(arrays is not None, f"{path}: {vector.op}: no output", text):
        return
    expected = [array for _, array in vector.results]
    equal = [np.array_equal(a, e, equal_nan=a.dtype.kind == "f") for a, e in zip(arrays, expected)]
    if path == "vector" and "avg_pool" in vector.op and arrays[0].dtype.kind == "f":
        equal[0] |= same_but_for_reciprocals(arrays[0], expected[0])
    if len(expected) == 2:
        equal[1] = same_indices(report, vector.operands[0][1], arrays[1], *expected)
    report.expect(all(equal), f"PyTorch, --path={path}: {vector.op}", text,
                  data=[array.tolist() for _, array in vector.operands],
                  expected=expected, actual=arrays)
    report.count(f"{path}: {vector.op} {vector.type}")


def run():
    report = Report("torch_vectors")
    vectors = []
    for name, number in FILES.items():
        cases = json.loads((DATA / name).read_text())["cases"]
        report.expect(len(cases) == number, f"{name}: {len(cases)} cases, not {number}")
        report.count(f"cases of {name}", len(cases))
        vectors += [vector for case in tier.sample(cases, tier.size(None, 150, 20))
                    for vector in vectors_of(case)]
    for path, options in PATHS.items():
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            for i, vector in enumerate(vectors):
                batch.add(f"f{i}", vector.function(f"f{i}"), [array for _, array in vector.operands],
                          [array.dtype for _, array in vector.results])
            outputs, process = batch.run(f"--path={path}", *options)
        report.expect(process.returncode == 0, f"pool-run --path={path}",
                      stderr=process.stderr[:2000])
        for vector, arrays in zip(vectors, outputs):
            check(report, path, vector, arrays)
    return report.finish()


if __name__ == "__main__":
    main(run)
