# REQUIRES: tier-land
# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""programs.py must find a wrong result of a random program and make the program smaller.

For the vector path, the test replaces every maximum by a minimum. It takes the first program
whose results change. The program must be reduced to one function with one or two operations,
whose results still differ in the same way.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import tempfile

from pooltest.programs import execute, reduce
from pooltest.report import Report, main

SEED = 7
STAGE = "--path=vector -O0"


def spoil(stage, text):
    """Imitates a lowering that computes minima instead of maxima."""
    if stage != STAGE:
        return text
    return text.replace("pool.max_pool %", "pool.min_pool %")


def run():
    report = Report("reduction of programs")
    check = functools.partial(execute.check, alter=spoil)
    for index in range(20):
        with tempfile.TemporaryDirectory() as directory:
            failures = check(reduce.build(SEED, index), directory, STAGE)
        if failures:
            break
    if not report.expect(failures, "no program has a maximum whose value is seen"):
        return report.finish()
    failure = failures[0]
    report.expect(failure.signature == (STAGE, "differs"), f"found {failure.signature}")
    changes = reduce.minimise(SEED, index, failure, check)
    small = reduce.build(SEED, index, changes)
    ops = list(small.walk())
    report.expect(len(ops) <= 2 and len(small.functions) == 1 and not any(small.steps),
                  f"{len(ops)} operations are left after {' '.join(changes)}", small.emit())
    report.expect("pool.max_pool %" in small.emit(), "the maximum is gone", small.emit())
    report.expect(reduce.fails(SEED, index, changes, failure, check), "does not fail again")
    report.expect(not reduce.fails(SEED, index, changes, failure, execute.check),
                  "fails without being spoilt")
    report.count("changes made", len(changes))
    return report.finish()


if __name__ == "__main__":
    main(run)
