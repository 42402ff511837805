# REQUIRES: python-module
# RUN: %python %s
"""pool_mlir.partition: the attributes of plans and parts must be right, wrong requests must be
refused, and plans must survive pickling. A part must refuse an index outside its window, since
code that runs later trusts it. test/Integration/partition.py shows that the parts give the whole.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pickle

import ml_dtypes
import numpy as np

import pool_mlir
from pool_mlir import _partition_view
from pooltest.errors import raises
from pooltest.report import Report, main

WINDOW = {"kernel": 3, "strides": 2, "pads_begin": 1, "pads_end": 1}


def check_plan(report):
    x = np.arange(200.0).reshape(1, 2, 10, 10)
    plan = pool_mlir.partition("max_pool", x.shape, **WINDOW, return_indices=True, axis=1,
                               output_cuts=[None, 3, (2, 0, 3), 2], dtype=x.dtype)
    report.expect(plan.grid == (1, 3, 3, 2) and len(plan) == len(list(plan)) == 18, "grid")
    report.expect(plan.output_cuts == ((1,), (1, 1, 0), (2, 0, 3), (3, 2)), "cuts")
    report.expect(plan.input_cuts == {"x": ((1,), (1, 1, 0), (4, 0, 6), (6, 4))}, "blocks",
                  str(plan.input_cuts))
    part = plan[0, 1, 2, 1]
    report.expect(part == plan[11] and part.index == (0, 1, 2, 1), "order")
    report.expect(part.output == (slice(0, 1), slice(1, 2), slice(2, 5), slice(3, 5))
                  and part.shape == (1, 1, 3, 2), "output")
    report.expect(part.inputs["x"] == (slice(0, 1), slice(1, 2), slice(3, 10), slice(5, 10)),
                  "inputs")
    report.expect(part.weights == (0, 100, 10, 1) and part.base == 135, "positions")
    report.expect(part.pads_begin == part.pads_end == (0, 0), "pads", str(part.pads_end))
    report.expect(part.nbytes == 7 * 5 * 8 and part.get_moved_bytes() == (7 * 5 - 6 * 4) * 8,
                  "bytes")
    report.expect([source.block for source in part.sources()]
                  == [(0, 1, 0, 0), (0, 1, 0, 1), (0, 1, 2, 0), (0, 1, 2, 1)], "sources")
    expected = part.run(x[part.inputs["x"]])
    for sent in (pickle.loads(pickle.dumps(part)), pickle.loads(pickle.dumps(
            plan.alone(part.index)))):
        got = sent.run(x[sent.inputs["x"]])
        report.expect(sent.output == part.output and all(
            a.tobytes() == b.tobytes() for a, b in zip(got, expected)), "sent")
    report.expect(all(plan.arguments == pool_mlir.partition(
        "max_pool", x.shape, **{**WINDOW, **spelt}, return_indices=True, axis=1,
        output_cuts=[1, 1, 1, 1], dtype=x.dtype).arguments for spelt in (
            {"dilations": 1}, {"kernel": np.array([3, 3])}, {"index_element_type": "i64"},
            {"nan_mode": "ignore", "layout": "channels_first", "pad_value": None}))
        # Compare as text, because 1 == True.
        and all(str(plan.arguments) == str(pool_mlir.partition(
            "max_pool", x.shape, **WINDOW, return_indices=spelt, axis=1,
            output_cuts=[1, 1, 1, 1], dtype=x.dtype).arguments) for spelt in (1, np.True_))
        and plan.arguments["dilations"] == (1, 1) and plan.arguments["nan_mode"] == "ignore"
        and plan.arguments["index_element_type"] == "i64", "arguments", str(plan.arguments))
    for uniform in (0, 1, np.True_):
        sums = pool_mlir.partition("avg_pool", x.shape, 3, output_cuts=[1, 1, 1, 1],
                                   dtype=x.dtype, uniform_sums=uniform)
        report.expect(sums.arguments["uniform_sums"] is bool(uniform)
                      and sums[0].run(x).shape == (1, 2, 8, 8), f"uniform_sums {uniform!r}")
    power = pool_mlir.partition("lp_pool", x.shape, 3, output_cuts=[1, 1, 1, 1], dtype=x.dtype,
                                p=np.int64(2))
    report.expect(power[0].run(x).shape == (1, 2, 8, 8), "an integer of NumPy's")
    empty = plan[0, 2, 1, 0]
    values, indices = empty.run(x[empty.inputs["x"]])
    report.expect(empty.is_empty and values.shape == indices.shape == (1, 0, 0, 3)
                  and indices.dtype == np.int64 and empty.nbytes == 0, "nothing to do")
    average = pool_mlir.partition("avg_pool", (1, 1, 5), 2, strides=2, pads_begin=1, pads_end=1,
                                  rounding_type="ceil", divisor="padded", output_cuts=[1, 1, 2])
    report.expect(average[1].counts(2).tolist() == [2, 1], "counts")
    bf16 = pool_mlir.partition("lp_pool", (1, 1, 9), 2, output_cuts=[1, 1, 2],
                               dtype=ml_dtypes.bfloat16, uniform_sums=True)
    report.expect(bf16.dtype == ml_dtypes.bfloat16 and bf16[0].run(
        np.ones((1, 1, 5), ml_dtypes.bfloat16)).dtype == bf16.dtype, "bf16")
    huge = pool_mlir.partition("avg_pool", (1, 1, 2**33, 2**20), 3, strides=2,
                               output_cuts=[1, 1, 10**5, 10])
    report.expect(huge[len(huge) - 1].output[2].stop == 2**32 - 1, "extents beyond 32 bits")
    report.count("plans")


def check_refusals(report):
    def cut(op="max_pool", shape=(1, 1, 8), cuts=(1, 1, 2), **more):
        return lambda: pool_mlir.partition(op, shape, output_cuts=cuts, **{"kernel": 2, **more})

    values = (
        (cut(cuts=(1, 1, (3, 3))), "op cannot be cut in dimension 2: the parts have 6 elements"),
        (cut(cuts=(1, 1, 0)), "op cannot be cut in dimension 2: there are 0 parts"),
        (cut(cuts=(1, 1, 2**25)), "op cannot be cut in dimension 2: there are 33554432 parts, "
         "must be at most 16777216"),
        (cut(input_cuts=(1, 0, 1)), "max_pool: x, dimension 1: there are 0 parts, must be at "
         "least 1"),
        (cut(cuts=(1, 1)), "max_pool: cuts are given for 2 dimensions, there are 3"),
        (cut(kernel=9), "(Window.C8) dimension 2: the window covers 9"),
        (cut(op="pool"), "'pool' cannot be cut into parts; known are"),
        (cut(index_element_type="i8"), "index_element_type is 'i8'"),
        (cut(input_cuts=(1, 1, (4, 3))), "max_pool: x, dimension 2: the blocks (4, 3) have 7"),
        (cut(input_cuts={"y": None}), "max_pool has no operand 'y'; there are x"),
        (cut(op="max_unpool"), "max_unpool needs output_shape"),
        (cut(op="max_unpool", shape=(1, 1, 7), output_shape=(1, 1, 9)),
         "max_unpool: dimension 2: the window gives 8 values of 9 elements, there are 7"),
        (cut(op="max_unpool", kernel=None, strides=2, output_shape=(1, 1, 16)),
         "max_unpool: a window needs a kernel"),
        (cut(op="window_reduce", output_shape=(1, 1, 7)), "window_reduce needs reduction"),
        (cut(op="window_reduce", reduction="max"), "window_reduce needs output_shape"),
        (cut(op="window_reduce", reduction="mean", output_shape=(1, 1, 7)),
         "reduction is 'mean', but must be one of max, sum, power_sum, min"),
        (cut(op="window_reduce", reduction="max", output_shape=(1, 1, 8)),
         "(WindowReduce.C4) dimension 2: 8 windows leave the padded input, which has room for 7"),
        (cut(op="window_reduce", reduction="max", output_shape=(1, 1, 7), positions=[0, -1]),
         "(WindowReduce.C6) spatial dimension 0: positions grow by -1"),
        (cut(op="window_reduce", reduction="sum", output_shape=(1, 1, 7), positions=[0, 1]),
         "(WindowReduce.C5) a sum has no positions"))
    for make, words in values:
        raises(report, ValueError, words, make)
    raises(report, TypeError, "max_pool has no argument 'divisor'", cut(divisor="valid"))
    raises(report, TypeError, "window_reduce has no argument 'auto_pad'",
           cut(op="window_reduce", auto_pad="valid"))
    raises(report, TypeError, "pool operations do not take complex64", cut(dtype="complex64"))
    plan = cut()()
    raises(report, IndexError, "part 2 of 2", lambda: plan[2])
    raises(report, IndexError, "part (0, 0, 2) of a grid of (1, 1, 2)", lambda: plan[0, 0, 2])
    raises(report, ValueError, "takes x of shape (1, 1, 5), not (1, 1, 8)",
           lambda: plan[0].run(np.zeros((1, 1, 8), np.float32)))
    for wrong, words in ((np.zeros((1, 1, 5)), "takes x of float32, not float64"),
                         (np.zeros((1, 1, 5), ">f4"), "takes x of float32, not >f4"),
                         ([[[0.0] * 5]], "takes x as an array of NumPy, not a list"),
                         (np.ma.zeros((1, 1, 5), np.float32), "x is a masked array, whose mask")):
        raises(report, TypeError, words, lambda: plan[0].run(wrong))
    raises(report, ValueError, "a part of max_pool takes x: there are 2 arrays",
           lambda: plan[0].run(*[np.zeros((1, 1, 5), np.float32)] * 2))
    empty = cut(cuts=(1, 1, (7, 0)))()
    raises(report, ValueError, "takes x of shape (0, 0, 0), not (1, 1, 8)",
           lambda: empty[1].run(np.zeros((1, 1, 8), np.float32)))


def check_promises(report):
    """A part must refuse an index outside its window: the code that runs later trusts it."""
    indices = np.array([[[0, 5]]])
    ones = np.ones((1, 1, 2), np.float32)
    for op, more, arrays in (
            ("max_unpool", {"shape": (1, 1, 2), "output_shape": (1, 1, 4)}, [ones]),
            ("max_pool_grad", {"shape": (1, 1, 4), "return_indices": True},
             [np.zeros((1, 1, 4), np.float32), ones])):
        shape = more.pop("shape")
        plan = pool_mlir.partition(op, shape, 2, strides=2, output_cuts=[1, 1, 1], **more)
        raises(report, ValueError, f"{op}: index 5 at (0, 0, 1) names no position",
               lambda: plan[0].run(*arrays, indices))
        raises(report, ValueError, f"{op}: index 1 at (0, 0, 1) lies outside its window in "
               "dimension 2", lambda: plan[0].run(*arrays, np.array([[[0, 1]]])))


def check_drawn(report):
    """Parts of a picture: non-empty parts only, counted before any is made."""
    def choose(*cuts):
        plan = pool_mlir.partition("max_pool", (1, 1, 100_000, 100_000), 1, output_cuts=cuts)
        return [part.index for part in
                _partition_view.choose_parts(plan, _partition_view.choose_dims(plan))]

    raises(report, ValueError, "--plot draws at most 400 parts, there are 10000000000",
           lambda: choose(1, 1, 100_000, 100_000))
    report.expect(choose(1, 1, 2, [0] * 1000 + [40_000, 60_000])
                  == [(0, 0, i, j) for i in range(2) for j in (1000, 1001)], "parts drawn")
    report.expect(choose(1, 1, 1, 1) == [(0, 0, 0, 0)], "one part drawn")
    report.count("pictures")


def run():
    report = Report("partitions in Python")
    check_plan(report)
    check_refusals(report)
    check_promises(report)
    check_drawn(report)
    return report.finish()


if __name__ == "__main__":
    main(run)
