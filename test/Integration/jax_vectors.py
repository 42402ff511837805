# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Gradients, compiled on every lowering path (vector, linalg, affine), must equal JAX's, which
are committed in test/data/jax.

test/data/jax/make_vectors.py made the results with jax.vjp of lax.reduce_window in f64: maxima
and averages, both layouts, every divisor, floor and ceil. Every quotient is a whole number, so
results must be equal. The gradient of a maximum runs twice: once it finds the maxima again, and
once it gets the indices of pool.max_pool.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gzip
import json
import tempfile
from pathlib import Path

import numpy as np

from pooltest import scatter, tier
from pooltest.case import Case, tensor_type
from pooltest.report import Report, main
from pooltest.tools import Batch

VECTORS = Path(__file__).resolve().parent.parent / "data" / "jax" / "vectors.json.gz"
NUM_VECTORS = 2000
PATHS = {"vector": ["-O0"], "linalg": ["-O0"], "affine": ["-O0"], "reference": []}
ATTRIBUTES = ("layout", "kernel", "strides", "pads_begin", "pads_end", "rounding_type",
              "divisor", "divisor_override")


def functions_of(vector):
    """Yields (text of a function @f, its operands) for the vector."""
    case = Case(vector["op"], tuple(vector["shape"]), element_type="f64",
                **{name: vector[name] for name in ATTRIBUTES if name in vector})
    source, output = case.input_type(), tensor_type(vector["output"], "f64")
    operands = [("%g", output, np.array(vector["g"], np.float64).reshape(vector["output"]))]
    if vector["op"] == "max_pool":
        operands.insert(0, ("%x", source, np.array(vector["x"], np.float64).reshape(case.shape)))
    arrays = [array for _, _, array in operands]
    yield scatter.function(f"{case.op}_grad", operands, case.properties(), source), arrays
    if vector["op"] == "avg_pool":
        return
    first = case.spatial_dims[0]
    indexed = case.with_(axis=first, index_type="i64")
    types = indexed.result_types(vector["output"])
    yield (f"func.func @f(%x: {source}, %g: {output}) -> {source} {{\n"
           f"  %v, %i = {indexed.generic_op(types)}\n"
           f'  %r = "pool.max_pool_grad"(%x, %g, %i) <{{{indexed.properties()}}}>'
           f" : ({source}, {output}, {types[1]}) -> {source}\n"
           f"  return %r : {source}\n}}\n"), arrays


def run():
    report = Report("jax_vectors")
    vectors = json.loads(gzip.decompress(VECTORS.read_bytes()))["cases"]
    report.expect(len(vectors) == NUM_VECTORS, f"{len(vectors)} vectors, not {NUM_VECTORS}")
    vectors = tier.sample(vectors, tier.size(None, 500, 50))
    with tempfile.TemporaryDirectory() as directory:
        batch, runs = Batch(directory), []
        for vector in vectors:
            for text, arrays in functions_of(vector):
                name = f"f{len(runs)}"
                batch.add(name, text.replace("@f(", f"@{name}("), arrays, [np.dtype(np.float64)])
                runs.append((vector, text))
        for path, options in PATHS.items():
            outputs, process = batch.run(f"--path={path}", *options)
            report.expect(process.returncode == 0, f"pool-run --path={path}",
                          stderr=process.stderr[:2000])
            for (vector, text), arrays in zip(runs, outputs):
                expected = np.array(vector["dx"], np.float64).reshape(vector["shape"])
                report.expect(arrays is not None and np.array_equal(arrays[0], expected),
                              f"JAX, --path={path}", text, vector=vector,
                              actual=arrays and arrays[0])
                report.count(f"{path}: gradients of {vector['op']}")
    return report.finish()


if __name__ == "__main__":
    main(run)
