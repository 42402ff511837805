# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Loads and stores of ranges of lanes must touch exactly these lanes, on machines with and
without masks.

A function loads a range of lanes from a row of a buffer and stores a range of lanes to a row of
another buffer. The other elements of that buffer must keep their values. Ranges are known or
unknown; some are empty, reversed, or reach beyond the vector's ends. Guard pages surround the
buffers. The code is compiled for this machine and for x86-64 with and without AVX2. For x86-64,
no access is masked.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import itertools
import re
import tempfile

import ml_dtypes
import numpy as np

from pooltest import tier
from pooltest.report import Report, main
from pooltest.tools import Batch, processors, run as run_tool, tool

# (type of elements, lanes of the vector)
VECTORS = (("i8", 32), ("ui8", 16), ("i16", 8), ("f16", 16), ("bf16", 16), ("f32", 8),
           ("f32", 4), ("f64", 4), ("i64", 2), ("i8", 64), ("i16", 128), ("f32", 1))
TYPES = {"i8": np.int8, "ui8": np.uint8, "i16": np.int16, "i64": np.int64, "f16": np.float16,
         "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
SEED = 22


def function(name, element, lanes, known):
    """Returns the text of a function. It loads the lanes [b, e) of a vector whose lane 0 is at
    (r, i), and reverses the vector. Then it stores the lanes [b, e), or the first e lanes if
    the bounds are unknown, with lane 0 at (r, j)."""
    bare = element.lstrip("u")
    vector, rows = f"vector<{lanes}x{element}>", f"?x{element}>"
    # A lane that is not loaded gets its lane number as its value.
    numbers = ", ".join(f"{lane}.0" if "f" in element else str(lane) for lane in range(lanes))
    others = f"arith.constant dense<[{numbers}]> : vector<{lanes}x{bare}>"
    if bare != element:
        others += f"""
  %others = builtin.unrealized_conversion_cast %signless
      : vector<{lanes}x{bare}> to {vector}"""
    zero = f"arith.constant 0{'.0' if 'f' in element else ''} : {bare}"
    if bare != element:
        zero += f"""
  %zero = builtin.unrealized_conversion_cast %bare : {bare} to {element}"""
    arguments = "" if known else ", %b: index, %e: index"
    bounds = "" if not known else f"""
  %b = arith.constant {known[0]} : index
  %e = arith.constant {known[1]} : index"""
    reverse = ", ".join(str(lane) for lane in reversed(range(lanes)))
    return f"""
func.func @{name}(%x: tensor<2x{rows}, %r: index, %i: index, %w: index, %j: index{arguments})
    -> (tensor<{lanes}x{element}>, tensor<2x{rows}) {{{bounds}
  %c0 = arith.constant 0 : index
  %{'others' if bare == element else 'signless'} = {others}
  %{'zero' if bare == element else 'bare'} = {zero}
  %in = bufferization.to_buffer %x read_only : tensor<2x{rows} to memref<2x{rows}
  %v = "test.load_lanes"(%in, %r, %i, %b, %e, %others)
      : (memref<2x{rows}, index, index, index, index, {vector}) -> {vector}
  %all = memref.alloc() : memref<{lanes}x{element}>
  vector.store %v, %all[%c0] : memref<{lanes}x{element}>, {vector}
  %some = memref.alloc(%w) : memref<2x{rows}
  linalg.fill ins(%zero : {element}) outs(%some : memref<2x{rows})
  %reversed = vector.shuffle %v, %v [{reverse}] : {vector}, {vector}
  "test.store_lanes"(%reversed, %some, %r, %j, {'%b' if known else '%c0'}, %e)
      : ({vector}, memref<2x{rows}, index, index, index, index) -> ()
  %y = bufferization.to_tensor %all restrict writable
      : memref<{lanes}x{element}> to tensor<{lanes}x{element}>
  %z = bufferization.to_tensor %some restrict writable : memref<2x{rows} to tensor<2x{rows}
  return %y, %z : tensor<{lanes}x{element}>, tensor<2x{rows}
}}
"""


def ranges(lanes, count):
    """Returns a sample of `count` pairs of bounds. A bound lies from two before the first lane
    to two after the last."""
    bounds = range(-2, lanes + 3)
    return tier.sample(list(itertools.product(bounds, bounds)), count, SEED)


def lower(text, option):
    """Returns the text with the accesses that PoolToVector builds, and the process."""
    process = run_tool([tool("pool-test-opt"), "--allow-unregistered-dialect",
                        f"--test-pool-lane-ranges={option}"], stdin=text)
    return process.stdout, process


def check(directory, report, element, lanes, processor):
    rng = np.random.default_rng([tier.seed(SEED), lanes])
    dtype = np.dtype(TYPES[element])
    batch = Batch(directory, f"{element}.{lanes}.{processor}")
    expected = []

    def add(name, text, bounds, is_known):
        begin, end = (min(max(bound, 0), lanes) for bound in bounds)
        end = max(begin, end) if is_known or end > begin else end
        # Take turns: the buffer has elements after the loaded ones or not, and the row is 0 or 1.
        behind, row = (len(expected) >> side & 1 for side in (0, 1))
        taken = slice(0, max(end - begin, 0))
        x = rng.integers(70, 120, (2, max(taken.stop, 1) + lanes * behind)).astype(dtype)
        y = np.arange(lanes).astype(dtype)
        if taken.stop:
            y[begin:end] = x[row, taken]
        stored = slice(begin, end) if is_known else slice(0, end)
        z = np.zeros((2, max(stored.stop - stored.start, 1) + lanes * behind), dtype)
        z[row, :stored.stop - stored.start] = y[::-1][stored]
        scalars = [row, -begin, z.shape[1], -stored.start]
        batch.add(name, text, [x, *map(np.int64, scalars if is_known else [*scalars, *bounds])],
                  [dtype, dtype])
        expected.append((bounds, is_known, y, z))
    text = function("unknown", element, lanes, None)
    for bounds in ranges(lanes, tier.size(None, 90, 4)):
        add("unknown", text, bounds, False)
        text = ""
    for number, bounds in enumerate(ranges(lanes, tier.size(200, 20, 2))):
        add(f"known{number}", function(f"known{number}", element, lanes, bounds), bounds, True)
    text, process = lower("\n".join(batch.texts), f"mcpu={processor}")
    report.expect(process.returncode == 0, "pool-test-opt", stderr=process.stderr[:2000])
    batch.texts = [text]
    option = f"--mcpu={processor}"
    for guard in ("begin", "end"):
        outputs, process = batch.run(f"--guard-pages={guard}", option)
        title = f"{element} x {lanes} {option}, guard '{guard}'"
        report.expect(process.returncode == 0, title, stderr=process.stderr[:2000])
        for (bounds, is_known, *right), output in zip(expected, outputs):
            good = output is not None and all(a.tobytes() == e.tobytes()
                                              for a, e in zip(output, right))
            report.expect(good, f"{title}: {'known' if is_known else 'unknown'} {bounds}",
                          expected=right, actual=output)
            report.count(f"{option}: ranges")


def check_parts(report):
    """Checks that no access is masked on a machine without masks."""
    for element, lanes in VECTORS:
        for known in (None, (1, lanes - 1)):
            text = function("f", element, lanes, known)
            lowered, process = lower(text, "vector-bits=128")
            report.expect(process.returncode == 0
                          and not re.search("vector.masked(load|store)", lowered),
                          f"{element} x {lanes}: no access is masked", text,
                          stdout=lowered, stderr=process.stderr)


def run():
    parser = argparse.ArgumentParser()
    parser.parse_args()
    report = Report("masked_accesses")
    check_parts(report)
    with tempfile.TemporaryDirectory() as directory:
        for (element, lanes), processor in itertools.product(VECTORS, processors()):
            check(directory, report, element, lanes, processor)
    return report.finish()


if __name__ == "__main__":
    main(run)
