# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""ONNX's own backend node tests of its pooling operators, every one of them.

The onnx package generates the tests; each goes through import_onnx and pool-run
on every path and is compared with the tensors it came with, within its own
tolerances. None is left out, which two independent counts make sure of: tests
whose model has a pooling operator, and tests whose name says so.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
import warnings
from pathlib import Path

import numpy as np
from onnx.backend.test.case.node import collect_testcases

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import, tools  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

OPERATORS = {"MaxPool", "AveragePool", "LpPool", "GlobalMaxPool", "GlobalAveragePool",
             "GlobalLpPool", "MaxUnpool"}
NAME = re.compile(r"test_(max|average|lp|globalmax|globalaverage|globallp)(un)?pool")


def close(got, expected, case):
    """As the package's own runner compares: type, shape, tolerances."""
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    return np.allclose(got, expected, rtol=case.rtol, atol=case.atol, equal_nan=True)


def run():
    report = Report("ONNX backend node tests")
    with warnings.catch_warnings():
        # Of operators that have nothing to do with pooling.
        warnings.simplefilter("ignore", RuntimeWarning)
        generated = collect_testcases(None)
    cases = [c for c in generated
             if OPERATORS & {node.op_type for node in c.model.graph.node}]
    named = [c.name for c in generated if NAME.match(c.name)]
    report.expect(sorted(named) == sorted(c.name for c in cases),
                  "names and operators do not select the same tests",
                  difference=set(named) ^ {c.name for c in cases})

    import_onnx = onnx_import.importer().import_onnx
    runs, expected = onnx_import.Runs(), []
    for case in cases:
        text = import_onnx(case.model)
        for inputs, outputs in case.data_sets:
            runs.add(text, inputs, [array.dtype for array in outputs])
            expected.append((case, outputs))
    passed = {case.name: [] for case in cases}
    for path in onnx_import.PATHS:
        results, process = runs.run(path)
        report.expect(process.returncode == 0, f"pool-run fails on path {path}",
                      stderr=process.stderr)
        for (case, outputs), arrays in zip(expected, results):
            good = arrays is not None and len(arrays) == len(outputs) and all(
                close(a, b, case) for a, b in zip(arrays, outputs))
            if report.expect(good, f"{case.name} on path {path}", expected=outputs, got=arrays):
                passed[case.name].append(path)
    for name, paths in passed.items():
        print(f"{name}: {', '.join(paths) or 'failed everywhere'}")
    ran = sum(len(paths) == len(onnx_import.PATHS) for paths in passed.values())
    print(f"{ran} of {len(named)} tests pass on all {len(onnx_import.PATHS)} paths")
    report.expect(ran == len(named) == len(cases) > 0, "not every test ran",
                  ran=ran, generated=len(named))
    return report.finish()


if __name__ == "__main__":
    main(run)
