# REQUIRES: vulkan, tier-land
# RUN: env POOL_BUILD_DIR=%build_dir %doors_python %s
"""As a GPU kernel, every operation must compute the results of the CPU's path=linalg, or be
refused. Kernels for Vulkan run here without a GPU; kernels for other targets are compiled.

Each cell of pooltest/cells.py, random windows with their attributes, and the programs of
pooltest/gpu_cells.py become SPIR-V by `--pool-to-gpu=target=vulkan`. Mesa's driver lavapipe runs
it on the CPU. Results must equal path=linalg's to the bit, and norms within 2e-6 of the value or
one unit in the last place, because Vulkan's powers are less exact. Each cell that a target cannot
do must be refused, by an error that names the operation and the reason. OpenCL's SPIR-V must pass
spirv-val, PTX must pass ptxas if there is one, and GCN must link with ld.lld. Some PTX runs in an
interpreter, which computes powers and roots in double precision. So does global pooling by
subgroups, whose float sums have another order than path=linalg's: they must be within the bound
of compare.py.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import re
import tempfile

import numpy as np

from pooltest import cells, compare, fast_oracle, generators, gpu_code, tier, vulkan
from pooltest.gpu_cells import Chain, Excite, Plane, Slice, Window
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

SEED = 39
CELLS = tier.size(None, 80, 10)
RANDOM_CASES = tier.size(1000, 30, 10)
REFUSED = tier.size(None, 40, 4)
# Cells of each target that does not run here, and cells whose PTX is interpreted
COMPILED = tier.size(None, 16, 4)
INTERPRETED = tier.size(200, 4, 2)
PLANES = tier.size(400, 20, 8)
# Programs of each kind, and those whose PTX is interpreted
PROGRAMS = tier.size(300, 12, 5)
INTERPRETED_PROGRAMS = tier.size(40, 4, 1)
PER_MODULE = 40
NORM_TOLERANCE = 2e-6


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


def no_passes(_):
    return ()


def run_cells(report, title, chosen, compile_text, passes=no_passes):
    """Compares the results of cells with path=linalg's. `compile_text` returns code
    with a method `run(function, arrays)`. `passes` returns passes that run before both."""
    rng = np.random.default_rng(tier.seed(SEED))
    for start in range(0, len(chosen), PER_MODULE):
        part = chosen[start:start + PER_MODULE]
        texts = [cell.function(f"f{i}") for i, cell in enumerate(part)]
        inputs = [cell.inputs(rng) for cell in part]
        options = passes(rng)
        process = pool_opt("\n".join(texts), *options)
        if not report.expect(process.returncode == 0, f"pool-opt {' '.join(options)}",
                             "\n".join(texts), stderr=process.stderr[:3000]):
            continue
        module = process.stdout
        with tempfile.TemporaryDirectory() as directory:
            batch = Batch(directory)
            for i, cell in enumerate(part):
                batch.add(f"f{i}", "", inputs[i], cell.types())
            batch.texts = [module]
            truth, process = batch.run("--path=linalg", "-O0")
        if not report.expect(process.returncode == 0, "pool-run", stderr=process.stderr[:3000]):
            continue
        code = compile_text(module)
        if not report.expect(code.error is None, f"{title}: pool-opt {' '.join(options)}", module,
                             error=code.error):
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
            check_compiled(report, target, [Excite(rng, n) for n in range(PROGRAMS)])
        else:
            report.count(f"{target}: its tools are not installed", 0)
        if target == "nvvm":
            run_cells(report, "PTX in an interpreter", tier.sample(chosen, INTERPRETED),
                      gpu_code.InterpretedCode)
            run_cells(report, "PTX of subgroups", planes, gpu_code.InterpretedCode)
            run_random(report, "PTX", INTERPRETED_PROGRAMS, gpu_code.InterpretedCode,
                       PROGRAM_KINDS)
    return report.finish()


def random_partition(rng):
    """Cuts a spatial dimension in both layouts."""
    grid = generators.integers(rng, 1, 1, 3) + generators.integers(rng, 2, 2, 3)
    return [f"--pool-tile-chains=grid={','.join(map(str, grid))}"]


PROGRAM_KINDS = (("slices", Slice, no_passes), ("tiles", Chain, random_partition))


def run_random(report, title, count, compile_text, programs):
    """Runs random cells of each kind that Vulkan can do. `programs` has triples of a name,
    a class and the argument `passes` of run_cells."""
    for name, kind, passes in programs:
        rng = np.random.default_rng(tier.seed(SEED))
        made = [kind(rng, number) for number in range(count)]
        supported = [cell for cell, reason in zip(made, gpu_code.refusals("vulkan", made))
                     if not reason]
        run_cells(report, f"{title}, {name}", supported, compile_text, passes)


def run_on_vulkan(report, chosen):
    device = vulkan.Device()
    report.count(f"vulkan: device {device.name}")

    def compile_text(text):
        return gpu_code.VulkanCode(text, device)
    run_cells(report, "vulkan", tier.sample(chosen, CELLS), compile_text)
    run_random(report, "vulkan", RANDOM_CASES, compile_text, (("random", Window, no_passes),))
    run_random(report, "vulkan", PROGRAMS, compile_text,
               (*PROGRAM_KINDS, ("squeeze and excite", Excite, no_passes)))


if __name__ == "__main__":
    main(run)
