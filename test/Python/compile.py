# REQUIRES: python-module
# RUN: %python %s %host_cc
# UNEXPLORED: its data only has to differ from element to element.
"""pool_mlir.compile: the compiled function must take arrays and numbers, return results, compile
from files and for other processors, and be pickled. Wrong modules and wrong arguments must be
errors that say what is wrong."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gc
import os
import pathlib
import pickle
import platform
import re
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

import pool_mlir
from pooltest import views
from pooltest.errors import raises
from pooltest.report import Report, main

MODULE = """
func.func @dynamic(%x: tensor<1x3x?x?xf32>) -> tensor<1x3x?x?xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
     : tensor<1x3x?x?xf32> -> tensor<1x3x?x?xf32>
  return %y : tensor<1x3x?x?xf32>
}
func.func @mixed(%x: tensor<2x3xf32>, %s: f32, %n: i8, %k: index, %b: i1)
    -> (tensor<2x3xf32>, f32, i8, index, i1, bf16) {
  %t = tensor.splat %s : tensor<2x3xf32>
  %y = linalg.add ins(%x, %t : tensor<2x3xf32>, tensor<2x3xf32>)
                  outs(%t : tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = arith.truncf %s : f32 to bf16
  return %y, %s, %n, %k, %b, %z : tensor<2x3xf32>, f32, i8, index, i1, bf16
}
func.func @pair(%x: tensor<?x1x4x4xbf16>)
    -> (tensor<?x1x2x2xbf16>, tensor<?x1x2x2xi64>) {
  %v, %i = pool.max_pool %x kernel [2, 2] strides [2, 2] axis 2
     : tensor<?x1x4x4xbf16> -> tensor<?x1x2x2xbf16>, tensor<?x1x2x2xi64>
  return %v, %i : tensor<?x1x2x2xbf16>, tensor<?x1x2x2xi64>
}
func.func @nothing() {
  return
}
"""
WRONG = """func.func @f(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  %y = pool.max_pool %x kernel [9, 2] strides [2, 2]
     : tensor<1x3x8x8xf32> -> tensor<1x3x4x4xf32>
  return %y : tensor<1x3x4x4xf32>
}
"""


def check_calls(report, compiled):
    rng = np.random.default_rng(3)
    x = rng.random((1, 3, 8, 6), np.float32)
    expected = x.reshape(1, 3, 4, 2, 3, 2).max((3, 5))
    dynamic = compiled["dynamic"]
    for make_view in views.VIEWS:
        y = dynamic(make_view(rng, x))
        report.expect(np.array_equal(y, expected) and y.flags.writeable, make_view.__name__)
    report.expect(np.array_equal(np.from_dlpack(dynamic(views.Foreign(x))), expected), "DLPack")

    # Memory that a function allocated lives as long as an array refers to it.
    results = [dynamic(x + i) for i in range(20)]
    part = results[7][0, 1]
    del dynamic, results
    gc.collect()
    report.expect(np.array_equal(part, expected[0, 1] + np.float32(7)), "life of a result")

    mixed = compiled["mixed"]
    y = np.arange(6, dtype=np.float32).reshape(2, 3)
    results = mixed(y, 1.5, -3, 2**40, True)
    report.expect(np.array_equal(results[0], y + 1.5), "mixed", actual=results[0])
    report.expect(results[1:] == (1.5, -3, 2**40, True, 1.5), "numbers", actual=results)
    report.expect([type(r) for r in results[1:]] == [float, int, int, bool, float], "types")
    # NumPy's scalars, and arrays without dimensions.
    results = mixed(y, np.float32(0.25), np.array(7, np.int8), np.int64(1), np.bool_(False))
    report.expect(results[1:] == (0.25, 7, 1, False, 0.25), "NumPy's numbers", actual=results)
    out = np.zeros((2, 3), np.float32)
    results = mixed(y, 1, 2, 3, 0, out=(out, None, None, None, None, None))
    report.expect(results[0] is out and np.array_equal(out, y + 1), "out")

    z = rng.standard_normal((3, 1, 4, 4)).astype(ml_dtypes.bfloat16)
    values, indices = compiled["pair"](z)
    report.expect(values.dtype == z.dtype and np.array_equal(
        values, z.reshape(3, 1, 2, 2, 2, 2).max((3, 5))), "bf16")
    report.expect(np.array_equal(
        np.take_along_axis(z.reshape(3, 16), indices.reshape(3, 4), 1), values.reshape(3, 4)),
        "indices")
    report.expect(compiled["pair"](z[:0])[0].shape == (0, 1, 2, 2), "empty batch")
    report.expect(compiled["nothing"]() == (), "no results")


def check_call_errors(report, compiled):
    x = np.zeros((1, 3, 8, 8), np.float32)
    dynamic, mixed = compiled["dynamic"], compiled["mixed"]
    y = np.zeros((2, 3), np.float32)
    raises(report, ValueError, "there are 4 functions, name one: 'dynamic', 'mixed'",
           lambda: compiled(x))
    raises(report, KeyError, "no compiled function 'other'", lambda: compiled["other"])
    raises(report, TypeError, "takes 1 argument(s), but 2 given", lambda: dynamic(x, x))
    raises(report, ValueError, "argument 0: expected tensor<1x3x?x?xf32>, which is float32 of "
           "rank 4, but given float32 (3, 8, 8)", lambda: dynamic(x[0]))
    raises(report, ValueError, "but given float64", lambda: dynamic(x.astype(np.float64)))
    # Run-time checks raise errors and leave nothing behind.
    for _ in range(3):
        raises(report, ValueError, "the input extent must be at least 2",
               lambda: dynamic(x[:, :, :1]))
    report.expect(dynamic(x).shape == (1, 3, 4, 4), "after a failed check")
    raises(report, ValueError, "out must be None: the function makes a result of dynamic shape",
           lambda: dynamic(x, out=x))
    raises(report, TypeError, "out must be a tuple of 6 arrays",
           lambda: mixed(y, 1, 2, 3, 0, out=y))
    raises(report, ValueError, "out[0] overlaps an argument",
           lambda: mixed(y, 1, 2, 3, 0, out=(y,) + (None,) * 5))
    raises(report, ValueError, "argument 2 is 128, which type i8 has no room for",
           lambda: mixed(y, 1, 128, 3, 0))
    raises(report, ValueError, "argument 3 is 9223372036854775808",
           lambda: mixed(y, 1, 2, 2**63, 0))
    raises(report, ValueError, "argument 4 is 2", lambda: mixed(y, 1, 2, 3, 2))
    raises(report, TypeError, "argument 2 of type i8 must be an integer, not float",
           lambda: mixed(y, 1, 2.0, 3, 0))
    raises(report, TypeError, "argument 1 must be an array", lambda: mixed(y, "1", 2, 3, 0))


def check_compile_errors(report, directory):
    raises(report, ValueError, "<string>:2:8: error: 'pool.max_pool' op (Window.C8) dimension 2: "
           "the window covers 9", lambda: pool_mlir.compile(WRONG))
    path = directory / "wrong.mlir"
    path.write_text(WRONG)
    raises(report, ValueError, f"{path}:2:8: error: 'pool.max_pool' op (Window.C8)",
           lambda: pool_mlir.compile(path))
    raises(report, ValueError, "<string>:2:5: error: expected '=' after SSA name",
           lambda: pool_mlir.compile(WRONG.replace("%y =", "%y")))
    raises(report, ValueError, "no public function 'other' with a body; there is 'dynamic'",
           lambda: pool_mlir.compile(MODULE, "other"))
    raises(report, ValueError, "no public function 'other'",
           lambda: pool_mlir.compile(MODULE, ["pair", "other"]))
    raises(report, ValueError, "the module has no public function", lambda: pool_mlir.compile("module {}"))
    raises(report, ValueError, "which no array can be passed as", lambda: pool_mlir.compile(
        "func.func @f(%x: tensor<*xf32>) { return }"))
    raises(report, ValueError, "error: ", lambda: pool_mlir.compile(b"ML\xefR of no version"))
    raises(report, FileNotFoundError, "absent.mlir",
           lambda: pool_mlir.compile(directory / "absent.mlir"))
    raises(report, TypeError, "expected a module, its text", lambda: pool_mlir.compile(3))
    raises(report, TypeError, "entry must be a name", lambda: pool_mlir.compile(MODULE, 3))


def check_files(report, compiled, directory):
    report.expect(compiled.entries == ("dynamic", "mixed", "pair", "nothing"), "entries",
                  actual=compiled.entries)
    again = pool_mlir.compile(compiled.mlir)
    report.expect(again.mlir == compiled.mlir and "pool.max_pool" in again.mlir, "mlir")
    (directory / "module.mlir").write_text(MODULE)
    for source in (directory / "module.mlir", str(directory / "module.mlir"), MODULE.encode()):
        entries = pool_mlir.compile(source, ["pair", "mixed"]).entries
        report.expect(entries == ("pair", "mixed"), "entries named", actual=entries)
    one = pool_mlir.compile(MODULE, "nothing")
    report.expect(one() == (), "the only function needs no name")

    text = compiled["mixed"].llvm
    report.expect("@pool_mixed" in text and "@pool_pair" not in text, "llvm", text)
    path, header = directory / "mixed.o", directory / "mixed.h"
    compiled["mixed"].save_object(path, header=header)
    report.expect("void pool_mixed(" in header.read_text(), "header", header.read_text())
    (directory / "use.c").write_text(
        '#include "mixed.h"\nint main(void) { return pool_mixed == 0; }\n')
    link = subprocess.run([sys.argv[1], "use.c", "mixed.o", "-lm", "-o", "use"], cwd=directory,
                          capture_output=True, text=True, check=False)
    report.expect(link.returncode == 0, "the object links", link.stderr)
    compiled.save_object(directory / "arm.o", target="aarch64-linux-gnu")
    report.expect((directory / "arm.o").read_bytes()[18:20] == b"\xb7\x00", "machine of the object")
    raises(report, ValueError, "unknown target 'moon'",
           lambda: compiled.save_object(directory / "moon.o", target="moon"))
    raises(report, OSError, "cannot write",
           lambda: compiled.save_object(directory / "absent" / "x.o"))
    left = sorted(os.listdir(directory))
    report.expect(not [name for name in left if "moon" in name or "tmp" in name],
                  "nothing is left of what failed", actual=left)


def check_cpu(report, compiled):
    """Code for another processor gives the same results. Code that this machine cannot run is
    refused before anything runs."""
    x = np.arange(1 * 3 * 16 * 64, dtype=np.float32).reshape(1, 3, 16, 64) % 89
    expected = compiled["dynamic"](x)
    report.expect(np.array_equal(pool_mlir.compile(MODULE, "dynamic", cpu="native")(x), expected),
                  "native")
    if platform.machine() == "x86_64":
        other = pool_mlir.compile(MODULE, "dynamic", cpu="x86-64")
        report.expect(np.array_equal(other(x), expected), "x86-64")
        report.expect('"target-cpu"="x86-64"' in other.llvm and "<8 x float>" not in other.llvm,
                      "llvm of a processor", other.llvm)
        # Processors of Intel and of AMD; this machine lacks features of at least one.
        for cpu in ("diamondrapids", "bdver4"):
            try:
                pool_mlir.compile(MODULE, "dynamic", cpu=cpu)
            except ValueError as error:
                report.expect(re.fullmatch(f"this machine has no .*, which cpu '{cpu}' needs",
                                           str(error)), cpu, actual=str(error))
                break
        else:
            report.expect(False, "a processor of Intel's and one of AMD's")
    raises(report, ValueError, "unknown cpu 'moon' for target",
           lambda: pool_mlir.compile(WRONG, cpu="moon"))
    raises(report, TypeError, "", lambda: pool_mlir.compile(MODULE, cpu=3))


def check_repr(report, compiled):
    report.expect(repr(compiled["pair"]) == "<pool_mlir.Compiled: pair(tensor<?x1x4x4xbf16>) -> "
                  "(tensor<?x1x2x2xbf16>, tensor<?x1x2x2xi64>)>", "repr", actual=repr(compiled["pair"]))
    lines = repr(compiled).splitlines()
    report.expect(lines[1:] == [
        "mixed(tensor<2x3xf32>, f32, i8, index, i1) -> (tensor<2x3xf32>, f32, i8, index, i1, bf16)",
        "pair(tensor<?x1x4x4xbf16>) -> (tensor<?x1x2x2xbf16>, tensor<?x1x2x2xi64>)",
        "nothing() -> ()>"], "repr of several", actual=repr(compiled))


def check_pickles(report, directory):
    """A pickle has the module, not the machine code, so any machine can read it."""
    x = np.arange(1 * 3 * 8 * 8, dtype=np.float32).reshape(1, 3, 8, 8)
    made = pool_mlir.compile(MODULE, ["dynamic", "nothing"], threads=2)
    copy = pickle.loads(pickle.dumps(made))
    report.expect(copy.entries == made.entries and copy.mlir == made.mlir, "pickle",
                  actual=copy.entries)
    report.expect(np.array_equal(copy["dynamic"](x), made["dynamic"](x)), "result of a pickle")
    chosen = pickle.loads(pickle.dumps(made["dynamic"]))
    report.expect(chosen.entries == ("dynamic",), "pickle of one function", actual=chosen.entries)
    report.expect(pickle.dumps(chosen) == pickle.dumps(made["dynamic"]), "pickle of a pickle")
    # Names of files stay in messages.
    path = directory / "pickled.mlir"
    path.write_text(MODULE)
    there = pickle.loads(pickle.dumps(pool_mlir.compile(path, "dynamic")))
    raises(report, ValueError, f'"{path}":3:8', lambda: there(x[:, :, :1]))
    # Another version compiles the module again. If it cannot, the error names both versions.
    recompile, (source, name, *rest, version) = made.__reduce__()
    report.expect(version == pool_mlir.__version__, "version", actual=version)
    report.expect(recompile(source, name, *rest, "0.0.1").entries == made.entries, "another version")
    raises(report, ValueError, f"pool-mlir {version} cannot compile the functions that pool-mlir "
           "9.9.9 has pickled; compile them from their source instead: <string>:1:7: error",
           lambda: recompile(b"module of another version", name, *rest, "9.9.9"))


def run():
    report = Report("compile")
    compiled = pool_mlir.compile(MODULE)
    with tempfile.TemporaryDirectory() as directory:
        check_files(report, compiled, pathlib.Path(directory))
        check_compile_errors(report, pathlib.Path(directory))
        check_pickles(report, pathlib.Path(directory))
    check_call_errors(report, compiled)
    check_calls(report, compiled)
    check_cpu(report, compiled)
    check_repr(report, compiled)
    return report.finish()


main(run)
