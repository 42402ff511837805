# RUN: %doors_python %s
"""pool_mlir.dask on random chunks must give the result of pool_mlir on the whole array.

In most random problems, NumPy definitions from pooltest compute in place of compiled kernels.
Some problems are compiled, and run by threads and by processes. In all problems, the blocks must
equal the whole result as numbers. Sums of floats use `uniform_sums`, because kernels may add in
another order. The test also inspects the graphs: nothing is rechunked, and blocks are read in
place where the documentation says so. Unsupported requests and masked arrays must be refused.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dask
import dask.array as da
import numpy as np

import pool_mlir
from pool_mlir import _parts
from pool_mlir import dask as ours
from pool_mlir.dask import _graph
from pooltest import compare, generators, keywords, rules, tier
from pooltest.definition import by_definition
from pooltest.errors import raises
from pooltest.report import Report, main

COMPILED = _parts.call
OPS = ("max_pool", "avg_pool", "min_pool", "lp_pool")


def random_chunks(rng, shape):
    """Returns random chunks of each dimension: one chunk, regular chunks, or any sizes, some
    of them small."""
    chunks = []
    for extent in shape:
        kind = rng.integers(3)
        if kind == 0 or extent == 0:
            sizes = [extent]
        elif kind == 1:
            size = int(rng.integers(1, extent + 1))
            sizes = [size] * (extent // size) + ([extent % size] if extent % size else [])
        else:
            places = np.unique(rng.integers(0, extent + 1, rng.integers(1, 5)))
            sizes = [int(n) for n in np.diff([0, *places, extent]) if n]
        chunks.append(tuple(sizes))
    return tuple(chunks)


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def get_whole(case, x, uniform):
    plan = pool_mlir.partition(case.op, x.shape, output_cuts=[None] * x.ndim, dtype=x.dtype,
                               **keywords.window(case), **uniform)
    part = plan[0]
    return as_tuple(part.run(x[part.inputs["x"]]))


def run_random(rng, count, scheduler, report):
    for number in range(count):
        op = OPS[number % len(OPS)]
        case = generators.random_legal(rng, op, generators.pick(rng, generators.FLOAT_TYPES)
                                       if op == "lp_pool" else generators.element_type(rng))
        x = generators.data(rng, case, generators.pick(rng, generators.kinds(case)))
        uniform = {"uniform_sums": True} if op in ("avg_pool", "lp_pool") else {}
        chunks = random_chunks(rng, x.shape)
        wanted = {}
        if rng.random() < 0.3:
            wanted["chunks"] = random_chunks(rng, rules.output_shape(case))
        _graph.SPLIT_BYTES = int(rng.integers(2)) << 40
        pooled = as_tuple(getattr(ours, op)(da.from_array(x, chunks=chunks),
                                            **keywords.window(case), **uniform, **wanted))
        results = dask.compute(*pooled, scheduler=scheduler)
        for whole, lazy, result in zip(get_whole(case, x, uniform), pooled, results):
            report.expect(lazy.shape == whole.shape == result.shape
                          and lazy.dtype == whole.dtype == result.dtype
                          and compare.same_values(whole, result).all(),
                          f"{op} by {scheduler}", f"{case}\nchunks {chunks} {wanted}",
                          expected=whole, actual=result)
            for sizes in lazy.chunks:
                report.expect(0 not in sizes or sum(sizes) == 0 or wanted,
                              "empty chunks", str(lazy.chunks))
        report.count(f"{op} by {scheduler}")


def check_graph(report):
    """Blocks without a halo are read in place. Other blocks are split: the interior is
    read in place, and only halos are copied from neighbours."""
    _graph.SPLIT_BYTES = 0
    x = da.ones((1, 1, 64, 64), chunks=(1, 1, 16, 16), dtype=np.float32)
    y = ours.max_pool(x, 2, strides=2)
    report.expect(len(y.dask) == len(x.dask) + 16 and y.chunks == ((1,), (1,), (8,) * 4, (8,) * 4),
                  "windows without a halo are one task for each block", str(y.dask))
    y = ours.max_pool(x, 3, strides=2, pads_begin=1, pads_end=1)
    layer = y.dask.layers[y.name]
    blocks = [task[0] for task in layer.values() if isinstance(task[0], _graph.Block)]
    inside = [piece for block in blocks for piece in block.pieces if len(piece.sources[0]) == 1]
    array = np.ones((1, 1, 16, 16), np.float32)
    report.expect(len(blocks) == 16 and all(
        any(np.shares_memory(next(piece.get_slices([array] * 9)), array)
            for piece in block.pieces) for block in blocks), "the inside is read in place")
    report.expect(sum(int(np.prod(piece.part.shape)) for piece in inside) >= 0.75 * 32 * 32,
                  "most of it is inside")
    report.expect(set(y.dask.layers) == {x.name, y.name}, "nothing is rechunked",
                  str(list(y.dask.layers)))
    _graph.SPLIT_BYTES = 1 << 40
    y = ours.max_pool(x, 3, strides=2, pads_begin=1, pads_end=1)
    report.expect(all(len(task[0].pieces) == 1 for task in y.dask.layers[y.name].values()
                      if isinstance(task[0], _graph.Block)), "small blocks are one part each")
    report.count("graphs")


def check_map_blocks(report):
    """Functions of pool_mlir and compiled ones reach other processes."""
    x = np.random.default_rng(tier.seed(6)).random((2, 1, 8, 8), np.float32)
    compiled = pool_mlir.compile("""
      func.func @main(%x: tensor<?x1x8x8xf32>) -> tensor<?x1x4x4xf32> {
        %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
          : tensor<?x1x8x8xf32> -> tensor<?x1x4x4xf32>
        return %y : tensor<?x1x4x4xf32>
      }""")
    expected = pool_mlir.max_pool(x, 2, 2)
    for function, arguments in ((pool_mlir.max_pool, (2, 2)), (compiled, ())):
        blocks = da.from_array(x, chunks=(1, 1, 8, 8)).map_blocks(
            function, *arguments, chunks=(1, 1, 4, 4), dtype=x.dtype, meta=x[:0])
        report.expect(np.array_equal(blocks.compute(scheduler="processes"), expected),
                      f"map_blocks of {function!r}")
        report.count("map_blocks")


def check_errors(report):
    x = da.ones((1, 1, 8, 8), chunks=4)
    unknown = x[:, :, x[0, 0, 0] > 0]
    refused = (
        (lambda: ours.max_pool(unknown, 2), "chunks of unknown sizes"),
        (lambda: ours.max_pool(x, 9), "(Window.C8) dimension 2: the window covers 9"),
        (lambda: ours.max_pool(x, 2, rounding_type="down"), "rounding_type is 'down'"),
        (lambda: ours.max_pool(x[0], [2, 2]), "(Window.C1) the input has rank 3"),
        (lambda: ours.max_pool(x, 2, chunks=((1,), (1,), (3, 3), (7,))),
         "Chunks do not add up to shape"))
    for make, words in refused:
        raises(report, ValueError, words, make)
    raises(report, TypeError, "x is a ndarray", lambda: ours.max_pool(np.ones((1, 1, 4, 4)), 2))
    raises(report, TypeError, "complex128", lambda: ours.max_pool(x.astype(complex), 2))
    raises(report, TypeError, "kernel must be a list of integers or an integer, not float",
           lambda: ours.max_pool(x, 2.5))
    raises(report, TypeError, "kernel must be a list of integers or an integer, not set",
           lambda: ours.max_pool(x, {2, 3}))


def check_masked(report):
    """A masked array is refused, as by NumPy's functions: when the graph is made if dask knows
    of the mask, otherwise when the block is computed. Blocks are read in place, copied whole,
    or copied as a halo."""
    words = "is a masked array, whose mask would be ignored: pass what dask.array.ma.filled("
    x = np.arange(64.0).reshape(1, 1, 8, 8)
    plain = da.from_array(x, chunks=(1, 1, 4, 4))
    known = da.ma.masked_array(plain, plain % 4 == 3)
    hidden = plain.map_blocks(lambda block: np.ma.masked_array(block, block % 4 == 3),
                              meta=np.empty((0,) * 4))
    positions = da.zeros(x.shape, chunks=(1, 1, 4, 4), dtype=np.int64)
    _graph.SPLIT_BYTES = 1 << 40
    for kernel in (1, 2, 3):
        window = {"kernel": kernel, "strides": kernel}
        raises(report, TypeError, f"max_pool: x {words}", lambda: ours.max_pool(known, **window))
        raises(report, TypeError, f"a block {words}",
               lambda: ours.max_pool(hidden, **window).compute(scheduler="sync"))
    raises(report, TypeError, f"max_unpool: values {words}",
           lambda: ours.max_unpool(known, positions, x.shape))
    filled = ours.max_pool(da.ma.filled(known, -1.0), 2, strides=2)
    report.expect(filled.compute()[0, 0, 0].tolist() == [9, 10, 13, 14], "a filled array",
                  str(filled.compute()))
    report.count("masked arrays")


def run():
    report = Report("functions of dask")
    rng = np.random.default_rng(tier.seed(5))
    _parts.call = by_definition
    run_random(rng, tier.size(6000, 80, 30), "sync", report)
    _parts.call = COMPILED
    run_random(rng, tier.size(200, 16, 4), "threads", report)
    run_random(rng, tier.size(40, 4, 2), "processes", report)
    check_graph(report)
    check_map_blocks(report)
    check_errors(report)
    check_masked(report)
    return report.finish()


if __name__ == "__main__":
    main(run)
