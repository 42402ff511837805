# REQUIRES: python-module
# RUN: %python %s
"""The disk cache of machine code, in several Python processes.

A process must link code that another one compiled, with the same results. It must compile again
if the file is damaged, or for another source or another CPU. If a directory cannot be used, one
warning says why, and calls work without the cache.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from pooltest.report import Report, main

# Prints the results of calls, and the state of the cache.
SCRIPT = """
import json, sys, warnings
import numpy as np
import pool_mlir

text, number, cpu = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    x = np.arange(2 * 3 * 9 * 11, dtype=np.float32).reshape(2, 3, 9, 11) % 17
    values, indices = pool_mlir.max_pool(x, 3, 2, return_indices=True)
    pool_mlir.avg_pool(x, number)
    f = pool_mlir.compile(text, cpu=cpu)
    result = f(x)
json.dump({
    "sums": [float(values.sum()), int(indices.sum()), float(result.sum())],
    "entries": f.entries, "mlir": f.mlir, "disk": pool_mlir.cache_info()["disk"],
    "compiled": f.compile_times["llvm_passes"] > 0,
    "warnings": [str(w.message) for w in seen]}, sys.stdout)
"""
TEXT = """
func.func @f(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = pool.max_pool %x kernel [2, 2] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}
"""
EXTENT = """
func.func @f(%x: tensor<?x?x?x?xf32>) -> index {
  %c = arith.constant 1 : index
  %d = tensor.dim %x, %c : tensor<?x?x?x?xf32>
  %one = arith.constant 7 : index
  %ok = arith.cmpi eq, %d, %one : index
  cf.assert %ok, "channels are not seven"
  return %d : index
}
"""


def python(*arguments, directory, expected=0):
    environment = {**os.environ, "POOL_CACHE_DIR": str(directory)}
    process = subprocess.run([sys.executable, *arguments], capture_output=True, text=True,
                             env=environment, check=False)
    assert process.returncode == expected, process.stderr
    return process


def ask(directory, text=TEXT, number=2, cpu=""):
    return json.loads(python("-c", SCRIPT, text, str(number), cpu, directory=directory).stdout)


def check_processes(report, directory):
    first = ask(directory)
    report.expect(first["compiled"] and first["disk"]["misses"] == 3 and
                  first["disk"]["files"] == 3 and not first["warnings"], "first", actual=first)
    second = ask(directory)
    report.expect(not second["compiled"] and second["disk"]["hits"] == 3 and
                  second["disk"]["misses"] == 0, "second", actual=second)
    for key in ("sums", "entries", "mlir"):
        report.expect(first[key] == second[key], f"{key} differ", first=first, second=second)
    # Another attribute makes another source.
    third = ask(directory, number=3)
    report.expect(third["disk"]["hits"] == 2 and third["disk"]["files"] == 4, "third",
                  actual=third)
    report.expect(ask(directory, TEXT.replace("[2, 2]", "[2, 3]"))["compiled"], "other source")
    # Another processor
    if platform.machine() == "x86_64":
        for is_compiled in (True, False):
            report.expect(ask(directory, cpu="x86-64")["compiled"] == is_compiled, "processor")
    report.count("processes", 4)


def files(directory):
    return list(directory.glob("code-*"))


def check_damage(report, directory):
    expected = ask(directory)["sums"]
    for file in files(directory):
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    damaged = ask(directory)
    report.expect(damaged["compiled"] and damaged["sums"] == expected, "damage", actual=damaged)
    report.expect(not ask(directory)["compiled"], "written anew")
    report.count("damage")


def check_messages(report, directory):
    """A failing check gives the same message if its code came from the cache."""
    script = ("import sys, numpy, pool_mlir; pool_mlir.compile(sys.argv[1])"
              "(numpy.zeros((1, 3, 4, 4), numpy.float32))")
    messages = [python("-c", script, EXTENT, directory=directory,
                       expected=1).stderr.splitlines()[-1] for _ in range(2)]
    report.expect(messages[0] == messages[1] and "channels are not seven" in messages[0],
                  "messages", actual=messages)


def check_refusals(report, directory):
    shared = directory / "shared"
    shared.mkdir(mode=0o777)
    shared.chmod(0o777)
    for path, why in ((shared, "other users may write to it"), ("/proc/none", "/proc/none")):
        answer = ask(path)
        report.expect(answer["compiled"] and answer["disk"] is None and
                      len(answer["warnings"]) == 1 and why in answer["warnings"][0],
                      "refused", path=path, actual=answer)
    off = ask("")
    report.expect(off["disk"] is None and not off["warnings"], "off", actual=off)
    report.count("refusals", 3)


def check_command(report, directory):
    ask(directory)
    shown = python("-m", "pool_mlir", "cache", directory=directory).stdout
    report.expect(str(directory) in shown and " 0 files" not in shown, "cache", actual=shown)
    shown = python("-m", "pool_mlir", "cache", "--clear", directory=directory).stdout
    report.expect(" 0 files" in shown and not files(directory), "--clear", actual=shown)
    shown = python("-m", "pool_mlir", "cache", directory="").stdout
    report.expect("no cache" in shown, "no cache", actual=shown)


def run():
    report = Report("disk-cache")
    with tempfile.TemporaryDirectory() as temporary:
        for number, check in enumerate((check_processes, check_damage, check_messages,
                                        check_refusals, check_command)):
            directory = Path(temporary) / str(number)
            directory.mkdir(mode=0o700)
            check(report, directory)
    return report.finish()


if __name__ == "__main__":
    main(run)
