# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Pooling of uniform quantised types must compute what an integer model says.

In the model, the oracle pools the stored integers with the zero points. The model then rescales
averages by TOSA's RESCALE, which this file has in Python. Random cases run in the interpreter and
as compiled code; their functions take and return quantised tensors.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import math
import tempfile

import numpy as np

from pooltest import generators, oracle, tier
from pooltest.case import NUMPY_TYPES
from pooltest.report import Report, main
from pooltest.tools import Batch

PATHS = {"reference": (), "linalg": ("-O0",), "affine": ("-O0",), "vector": ("-O0",)}
STORAGE = {"i8": "i8", "ui8": "u8", "i16": "i16", "ui16": "u16", "i32": "i32"}


class Quantization:
    """Scale, zero point and storage range of one quantised type."""

    def __init__(self, rng, element_type):
        info = np.iinfo(NUMPY_TYPES[element_type])
        self.storage = STORAGE[element_type]
        self.min, self.max = int(info.min), int(info.max)
        self.narrow = rng.random() < 0.3
        if self.narrow:
            self.min, self.max = self.min + 1, self.max - int(rng.integers(0, 3))
        # The mantissa has 21 bits, so f32 holds the scale exactly.
        self.scale = math.ldexp(int(rng.integers(2**20, 2**21)), int(rng.integers(-26, -19)))
        self.zero_point = int(rng.integers(self.min, self.max + 1))

    def __str__(self):
        bounds = f"<{self.min}:{self.max}>" if self.narrow else ""
        return (f"!quant.uniform<{self.storage}{bounds}:f32, "
                f"{self.scale!r}:{self.zero_point}>")


def rescale(value, source, target):
    """Computes TOSA's RESCALE of a stored value from type `source` to `target`, with a 32-bit
    multiplier and a shift, and with SINGLE_ROUND."""
    mantissa, exponent = math.frexp(source.scale / target.scale)
    multiplier = math.floor(mantissa * 2**31 + 0.5)
    shift = 31 - exponent
    if multiplier == 2**31:
        multiplier, shift = multiplier // 2, shift - 1
    assert 2 <= shift <= 62
    scaled = ((int(value) - source.zero_point) * multiplier + (1 << (shift - 1))) >> shift
    return min(max(scaled + target.zero_point, target.min), target.max)


def random_case(rng, op):
    element_type = generators.pick(rng, tuple(STORAGE))
    while True:
        case = generators.random_legal(rng, op, element_type)
        # Skip pad_value zero: in a quantised tensor it means the zero point, but the oracle
        # pads with a stored 0. Skip i32 with indices: `substitute`, which replaces the type of
        # values in the text, could not tell it from the type of indices.
        if case.pad_value == "neg_inf" and (case.element_type != "i32" or not case.index_type):
            break
    if rng.random() < 0.4:
        case = case.with_(dynamic=generators.dynamic_dims(rng, case))
    return case


class Job:
    """A case, its quantised text, its data and the expected results."""

    def __init__(self, rng, number):
        self.case = random_case(rng, "max_pool" if number % 3 == 0 else "avg_pool")
        self.input = Quantization(rng, self.case.element_type)
        self.output = self.input
        if self.case.op == "avg_pool" and rng.random() < 0.7:
            self.output = Quantization(rng, self.case.element_type)
        self.x = rng.integers(self.input.min, self.input.max + 1, self.case.shape,
                              dtype=np.int64).astype(self.case.dtype)
        self.expected = self.compute()
        plain = self.case.with_(input_zp=0, output_zp=0)
        shape = self.case.dynamic_output_shape(self.expected[0].shape)
        text = plain.function(f"f{number}", shape, pretty=bool(rng.integers(2)))
        given, wanted = plain.input_type(), plain.result_types(shape)[0]
        element = f"{self.case.element_type}>"
        self.text = self.substitute(text, given, wanted, element)

    def substitute(self, text, given, wanted, element):
        given_q = given.replace(element, f"{self.input}>")
        wanted_q = wanted.replace(element, f"{self.output}>")
        if given != wanted:
            return text.replace(given, given_q).replace(wanted, wanted_q)
        head, body = text.split("\n", 1)
        head = head.replace(given, given_q, 1).replace(given, wanted_q)
        operation, tail = body.split("\n", 1)
        operation = operation.replace(given, given_q, 1).replace(given, wanted_q)
        return "\n".join((head, operation, tail.replace(given, wanted_q)))

    def compute(self):
        zero_points = {}
        if self.case.op == "avg_pool":
            zero_points = {"input_zp": self.input.zero_point,
                           "output_zp": self.input.zero_point}
        truth = oracle.run(self.case.with_(**zero_points), self.x)
        if self.case.op == "max_pool":
            # In the quantised operation, padding has the smallest stored value.
            results = [np.maximum(truth.values, np.array(self.input.min, self.case.dtype))]
            return results + ([truth.indices] if truth.indices is not None else [])
        averages = np.clip(truth.exact.astype(object), self.input.min, self.input.max)
        if self.output is not self.input:
            averages = np.vectorize(lambda v: rescale(v, self.input, self.output),
                                    otypes=[object])(averages)
        return [averages.astype(self.case.dtype)]


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(600, 150, 60))
    parser.add_argument("--seed", type=int, default=tier.seed(23))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("quantised pooling")
    for start in range(0, options.cases, 300):
        numbers = range(start, min(start + 300, options.cases))
        jobs = [Job(rng, number) for number in numbers]
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            for job, number in zip(jobs, numbers):
                batch.add(f"f{number}", job.text, [job.x], [e.dtype for e in job.expected])
            for path, options_of_path in PATHS.items():
                outputs, process = batch.run("--path", path, *options_of_path)
                report.expect(process.returncode == 0, f"pool-run --path {path}",
                              stderr=process.stderr[:3000])
                for job, arrays in zip(jobs, outputs):
                    equal = arrays is not None and all(
                        a.dtype == e.dtype and np.array_equal(a, e)
                        for a, e in zip(arrays, job.expected))
                    report.expect(equal, f"{path}: {job.case.op}", job.text,
                                  data=job.x.tolist(), expected=job.expected, actual=arrays)
                    kind = "requantised" if job.output is not job.input else "quantised"
                    report.count(f"{path}: {kind} {job.case.op} stored as {job.input.storage}")
    return report.finish()


if __name__ == "__main__":
    main(run)
