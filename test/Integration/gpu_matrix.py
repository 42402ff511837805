# REQUIRES: vulkan, tier-land
# RUN: env POOL_BUILD_DIR=%build_dir %gpu_python %s
"""Runs the matrix of operations as kernels, on Vulkan without a GPU, and compiles it for others.

Each cell of pooltest/cells.py, and random windows with their attributes, become SPIR-V by
`--pool-to-gpu=target=vulkan`. Mesa's driver lavapipe runs it on the CPU. Results must equal
path=linalg's to the bit, and norms within 2e-6 of the value, because Vulkan's powers are less
exact. Each cell that a target cannot do must be refused, by an error that
names the operation and the reason. OpenCL's SPIR-V must pass spirv-val, PTX must pass ptxas
if there is one, and GCN must link with ld.lld. Some PTX runs in an interpreter, which
computes powers and roots in double precision. So does global pooling by subgroups, whose
float sums have another order than path=linalg's: they must be within the bound of compare.py.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import tempfile

import numpy as np

from pooltest import (
    cells, compare, fast_oracle, generators, gpu_code, rules, tier, vulkan)
from pooltest.case import FLOAT_TYPES, NUMPY_TYPES, Case
from pooltest.report import Report, main
from pooltest.tools import Batch

SEED = 39
CELLS = tier.size(None, 160, 10)
RANDOM_CASES = tier.size(1000, 60, 10)
REFUSED = tier.size(None, 40, 4)
# Cells of each target that does not run here, and cells whose PTX is interpreted
COMPILED = tier.size(None, 40, 4)
INTERPRETED = tier.size(200, 8, 2)
PLANES = tier.size(400, 40, 8)
PER_MODULE = 40
NORM_TOLERANCE = 2e-6


class Window:
    """A random window with its data, in the form of a cell."""

    has_other_order = False

    def __init__(self, rng, number):
        op = ("max_pool", "avg_pool", "min_pool", "avg_pool", "lp_pool")[number % 5]
        kind = (generators.pick(rng, FLOAT_TYPES) if op == "lp_pool"
                else generators.element_type(rng))
        case = generators.random_legal(rng, op, kind)
        if number % 3 == 0:
            case = case.with_(dynamic=generators.dynamic_dims(rng, case))
        self.window, self.kind = case, generators.pick(rng, generators.kinds(case))
        self.element_type, self.operation = case.element_type, cells.Operation(case.op)
        self.x = generators.data(rng, case, self.kind)

    def __str__(self):
        case = self.window
        return f"random {case.op}, {case.element_type}, {self.kind}, input {case.shape}"

    def case(self):
        return self.window

    def function(self, name):
        case = self.window
        return case.function(name, case.dynamic_output_shape(rules.output_shape(case)))

    def inputs(self, _):
        return [self.x]

    def types(self):
        indices = self.window.index_type
        return [self.window.dtype] + ([np.dtype(f"int{indices[1:]}")] if indices else [])


class Plane(Window):
    """Global pooling with random data: each window is a whole plane."""

    EXTENTS = ((17,), (33,), (97,), (4, 5), (7, 7), (5, 13), (12, 12), (3, 4, 5))

    def __init__(self, rng, number):
        op = ("max_pool", "min_pool", "avg_pool", "max_pool", "lp_pool")[number % 5]
        element_type = generators.pick(rng, FLOAT_TYPES if op == "lp_pool" else (*NUMPY_TYPES,))
        extents = generators.pick(rng, self.EXTENTS)
        indices = {"axis": 2, "index_type": "i64"} if op == "max_pool" and number % 2 else {}
        case = Case(op, (*generators.integers(rng, 2, 1, 3), *extents), extents,
                    element_type=element_type, **indices)
        if number % 3 == 0:
            case = case.with_(dynamic=(0, 1))
        self.has_other_order = not case.is_extremum and case.is_float
        self.window, self.kind = case, generators.pick(rng, generators.kinds(case))
        self.element_type, self.operation = case.element_type, cells.Operation(case.op)
        self.x = generators.data(rng, case, self.kind)


def agrees(cell, actual, expected):
    if not compare.same_shape_and_type(actual, expected.shape, expected.dtype):
        return False
    same = compare.same_values(actual, expected)
    if isinstance(cell, Window) and cell.has_other_order:
        truth = fast_oracle.run(cell.window, cell.x)
        same = same | compare.within(actual, truth.exact,
                                     compare.float_bound(cell.window, truth), cell.window)
    if cell.operation.name == "lp_pool":
        with np.errstate(invalid="ignore"):
            a, b = actual.astype(np.float64), expected.astype(np.float64)
            # One unit in the last place of f16 is more than the tolerance.
            unit = np.spacing(np.abs(expected)).astype(np.float64)
            same = same | (np.abs(a - b) <= np.maximum(NORM_TOLERANCE * np.abs(b), unit))
    return bool(same.all())


def run_cells(report, title, chosen, compile_text):
    """Compares the results of cells with path=linalg's. `compile_text` returns code
    with a method `run(function, arrays)`."""
    rng = np.random.default_rng(tier.seed(SEED))
    for start in range(0, len(chosen), PER_MODULE):
        part = chosen[start:start + PER_MODULE]
        texts = [cell.function(f"f{i}") for i, cell in enumerate(part)]
        inputs = [cell.inputs(rng) for cell in part]
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            for i, cell in enumerate(part):
                batch.add(f"f{i}", texts[i], inputs[i], cell.types())
            truth, process = batch.run("--path=linalg", "-O0")
        if not report.expect(process.returncode == 0, "pool-run", stderr=process.stderr[:3000]):
            continue
        code = compile_text("\n".join(texts))
        if not report.expect(code.error is None, f"{title}: pool-opt", code.error or ""):
            continue
        for i, cell in enumerate(part):
            try:
                results = gpu_code.signed_as(code.run(f"f{i}", inputs[i]), cell.types())
            except gpu_code.FAULTS as fault:
                report.mismatch(f"{title}: {cell}", texts[i], fault=repr(fault))
                continue
            right = len(results) == len(truth[i]) and all(
                map(agrees, [cell] * 2, results, truth[i]))
            report.expect(right, f"{title}: {cell}", texts[i], inputs=inputs[i],
                          linalg=truth[i], kernel=results)
            report.count(f"{title}: {cell.operation.name}")
    report.count(f"{title}: compared with path=linalg", len(chosen))


def check_refusals(report, target, refused):
    """Compiles each cell by itself, and expects the error of its reason."""
    errors = gpu_code.errors(target, [cell.function("f") for cell, _ in refused])
    for (cell, reason), messages in zip(refused, errors):
        report.expect(any(re.search(reason, message) for message in messages),
                      f"{target}: not refused: {cell}", cell.function("f"), messages=messages,
                      expected=reason)
        report.count(f"{target} refuses: {reason}")


def check_compiled(report, target, chosen):
    """Compiles cells for a target that does not run here, and asks its own tools."""
    for start in range(0, len(chosen), PER_MODULE):
        part = chosen[start:start + PER_MODULE]
        text = "\n".join(cell.function(f"f{i}") for i, cell in enumerate(part))
        error = gpu_code.CHECKS[target](text)
        report.expect(error is None, f"{target}: {part[0]} and others", text, error=error)
        report.count(f"cells compiled for {target}", len(part))


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", action="append",
                        help="vulkan, opencl, nvvm or rocdl; all by default")
    parser.add_argument("--only", default="", help="only cells whose name contains this")
    options = parser.parse_args()
    report = Report("gpu_matrix")
    accepted = [cell for cell in cells.all_cells()
                if cell.refusal is None and options.only in str(cell)]
    rng = np.random.default_rng(tier.seed(SEED))
    planes = [Plane(rng, number) for number in range(PLANES)]
    targets = options.target or ("vulkan", *gpu_code.CHECKS)
    for number, target in enumerate(targets):
        reasons = gpu_code.refusals(target, accepted)
        refused = [pair for pair in zip(accepted, reasons) if pair[1]]
        chosen = [cell for cell, reason in zip(accepted, reasons) if not reason]
        report.count(f"{target}: cells", len(chosen))
        check_refusals(report, target, tier.sample(refused, REFUSED, number))
        if target == "vulkan":
            run_on_vulkan(report, chosen)
        elif gpu_code.is_available(target):
            check_compiled(report, target, tier.sample(chosen, COMPILED, number))
            check_compiled(report, target, [plane for plane, reason in zip(
                planes, gpu_code.refusals(target, planes)) if not reason])
        else:
            report.count(f"{target}: its tools are not installed", 0)
        if target == "nvvm":
            run_cells(report, "PTX in an interpreter", tier.sample(chosen, INTERPRETED),
                      gpu_code.InterpretedCode)
            run_cells(report, "PTX of subgroups", planes, gpu_code.InterpretedCode)
    return report.finish()


def run_on_vulkan(report, chosen):
    device = vulkan.Device()
    report.count(f"vulkan: device {device.name}")

    def compile_text(text):
        return gpu_code.VulkanCode(text, device)
    run_cells(report, "vulkan", tier.sample(chosen, CELLS), compile_text)
    rng = np.random.default_rng(tier.seed(SEED))
    windows = [Window(rng, number) for number in range(RANDOM_CASES)]
    reasons = gpu_code.refusals("vulkan", windows)
    run_cells(report, "vulkan, random", [window for window, reason in zip(windows, reasons)
                                         if not reason], compile_text)


if __name__ == "__main__":
    main(run)
