# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Raising pooling from linalg and TOSA must not change results.

The modules have pad, fill, pooling and division as torch-mlir and IREE emit them, TOSA's pooling,
and pooling operations that were lowered to TOSA. Each function runs on random data as it is and
raised, and both results must be equal. Both forms run on path=linalg, because path=vector
multiplies by reciprocals of counts. The data are small whole numbers, whose sums are exact in any
order, with NaN and infinities for maxima. Each case lists the operations that raising must
create.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import tempfile

import numpy as np

from pooltest import raising_linalg, raising_tosa, tier
from pooltest.report import Report, main
from pooltest.tools import Batch, pool_opt

CASES = 2000
# Number of functions in a module.
BATCH = 500


def same(a, b):
    """True if the arrays are equal. NaN equals NaN, and -0 equals +0."""
    return a.shape == b.shape and np.array_equal(
        a.astype(np.float64), b.astype(np.float64), equal_nan=True)


def converted(text, pipeline, report):
    process = pool_opt(text, f"--pass-pipeline=builtin.module({pipeline})")
    report.expect(process.returncode == 0, "the conversion failed", text,
                  error=process.stderr)
    return process.stdout


LOWER_TOSA = ("func.func(tosa-to-linalg-named,tosa-to-linalg,"
              "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor)")


def compare(cases, convert, report, directory, before="", after=""):
    """Runs every case once lowered by `before`, and once by `convert` and then `after`, and
    compares the results. `before`, `convert` and `after` are parts of pass pipelines."""
    text = "\n".join(case.text for case in cases)
    plain = converted(text, before, report)
    raised = converted(text, convert, report)
    functions = raised.split("func.func @")[1:]
    for case, function in zip(cases, functions):
        function = function.split("\n", 1)[1]
        for word in case.expected:
            report.expect(word in function, f"{case.kind}: no {word}", case.text,
                          converted=function)
        for word in case.forbidden:
            report.expect(word not in function, f"{case.kind}: {word} is left",
                          case.text, converted=function)
    raised = converted(raised, after, report)
    outputs = []
    for name, module in (("plain", plain), ("raised", raised)):
        batch = Batch(directory, name)
        batch.texts.append(module)
        for case in cases:
            batch.add(case.name, "", case.inputs, [case.output_type])
        results, process = batch.run("--path=linalg", "-O", "0")
        report.expect(process.returncode == 0, f"running the {name} module failed",
                      module[:4000], error=process.stderr[:4000])
        outputs.append(results)
    for case, plain_output, raised_output in zip(cases, *outputs):
        report.count(case.kind)
        if plain_output is None or raised_output is None:
            report.mismatch(f"{case.kind}: no output", case.text)
        elif not same(plain_output[0], raised_output[0]):
            report.mismatch(f"{case.kind}: values differ", case.text,
                            input=case.inputs[0], plain=plain_output[0],
                            raised=raised_output[0])


def compare_all(cases, *arguments, **pipelines):
    for begin in range(0, len(cases), BATCH):
        compare(cases[begin:begin + BATCH], *arguments, **pipelines)


def run():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=tier.size(CASES, 400, 80),
                        help="cases raised from linalg, and as many from TOSA")
    parser.add_argument("--seed", type=int, default=tier.seed(20))
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    report = Report("raising")
    linalg = -(-arguments.cases // len(raising_linalg.KINDS))
    tosa = -(-arguments.cases // len(raising_tosa.TOSA))
    with tempfile.TemporaryDirectory() as directory:
        compare_all(raising_linalg.cases(rng, linalg), "convert-linalg-to-pool",
                    report, directory)
        compare_all(raising_tosa.tosa_cases(rng, tosa), "convert-tosa-to-pool",
                    report, directory, before=LOWER_TOSA, after=LOWER_TOSA)
        compare_all(raising_tosa.tosa_cases(rng, linalg, linalg=True),
                    f"{LOWER_TOSA},convert-linalg-to-pool", report, directory,
                    before=LOWER_TOSA)
        compare_all(raising_tosa.pool_cases(rng, linalg), "convert-pool-to-tosa",
                    report, directory, after=LOWER_TOSA)
    return report.finish()


if __name__ == "__main__":
    main(run)
