# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""No pass or pipeline of ours may crash or hang on any module of the tests, even if it runs
twice.

Each runs twice over the modules of the tests, as they are and with an operation that no dialect
has. The tool may reject a module by an error, but must not fail without an error.

A case is a file, a pass and a variant. All modules of the file go through one process. A module
that does not parse is an error of its own, and the process continues with the next one.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import itertools
import os
import re
import subprocess
from pathlib import Path

from pooltest import tier
from pooltest.report import Report, main
from pooltest.tools import run as run_tool
from pooltest.tools import tool

TESTS = Path(__file__).resolve().parents[1]
PAGES = TESTS.parent / "docs" / "Reference"
TIMEOUT_SECONDS = 120
# What a pass needs, or where other options reach other code
OPTIONS = {
    "pool-check-gpu-target": ("target=vulkan",),
    "pool-emit-kernels": ("target=nvvm", "target=vulkan"),
    "pool-expand-math": ("target=vulkan", "target=opencl"),
    "pool-lower-assertions": ("", "handler=report"),
    "pool-tile-chains": ("grid=1,1,2", "grid=2,2"),
    "pool-to-gpu": ("target=nvvm", "target=rocdl", "target=vulkan", "target=opencl"),
    "pool-to-llvm": ("", "runtime-checks", "path=linalg", "path=affine"),
}
SEPARATOR = re.compile(r"^(?:// -----|(?://|#)--- \S+)$", re.MULTILINE)
UNREGISTERED = """
func.func private @unregistered_operation() -> index {
  %n = "unregistered.operation"() {value = 1 : i32} : () -> index
  return %n : index
}
"""


def get_passes():
    """Returns the options of pool-opt for each pass and pipeline that the pages name."""
    names = re.findall(r"^## `-([\w-]+)`$", (PAGES / "Passes.md").read_text(), re.MULTILINE)
    names += re.findall(r"^## Options of `([\w-]+)`$", (PAGES / "Pipelines.md").read_text(),
                        re.MULTILINE)
    return [f"--{name}={options}" if options else f"--{name}"
            for name in names for options in OPTIONS.get(name, ("",))]


def get_modules(path, is_foreign):
    """Returns the modules of a file, separated for --split-input-file."""
    modules = SEPARATOR.split(path.read_text(encoding="utf-8"))
    return "\n// -----\n".join(module + UNREGISTERED * is_foreign for module in modules)


def check(case):
    """Returns what is wrong with a case, or an empty string."""
    path, option, is_foreign = case
    command = [tool("pool-opt"), "--allow-unregistered-dialect", "--split-input-file", option,
               option, "-o", os.devnull]
    try:
        process = run_tool(command, get_modules(path, is_foreign), TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"takes longer than {TIMEOUT_SECONDS} s"
    if process.returncode not in (0, 1):
        return f"exit code {process.returncode}\n{process.stderr[-3000:]}"
    if process.returncode == 1 and "error:" not in process.stderr:
        return f"fails without an error\n{process.stderr[-3000:]}"
    return ""


def run():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=tier.size(1500, 300, 60))
    parser.add_argument("--jobs", type=int, default=tier.size(os.cpu_count(), 1, 1))
    options = parser.parse_args()
    report = Report("passes, twice")
    files = [path for path in sorted(TESTS.rglob("*.mlir")) if "Output" not in path.parts]
    cases = tier.sample(itertools.product(files, get_passes(), (False, True)), options.cases, 3)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as executor:
        for number, (case, wrong) in enumerate(zip(cases, executor.map(check, cases))):
            path, option, is_foreign = case
            where = f"{path.relative_to(TESTS)}: {option} twice"
            where += ", with an unregistered operation" * is_foreign
            report.expect(not wrong, where, wrong)
            report.count("cases")
            report.progress(number, len(cases))
    return report.finish()


if __name__ == "__main__":
    main(run)
