# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Pooling that is raised from TOSA must compute what TOSA's reference model computes.

The tests come from TOSA's own generator of conformance tests (tosa_verif_build_tests of the
package tosa-tools). The directories in test/data/tosa have 100 tests, which Inputs/tosa_tests.py
made:
- tests.mlir: a function for each test, named after it.
- refused.mlir: modules of tests for errors, and for features that pool or MLIR lacks.
- numbers.npz: for each test its input `x` and the model's result `y`; for an average of floats
  also `size`, the average of absolute values, for the bound.
The script's arguments were `build test/data/tosa/small 1 80 0 80 1,9,9,2` and
`build test/data/tosa/averages 1 20 0 20 1,20,20,3`. The script also wrote counts.json, which
is not committed.

The tier `all` makes 1,500 more tests with build/tosa-venv. It also converts pool operations
back to TOSA and runs the result in the reference model. `make test-all` makes build/tosa-venv.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import re
import tempfile
from pathlib import Path
from types import SimpleNamespace

import ml_dtypes
import numpy as np

from pooltest import compare, tier, tools
from pooltest.report import Report, main

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "test" / "data" / "tosa"
PYTHON = ROOT / "build" / "tosa-venv" / "bin" / "python"
MAKER = Path(__file__).parent / "Inputs" / "tosa_tests.py"
DTYPES = {"i8": np.int8, "i16": np.int16, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
          "f32": np.float32}


class Test:
    """A function with its input and the reference model's result."""

    def __init__(self, text, numbers):
        self.text = text
        self.name, self.element = re.search(r"@(\w+).*-> tensor<[\dx]*x(\w+)>", text).groups()
        self.shape = [int(e) for e in re.search(r"-> tensor<([\dx]*)x\w", text)[1].split("x")]
        self.dtype = np.dtype(DTYPES[self.element])
        self.x = numbers[f"{self.name} x"].view(self.dtype)
        self.y = numbers[f"{self.name} y"].view(self.dtype).reshape(self.shape)
        self.size = numbers.get(f"{self.name} size")
        self.kind = f"{self.name[:3]} {self.element}"

    def is_right(self, got, report):
        """True if `got` agrees with the reference model's result. If a maximum ignores NaN and
        a window has only NaN, the model returns NaN and pool operations return -infinity."""
        if got is None or list(got.shape) != self.shape or got.dtype != self.dtype:
            return False
        if self.size is None:
            y = self.y
            if "modeI" in self.name and np.isnan(y).any():
                report.difference("the maximum of NaN alone under IGNORE is NaN in TOSA",
                                  int(np.isnan(y).sum()))
                y = np.where(np.isnan(y), np.array(-np.inf, self.dtype), y)
            return compare.same_arrays(got, y)
        case = SimpleNamespace(op="avg_pool", element_type=self.element, dtype=self.dtype)
        kernel = [int(k) for k in re.search(r"_kern(\d)(\d)", self.name).groups()]
        # `size` is rounded to the type, so add 1 %. The exact average is unknown, and both
        # results have an error, so double the bound.
        size = self.size.view(self.dtype).reshape(self.shape).astype(np.float64) * 1.01
        truth = SimpleNamespace(counted=np.prod(kernel), exact=self.y.astype(np.longdouble),
                                magnitude=size)
        bound = 2 * compare.average_bound(case, truth)
        report.measure(f"share of the bound: {self.element}",
                       compare.share_of_bound(got, truth.exact, bound))
        report.count("elements of averages of floats", got.size)
        report.count("elements of averages of floats, equal to the bit",
                     int(compare.same_values(got, self.y).sum()))
        return bool(compare.within(got, truth.exact, bound, case).all())


def functions(text):
    """Returns the functions of a module of the form that pool-opt prints."""
    return re.findall(r"^  func\.func .*?^  }$", text, re.MULTILINE | re.DOTALL)


def converted(report, text, *passes):
    process = tools.pool_opt(text, *passes)
    report.expect(process.returncode == 0, f"pool-opt {' '.join(passes)}",
                  stderr=process.stderr[:2000])
    return process.stdout


def check_tests(report, directory, paths, model):
    """Raises the tests to pool operations and runs them, then converts them back to TOSA.
    Raising the result again must give the same operations. With `model`, TOSA's reference
    model also runs the result."""
    numbers = dict(np.load(directory / "numbers.npz"))
    module = converted(report, f"module {{\n{(directory / 'tests.mlir').read_text()}\n}}")
    tests = [Test(text, numbers) for text in functions(module)]
    raised = converted(report, module, "--convert-tosa-to-pool")
    report.expect("tosa." not in raised, "not raised", raised)
    for path in paths:
        with tempfile.TemporaryDirectory() as scratch:
            batch = tools.Batch(scratch)
            batch.texts.append(raised)
            for test in tests:
                batch.add(test.name, "", [test.x], [test.dtype])
            results, process = batch.run("--path", path, *(["-O0"] if path != "reference" else []))
        report.expect(process.returncode == 0, f"path {path}", stderr=process.stderr[:2000])
        for test, got in zip(tests, results):
            check(report, test, got and got[0], f"path {path}")
    back = converted(report, raised, "--convert-pool-to-tosa")
    report.expect("pool." not in back, "not converted back", back)
    again = functions(converted(report, back, "--convert-tosa-to-pool"))
    for test, one, other in zip(tests, functions(raised), again):
        if report.expect(one == other, f"raised again: {test.name}", one, again=other):
            report.count(f"the same operation there and back: {test.kind}")
    if not model:
        return
    for test, text in zip(tests, functions(back)):
        text = text.replace(f"@{test.name}(", "@main(")
        (directory / f"{test.name}.back.mlir").write_text(f"module {{\n{text}\n}}\n")
    run_maker(report, "run", directory)
    results = dict(np.load(directory / "back.npz"))
    for test in tests:
        got = results.get(test.name)
        check(report, test, None if got is None else got.view(test.dtype).reshape(test.shape),
              "back in the reference model")


def check(report, test, got, where):
    if report.expect(test.is_right(got, report), f"{where}: {test.name}", test.text, x=test.x,
                     expected=test.y, got=got):
        report.count(f"{where}: {test.kind}")


def check_refused(report, directory):
    """Checks modules that must not be raised. A module that tests an error, or that has an
    operation that MLIR lacks, must give an error. A module of types that pool operations lack
    must stay as it is, with a remark that says why."""
    text = (directory / "refused.mlir").read_text()
    process = tools.pool_opt(text, "--convert-tosa-to-pool", "--split-input-file",
                             "--mlir-print-op-on-diagnostic=false",
                             "--remarks-filter=convert-tosa-to-pool")
    said = {int(line): (kind, message) for line, kind, message in re.findall(
        r":(\d+):\d+: (error|remark): (.*)", process.stderr)}
    line = 1
    for chunk in text.split("// -----\n"):
        name = chunk.splitlines()[0].removeprefix("// ")
        lines = range(line, line + chunk.count("\n"))
        line += chunk.count("\n") + 1
        kind, message = next((said[n] for n in lines if n in said), ("nothing", ""))
        error = re.search(r"ERRORIF_(\w*?)_", name)
        if error:
            key, good = f"error: {error[1]}", kind == "error"
        elif "adaptive" in name:
            key, good = "MLIR lacks: adaptive pooling", "adaptive' is unknown" in message
        else:
            types = re.search(r"_(f8\w\wm\d|f8\w\w\w|f16_accf16|bf16_accf16)", name)
            key = f"pool operations lack: {types[1] if types else name}"
            good = kind == "remark" and "left alone" in message
        if report.expect(good, f"refused: {name}", chunk, kind=kind, message=message):
            report.count(f"refused, {key}")


def run_maker(report, *arguments):
    process = tools.run([str(PYTHON), str(MAKER), *map(str, arguments)])
    report.expect(process.returncode == 0, "tosa-tools", stderr=process.stderr[-2000:])


def check_generated(report, seed, count, size):
    """Checks `count` tests in parts of `size`, since their data are large."""
    if not report.expect(PYTHON.exists(), "no tosa-tools: run scripts/setup-python.sh "
                         "build/tosa-venv test/requirements-tosa.txt"):
        return
    for begin in range(0, count, size):
        with tempfile.TemporaryDirectory() as scratch:
            directory = Path(scratch)
            run_maker(report, "build", directory, seed, count, begin, min(begin + size, count))
            check_tests(report, directory, ["vector"], model=True)
            if begin == 0:
                check_refused(report, directory)
                for key, number in json.loads((directory / "counts.json").read_text()).items():
                    report.count(f"generator: {key}", number)
        report.progress(begin + size, count)


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tests", type=int, default=tier.size(1500, 0, 0))
    parser.add_argument("--seed", type=int, default=tier.seed(26))
    options = parser.parse_args()
    report = Report("TOSA's conformance tests")
    for directory in sorted(path for path in DATA.iterdir() if path.is_dir()):
        check_tests(report, directory, tier.size(("vector", "linalg", "reference"), (
            "vector", "linalg", "reference"), ("vector", "reference")), model=False)
        check_refused(report, directory)
    if options.tests:
        check_generated(report, options.seed, options.tests, 150)
    return report.finish()


if __name__ == "__main__":
    main(run)
