# RUN: %doors_python %s
"""Gradients and max_unpool of dask's arrays, with random chunks for each operand, must give the
result on the whole arrays.

In most random problems, NumPy definitions from pooltest compute in place of compiled kernels.
Some problems are compiled, and run by threads and by processes. In all problems, the blocks must
be bit-equal to the whole result. Sums of averages use `uniform_sums`, because kernels may add in
another order. Other checks compare with one call of pool_mlir.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import dask.array as da
import numpy as np

import pool_mlir
from functions import random_chunks
from partition import COMPILED, KINDS, SUMS, glue
from pool_mlir import _parts
from pool_mlir import dask as ours
from pooltest import tier
from pooltest.compare import same_arrays
from pooltest.definition import by_definition
from pooltest.errors import raises
from pooltest.report import Report, main

# Indices of the kinds of problems that scatter: max_unpool and the gradients.
SCATTER = range(6, len(KINDS))


def call(problem, arrays, **more):
    """Calls the dask function of the problem's operation."""
    attributes = dict(problem.attributes)
    attributes.pop("index_element_type", None)
    if attributes.pop("return_indices", False):
        more["indices"] = arrays.pop()
    if problem.op == "avg_pool_grad":
        arrays.append(problem.shape)
    return getattr(ours, problem.op)(*arrays, **attributes, **more)


def run_random(rng, count, scheduler, report):
    for number in range(count):
        kind = SCATTER[number % len(SCATTER)]
        problem = KINDS[kind](rng)
        more = {"uniform_sums": True} if kind in SUMS else {}
        whole = problem.cut([None] * problem.rank, **more)
        (expected,) = glue(whole, problem.arrays)
        chunks = [random_chunks(rng, array.shape) for array in problem.arrays]
        if rng.random() < 0.3:
            more["chunks"] = random_chunks(rng, expected.shape)
        lazy = call(problem, [da.from_array(array, chunks=sizes) for array, sizes
                              in zip(problem.arrays, chunks)], **more)
        result = lazy.compute(scheduler=scheduler)
        report.expect(lazy.shape == expected.shape and lazy.dtype == expected.dtype
                      and same_arrays(expected, result), f"{problem.op} by {scheduler}",
                      f"{problem}\nchunks {chunks} {more}", expected=expected, actual=result)
        report.count(f"{problem.op} by {scheduler}")
        report.count("results in several blocks", lazy.npartitions > 1)


WINDOW = {"kernel": 3, "strides": 2, "pads_begin": 1, "pads_end": 1}


def check_whole(rng, report):
    """Compares with one call of pool_mlir, and checks the chunks of the result."""
    x = rng.integers(-9, 9, (2, 3, 37, 41)).astype(np.float32)
    values, indices = pool_mlir.max_pool(x, **WINDOW, return_indices=True)
    grad = rng.integers(-9, 9, values.shape).astype(np.float32)
    lazy = [da.from_array(array, chunks=chunks) for array, chunks in (
        (x, (1, 2, 10, 17)), (grad, (2, 3, 7, 5)), (values, (2, 3, 7, 5)),
        (indices, (1, 3, 6, 21)))]
    inner = ((2,), (3,), (14, 14, 9), (10, 10, 10, 10, 1))
    for name, result, expected, chunks in (
            ("max_pool_grad", ours.max_pool_grad(*lazy[:2], **WINDOW),
             pool_mlir.max_pool_grad(x, grad, **WINDOW), lazy[0].chunks),
            ("indices", ours.max_pool_grad(*lazy[:2], **WINDOW, indices=lazy[3]),
             pool_mlir.max_pool_grad(x, grad, **WINDOW, indices=indices), lazy[0].chunks),
            ("min_pool_grad", ours.min_pool_grad(*lazy[:2], **WINDOW, chunks=(2, 3, 9, 41)),
             pool_mlir.min_pool_grad(x, grad, **WINDOW), ((2,), (3,), (9, 9, 9, 9, 1), (41,))),
            ("avg_pool_grad", ours.avg_pool_grad(lazy[1], x.shape, **WINDOW, divisor_override=1),
             pool_mlir.avg_pool_grad(grad, x.shape, **WINDOW, divisor_override=1), inner),
            ("max_unpool", ours.max_unpool(*lazy[2:], x.shape),
             pool_mlir.max_unpool(values, indices, x.shape), ((2,), (3,), (37,), (41,))),
            ("max_unpool with a window", ours.max_unpool(*lazy[2:], x.shape, **WINDOW),
             pool_mlir.max_unpool(values, indices, x.shape), inner),
            ("max_unpool that reads all",
             ours.max_unpool(*lazy[2:], x.shape, chunks=(1, 3, 20, 20)),
             pool_mlir.max_unpool(values, indices, x.shape),
             ((1, 1), (3,), (20, 17), (20, 20, 1)))):
        # Sums of small integers are exact in any order.
        report.expect(result.chunks == chunks and same_arrays(expected, result.compute()),
                      f"{name} beside one call", str(result.chunks))
        report.expect({layer.split("-")[0] for layer in result.dask.layers}
                      <= {"array", result.name.split("-")[0]}, "nothing is rechunked",
                      str(list(result.dask.layers)))
        report.count("beside one call")


def check_padding_alone(report):
    """A window of only padding has index 0. With a kernel, max_unpool knows such windows and
    leaves their values out. Without one, it writes the values to position 0."""
    x = np.array([[[1, 2, 3, 4]]], np.float32)
    window = {"kernel": 1, "strides": 3, "pads_end": 3, "rounding_type": "ceil"}
    arrays = pool_mlir.max_pool(x, **window, return_indices=True)
    report.expect(arrays[1].tolist() == [[[0, 3, 0]]], "indices", str(arrays))
    values, indices = (da.from_array(array, chunks=1) for array in arrays)
    for result, expected in (
            (pool_mlir.max_unpool(*arrays, x.shape), [-np.inf, 0, 0, 4]),
            (ours.max_unpool(values, indices, x.shape), [-np.inf, 0, 0, 4]),
            (ours.max_unpool(values, indices, x.shape, **window), [1, 0, 0, 4]),
            (ours.max_unpool(values, indices, x.shape, chunks=2, **window), [1, 0, 0, 4])):
        report.expect(np.asarray(result).tolist() == [[expected]], "a window of padding alone",
                      str(np.asarray(result)))
        report.count("windows of padding alone")


def check_byte_order(rng, report):
    """Operands in the other byte order give the same results as operands in the
    machine's."""
    x = rng.integers(-9, 9, (1, 2, 13, 11)).astype(np.float32)
    values, indices = pool_mlir.max_pool(x, **WINDOW, return_indices=True)
    arrays = {"x": x, "output_grad": values, "values": values, "indices": indices}
    for op, names, more in (
            ("max_pool", ("x",), WINDOW), ("avg_pool", ("x",), {**WINDOW, "divisor": "padded"}),
            ("max_pool_grad", ("x", "output_grad"), WINDOW),
            ("max_pool_grad", ("x", "output_grad", "indices"), WINDOW),
            ("max_unpool", ("values", "indices"), {"output_shape": x.shape}),
            ("max_unpool", ("values", "indices"), {"output_shape": x.shape, **WINDOW})):
        # Chunks of 20 are read in place; chunks of 5 need slices, which are copied.
        for swapped, size in itertools.product(names, (20, 5)):
            given = {name: da.from_array(arrays[name], chunks=size) for name in names}
            expected = getattr(ours, op)(**given, **more).compute()
            given[swapped] = given[swapped].astype(given[swapped].dtype.newbyteorder("S"))
            result = getattr(ours, op)(**given, **more)
            report.expect(result.dtype == expected.dtype
                          and same_arrays(expected, result.compute()),
                          f"{op}, {swapped} in the other byte order", str(result.dtype))
            report.count("other byte orders")


def check_errors(report):
    x, grad = da.ones((1, 1, 8, 8), chunks=4), da.ones((1, 1, 4, 4), chunks=2)
    index = da.zeros((1, 1, 4, 4), chunks=2, dtype=np.int64)
    window = {"kernel": 2, "strides": 2}
    for make, words in (
            (lambda: ours.max_pool_grad(x, grad[:, :, grad[0, 0, 0] > 0], **window),
             "output_grad has chunks of unknown sizes"),
            (lambda: ours.max_pool_grad(x, grad[:, :, :3], **window),
             "max_pool_grad: output_grad has the shape (1, 1, 3, 4), must have (1, 1, 4, 4)"),
            (lambda: ours.max_pool_grad(x, grad[0], **window), "must have (1, 1, 4, 4)"),
            (lambda: ours.avg_pool_grad(grad, (1, 1, 8, 8), 9), "(Window.C8) dimension 2"),
            (lambda: ours.max_unpool(grad, index, (1, 1, 8)), "rank"),
            (lambda: ours.max_unpool(grad, index, (1, 1, 8, 8), strides=2), "needs a kernel"),
            (lambda: ours.max_unpool(grad, index, (1, 1, 8, 8), index_element_type="i32"),
             "max_unpool: index_element_type is 'i32', indices has elements of int64"),
            (lambda: ours.max_unpool(grad, index + 64, (1, 1, 8, 8)).compute(),
             "max_unpool: index 64 at (0, 0, 0, 0) names no position"),
            (lambda: ours.max_unpool(grad, index, (1, 1, 8, 8), **window).compute(),
             "lies outside its window")):
        raises(report, ValueError, words, make)
    for make, words in (
            (lambda: ours.max_pool_grad(x, np.ones((1, 1, 4, 4)), **window),
             "output_grad is a ndarray, must be an array of dask"),
            (lambda: ours.max_pool_grad(x, grad.astype("f4"), **window),
             "output_grad has elements of float32, must have float64"),
            (lambda: ours.max_unpool(grad, index.astype("i2"), (1, 1, 8, 8)),
             "indices has elements of int16, must have int32 or int64"),
            (lambda: ours.max_unpool(grad, index, (1, 1, 8, 8), colour=1), "colour")):
        raises(report, TypeError, words, make)


def run():
    report = Report("gradients of dask")
    rng = np.random.default_rng(tier.seed(7))
    _parts.call = by_definition
    run_random(rng, tier.size(4000, 60, 24), "sync", report)
    _parts.call = COMPILED
    run_random(rng, tier.size(120, 12, 6), "threads", report)
    run_random(rng, tier.size(24, 3, 1), "processes", report)
    check_whole(rng, report)
    check_padding_alone(report)
    check_byte_order(rng, report)
    check_errors(report)
    report.require_counted("results in several blocks")
    return report.finish()


if __name__ == "__main__":
    main(run)
