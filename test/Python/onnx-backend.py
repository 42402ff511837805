# REQUIRES: tier-land
# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Every backend test that ONNX has for its pooling operators must pass: the node tests that the
onnx package generates, and models converted from PyTorch, with opsets 6 and 12.

Each goes through import_onnx and pool-run on every path. Results must equal the test's tensors
within its own tolerances. Two independent counts show that no node test is left out: tests whose
model has a pooling operator, and tests whose name says so.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.loader import load_model_tests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Integration"))
from pooltest import onnx_import  # noqa: E402
from pooltest.report import Report, main  # noqa: E402

OPERATORS = {"MaxPool", "AveragePool", "LpPool", "GlobalMaxPool", "GlobalAveragePool",
             "GlobalLpPool", "MaxUnpool"}
NAME = re.compile(r"test_(max|average|lp|globalmax|globalaverage|globallp)(un)?pool")


def close(got, expected, case):
    """Compares as the package's own runner does: type, shape, tolerances."""
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    return np.allclose(got, expected, rtol=case.rtol, atol=case.atol, equal_nan=True)


@dataclass
class Converted:
    """A test whose model and tensors are files."""

    name: str
    model: onnx.ModelProto
    data_sets: list
    rtol: float
    atol: float


def converted():
    """Yields the models with pooling that were converted from PyTorch."""
    for kind in ("pytorch-converted", "pytorch-operator"):
        for case in load_model_tests(kind=kind):
            folder = Path(case.model_dir)
            model = onnx.load(folder / "model.onnx")
            if not OPERATORS & {node.op_type for node in model.graph.node}:
                continue
            sets = [[tensors(data, word) for word in ("input", "output")]
                    for data in sorted(folder.glob("test_data_set_*"))]
            yield Converted(case.name, model, sets, case.rtol, case.atol)


def tensors(folder, word):
    files = sorted(folder.glob(f"{word}_*.pb"), key=lambda f: int(f.stem.split("_")[1]))
    return [numpy_helper.to_array(onnx.load_tensor(f)) for f in files]


def run():
    report = Report("ONNX backend tests")
    with warnings.catch_warnings():
        # Operators without pooling cause these warnings.
        warnings.simplefilter("ignore", RuntimeWarning)
        generated = collect_testcases(None)
    cases = [c for c in generated
             if OPERATORS & {node.op_type for node in c.model.graph.node}]
    named = [c.name for c in generated if NAME.match(c.name)]
    report.expect(sorted(named) == sorted(c.name for c in cases),
                  "names and operators do not select the same tests",
                  difference=set(named) ^ {c.name for c in cases})

    generated_count = len(cases)
    cases += converted()
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
    ran = [name for name, paths in passed.items() if len(paths) == len(onnx_import.PATHS)]
    nodes = [name for name in ran if name in named]
    print(f"{len(nodes)} of {len(named)} node tests and {len(ran) - len(nodes)} of "
          f"{len(cases) - generated_count} converted models pass on all "
          f"{len(onnx_import.PATHS)} paths")
    report.expect(len(nodes) == len(named) == generated_count > 0, "not every node test ran",
                  ran=nodes, generated=named)
    report.expect(len(ran) == len(cases) > generated_count, "not every test ran", ran=ran)
    return report.finish()


if __name__ == "__main__":
    main(run)
