# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Run-time checks must reject invalid calls before the operation reads anything.

Functions with dynamic extents are called with the smallest valid extents, and with one less in
some dimension. Other calls have no channels, an empty batch (which is valid), or more positions
than i32 indices can name. On every path, a rejected call must end with exit code 1, without
output, and with a message that has the operation, the dimension and the numbers.

Compiled code must reject windows whose padding exceeds memory before it allocates the padding.
The interpreter does not allocate padding, so it may accept such windows.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import tempfile

import numpy as np

from pooltest import generators, rules, tier
from pooltest.case import Case
from pooltest.report import Report, main
from pooltest.tools import Batch

PATHS = ("vector", "linalg", "affine", "reference")
LARGEST_LEAST = 60


def least_extent(case, i):
    """Returns the smallest extent that the rules accept in spatial dimension i, or None if it
    is not below LARGEST_LEAST."""
    for extent in range(1, LARGEST_LEAST):
        try:
            rules.resolve_dim(extent, case.window(i), case.rounding_type, case.auto_pad,
                              case.same_output)
            return extent
        except rules.Refused:
            continue
    return None


def random_calls(rng):
    """Returns (case, calls). A call is (shape, dimension that the message names or None if
    the call is valid, smallest valid extent, which the message has)."""
    while True:
        n = generators.pick(rng, (1, 2, 3))
        op = generators.pick(rng, ("max_pool", "avg_pool"))
        layout = generators.pick(rng, ("channels_first", "channels_last"))
        case = Case(op, (1,) * (n + 2), layout=layout, divisor="kernel",
                    **generators.random_window(rng, n))
        case = case.with_(dynamic=tuple(range(case.rank)))
        least = [least_extent(case, i) for i in range(n)]
        if all(least):
            break
    shape = [2] * case.rank
    for d, extent in zip(case.spatial_dims, least):
        shape[d] = extent
    calls = [(tuple(shape), None, None)]
    for d, extent in zip(case.spatial_dims, least):
        calls.append((tuple(extent - 1 if e == d else x for e, x in enumerate(shape)), d, extent))
    no_channels = tuple(0 if e == case.channel_dim else x for e, x in enumerate(shape))
    calls.append((no_channels, case.channel_dim, 1))
    calls.append(((0,) + tuple(shape[1:]), None, None))
    return case, calls


def index_bound_calls():
    """Returns (case, calls) with i32 indices; some tensors have too many positions for them.
    An empty batch has no elements, but the positions of the other dimensions count."""
    bound = rules.I32_INDEX_BOUND
    case = Case("max_pool", (1, 1, 1), (1,), "i8", strides=(bound // 4,), index_type="i32", axis=1,
                dynamic=(0, 1, 2))
    return case, [((0, 1, bound), None, None), ((0, 1, bound + 1), "axis 1", bound),
                  ((0, 3, bound // 2), "axis 1", bound)]


def messages(stderr):
    """Returns {line of the batch: all messages about it}."""
    result, block = {}, []
    for line in stderr.splitlines():
        block.append(line)
        found = re.search(r"runs\.txt:(\d+): ", line)
        if found:
            result[int(found.group(1))] = "\n".join(block)
            block = []
    return result


def check_calls(problems, directory, report):
    batch = Batch(directory)
    expected = []
    for number, (case, calls) in enumerate(problems):
        text = case.function(f"f{number}", [None] * case.rank)
        types = [case.dtype] + ([np.dtype(np.int32)] if case.index_type else [])
        for i, (shape, refused, least) in enumerate(calls):
            # Broadcasting makes a huge array from one element in memory.
            x = np.broadcast_to(np.zeros((), case.dtype), shape)
            batch.add(f"f{number}", "" if i else text, [x], types)
            expected.append((case, text, shape, refused, least))
    for path in PATHS:
        outputs, process = batch.run(f"--path={path}", *(["-O0"] if path != "reference" else []))
        report.expect(process.returncode == 1, f"{path}: exit code", str(process.returncode))
        said = messages(process.stderr)
        for line, (arrays, call) in enumerate(zip(outputs, expected), 1):
            check_call(path, call, arrays, said.get(line, ""), report)


def check_call(path, call, arrays, said, report):
    case, text, shape, refused, least = call
    details = {"path": path, "input shape": shape, "message": said}
    if refused is None:
        wanted = rules.output_shape(case.with_(shape=shape))
        if report.expect(arrays is not None and list(arrays[0].shape) == wanted,
                         "refused, or another shape", text, expected=wanted, **details):
            report.count(f"{path}: legal extents accepted"
                         + (", empty batch" if shape[0] == 0 else ""))
        return
    if not report.expect(arrays is None, "a call was not refused", text, **details):
        return
    what = refused if isinstance(refused, str) else f"dimension {refused}"
    numbers = [str(least)] if path != "reference" else [r"\d+"]
    good = f"pool.{case.op}" in said and re.search(rf"\b{what}\b", said) and all(
        re.search(rf"\b{number}\b", said) for number in numbers)
    if report.expect(good, "the message does not name operation, dimension and numbers", text,
                     **details):
        kind = ("index bound" if isinstance(refused, str)
                else "no channels" if refused == case.channel_dim else "extent too small")
        report.count(f"{path}: refused, {kind}")


def oversized_calls():
    """Returns tuples (operation, types of its operands, type of the result, shapes of the
    operands). At 16 bytes per element, each operation needs a buffer of more than 2^63 bytes.
    The types do not show this, since some extents are unknown."""
    far = 2 ** 28
    squares = f"kernel [2, 2] strides [{far}, {far}] pads_begin [{far - 1}, {far - 1}]"
    image, line = "tensor<1x?x?x?xf32>", "tensor<1x?x?xf32>"
    return (
        (f"pool.max_pool %a0 kernel [2] strides [{2 ** 62}] auto_pad same_upper", (line,), line,
         ((1, 1, 2),)),
        (f"pool.avg_pool %a0 {squares} divisor padded", (image,), image, ((1, 16, 4, 4),)),
        (f"pool.lp_pool %a0 {squares}", (image,), image, ((1, 16, 4, 4),)),
        (f"pool.max_pool %a0 kernel [1] pads_end [{2 ** 58}]", (line,), line, ((1, 4, 1),)),
        # Only the batch is unknown, and a single image would fit.
        (f"pool.avg_pool %a0 kernel [{2 ** 55}] pads_end [{2 ** 55 - 1}]", ("tensor<?x1x1xf32>",),
         "tensor<?x1x1xf32>", ((32, 1, 1),)),
        (f"pool.adaptive_max_pool %a0 output_size [{2 ** 29}, {2 ** 29}]",
         ("tensor<?x?x1x1xi8>",), f"tensor<?x?x{2 ** 29}x{2 ** 29}xi8>", ((2, 1, 1, 1),)),
        (f"pool.max_pool_grad %a0, %a1 {squares}", (image, image), image,
         ((1, 16, 4, 4), (1, 16, 2, 2))),
    )


def check_oversized(directory, report):
    """Checks that compiled code rejects the calls of `oversized_calls` with a message."""
    for number, (op, types, result, shapes) in enumerate(oversized_calls()):
        arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
        text = (f"func.func @f({arguments}) -> {result} {{\n"
                f"  %0 = {op} : {', '.join(types)} -> {result}\n  return %0 : {result}\n}}\n")
        element = np.int8 if "xi8>" in types[0] else np.float32
        batch = Batch(directory, f"oversized{number}")
        batch.add("f", text, [np.ones(shape, element) for shape in shapes], [element])
        outputs, process = batch.run("--path=linalg", "-O0")
        name = op.split()[0]
        good = (process.returncode == 1 and outputs[0] is None and f"'{name}'" not in process.stderr
                and re.search(rf"{name} at .*more bytes than a 64-bit integer counts",
                              process.stderr))
        if report.expect(good, "oversized buffers are not refused", text,
                         code=process.returncode, stderr=process.stderr[:2000]):
            report.count("linalg: refused, more bytes than memory")


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(150, 60, 15))
    parser.add_argument("--seed", type=int, default=tier.seed(17))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    report = Report("runtime_checks")
    problems = [random_calls(rng) for _ in range(options.cases)] + [index_bound_calls()]
    with tempfile.TemporaryDirectory() as directory:
        check_calls(problems, directory, report)
        check_oversized(directory, report)
    report.require_counted("linalg: refused, more bytes than memory", *(
        f"{path}: {what}" for path in PATHS for what in
        ("legal extents accepted", "legal extents accepted, empty batch", "refused, index bound",
         "refused, no channels", "refused, extent too small")))
    return report.finish()


if __name__ == "__main__":
    main(run)
