# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Loads and stores of ranges of lanes, on machines with masks for them and without.

Every range of a vector, known or not, is loaded from a buffer of just its elements, and
stored to one, between guard pages: nothing beyond is read or written. For this
machine, and for those of x86-64 with AVX2 and without, whose loads and stores
pool-expand-masked-accesses takes apart.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import itertools
import platform
import re
import tempfile

import ml_dtypes
import numpy as np

from pooltest import tier
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

# Types of elements, and lanes of a vector.
VECTORS = (("i8", 32), ("ui8", 16), ("i16", 8), ("f16", 16), ("bf16", 16), ("f32", 8),
           ("f32", 4), ("f64", 4), ("i64", 2), ("i8", 64))
TYPES = {"i8": np.int8, "ui8": np.uint8, "i16": np.int16, "i64": np.int64, "f16": np.float16,
         "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
# What is not loaded.
OTHER = 7
SEED = 22


def function(name, element, lanes, known):
    """Loads the range [b, e) from a buffer of it alone into a vector, and stores the first
    e - b lanes of that vector's reverse into another."""
    bare = element.lstrip("u")
    other = f"arith.constant dense<{OTHER}{'.0' if 'f' in element else ''}> : vector<{lanes}x{bare}>"
    if bare != element:
        other += f"""
  %others = builtin.unrealized_conversion_cast %signless
      : vector<{lanes}x{bare}> to vector<{lanes}x{element}>"""
    begin, end = known or ("%b", "%e")
    bounds = f"""
  %b = arith.constant {begin} : index
  %e = arith.constant {end} : index""" if known else ""
    arguments = "" if known else ", %b: index, %e: index"
    full = f"tensor<{lanes}x{element}>"
    vector = f"vector<{lanes}x{element}>"
    reverse = ", ".join(str(lane) for lane in reversed(range(lanes)))
    return f"""
func.func @{name}(%x: tensor<?x{element}>{arguments}) -> ({full}, tensor<?x{element}>) {{{bounds}
  %c0 = arith.constant 0 : index
  %true = arith.constant dense<true> : vector<{lanes}xi1>
  %{'others' if bare == element else 'signless'} = {other}
  %in = bufferization.to_buffer %x read_only : tensor<?x{element}> to memref<?x{element}>
  %before = vector.create_mask %b : vector<{lanes}xi1>
  %from = arith.xori %before, %true : vector<{lanes}xi1>
  %until = vector.create_mask %e : vector<{lanes}xi1>
  %mask = arith.andi %until, %from : vector<{lanes}xi1>
  %first = arith.subi %c0, %b : index
  %v = vector.maskedload %in[%first], %mask, %others
      : memref<?x{element}>, vector<{lanes}xi1>, {vector} into {vector}
  %all = memref.alloc() : memref<{lanes}x{element}>
  vector.store %v, %all[%c0] : memref<{lanes}x{element}>, {vector}
  %n = arith.subi %e, %b : index
  %some = memref.alloc(%n) : memref<?x{element}>
  %prefix = vector.create_mask %n : vector<{lanes}xi1>
  %reversed = vector.shuffle %v, %v [{reverse}] : {vector}, {vector}
  vector.maskedstore %some[%c0], %prefix, %reversed
      : memref<?x{element}>, vector<{lanes}xi1>, {vector}
  %y = bufferization.to_tensor %all restrict writable : memref<{lanes}x{element}> to {full}
  %z = bufferization.to_tensor %some restrict writable
      : memref<?x{element}> to tensor<?x{element}>
  return %y, %z : {full}, tensor<?x{element}>
}}
"""


def ranges(lanes, count):
    """Of all that have an element, `count` that are spread over them."""
    return tier.sample(list(itertools.combinations(range(lanes + 1), 2)), count, SEED)


def check(directory, report, element, lanes, options):
    rng = np.random.default_rng([SEED, lanes])
    dtype = np.dtype(TYPES[element])
    batch = Batch(directory, f"{element}.{lanes}{''.join(options)}")
    expected = []

    def add(name, text, bounds, is_known):
        begin, end = bounds
        x = rng.integers(1, 100, end - begin).astype(dtype)
        y = np.full(lanes, OTHER, dtype)
        y[begin:end] = x
        scalars = [] if is_known else [np.int64(begin), np.int64(end)]
        batch.add(name, text, [x, *scalars], [dtype, dtype])
        expected.append((bounds, is_known, y, y[::-1][:end - begin]))
    text = function("unknown", element, lanes, None)
    for bounds in ranges(lanes, tier.size(None, 150, 20)):
        add("unknown", text, bounds, False)
        text = ""
    for number, bounds in enumerate(ranges(lanes, tier.size(150, 40, 8))):
        add(f"known{number}", function(f"known{number}", element, lanes, bounds), bounds, True)
    for guard in ("begin", "end"):
        outputs, process = batch.run(f"--guard-pages={guard}", *options)
        title = f"{element} x {lanes} {' '.join(options)}, guard '{guard}'"
        report.expect(process.returncode == 0, title, stderr=process.stderr[:2000])
        for (bounds, is_known, *right), output in zip(expected, outputs):
            good = output is not None and all(a.tobytes() == e.tobytes()
                                              for a, e in zip(output, right))
            report.expect(good, f"{title}: {'known' if is_known else 'unknown'} {bounds}",
                          expected=right, actual=output)
            report.count(f"{' '.join(options) or 'this machine'}: ranges")


def check_expanded(report):
    """No mask is left that a machine without masks has."""
    for element, lanes in VECTORS:
        for known in (None, (1, lanes - 1) if lanes > 2 else (0, 1)):
            text = function("f", element, lanes, known)
            process = pool_opt(text, "--canonicalize", "--pool-expand-masked-accesses=vector-bits=128")
            report.expect(process.returncode == 0
                          and not re.search("vector.masked(load|store)", process.stdout),
                          f"{element} x {lanes}: masks are taken apart", text,
                          stdout=process.stdout, stderr=process.stderr)


def run():
    parser = argparse.ArgumentParser()
    parser.parse_args()
    report = Report("masked_accesses")
    check_expanded(report)
    processors = [()]
    if platform.machine() == "x86_64":
        processors.append(("--mcpu=x86-64",))
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            if " avx2 " in file.read():
                processors.append(("--mcpu=x86-64-v3",))
    with tempfile.TemporaryDirectory() as directory:
        for (element, lanes), options in itertools.product(VECTORS, processors):
            check(directory, report, element, lanes, options)
    return report.finish()


if __name__ == "__main__":
    main(run)
