# REQUIRES: python-module
# RUN: %python %s
# UNEXPLORED: other seeds test nothing new; the data only has to differ between elements.
"""compile(...).plan must list the plans of a module, chosen and pinned. It must do so for code
that is compiled now, that comes from disk, or that is for another processor. Operations that are
left to linalg must be listed without a plan. _plan, which inspect uses, must also work for other
machines than this one."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import pool_mlir
from pool_mlir._pool_mlir import _plan
from pooltest.errors import raises
from pooltest.report import Report, main

TYPES = "tensor<1x4x40x40xf32> -> tensor<1x4x38x38xf32>"
MODULE = """
func.func @average(%x: tensor<1x4x40x40xf32>) -> tensor<1x4x38x38xf32> {{
  %y = pool.avg_pool %x kernel [3, 3] {pin} : {types}
  return %y : tensor<1x4x38x38xf32>
}}
func.func @both(%x: tensor<1x4x40x40xf32>, %u: tensor<1x4x?x?xf32>)
    -> (tensor<1x4x38x38xf32>, tensor<1x4x1x1xf32>) {{
  %y = pool.max_pool %x kernel [3, 3] : {types}
  %z = pool.adaptive_max_pool %u output_size [1, 1]
     : tensor<1x4x?x?xf32> -> tensor<1x4x1x1xf32>
  return %y, %z : tensor<1x4x38x38xf32>, tensor<1x4x1x1xf32>
}}
"""
PLAIN = MODULE.format(pin="", types=TYPES)
DIRECT = '#pool.plan<"direct", lanes = 4>'
PINNED = MODULE.format(pin=f"{{pool.plan = {DIRECT}}}", types=TYPES)
# No strategy for gradients adds in the order of uniform sums, so this operation has no plan.
ALONE = """
func.func @f(%g: tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32> {
  %y = pool.avg_pool_grad %g kernel [2, 2] {pool.uniform_sums}
     : tensor<1x1x3x3xf32> -> tensor<1x1x4x4xf32>
  return %y : tensor<1x1x4x4xf32>
}
"""
# Its indices are checked at run time, by an operation of the dialect that is not planned.
UNPOOL = """
func.func @f(%y: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) -> tensor<1x1x4x4xf32> {
  %x = pool.max_unpool %y, %i : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64> -> tensor<1x1x4x4xf32>
  return %x : tensor<1x1x4x4xf32>
}
"""
KEYS = ["function", "operation", "location", "plan", "pinned", "cycles", "reason", "rejected"]
# Prints the plans, and whether the code was compiled.
SCRIPT = """
import json, sys
import pool_mlir
f = pool_mlir.compile(sys.argv[1])
print(json.dumps([f.plan, f.compile_times["llvm_passes"] > 0]))
"""


def check_chosen(report):
    compiled = pool_mlir.compile(PLAIN)
    plans = compiled.plan
    report.expect([list(plan) for plan in plans] == [KEYS] * 3, "keys", actual=plans)
    where = [(plan["function"], plan["operation"], plan["location"]) for plan in plans]
    report.expect(where == [("average", "pool.avg_pool", "<string>:3:8"),
                            ("both", "pool.max_pool", "<string>:8:8"),
                            ("both", "pool.adaptive_max_pool", "<string>:9:8")],
                  "order", actual=where)
    for plan in plans[:2]:
        report.expect(plan["plan"].startswith('#pool.plan<"planes", '), "strategy", actual=plan)
        report.expect(0 < plan["cycles"] < 10 and not plan["pinned"] and plan["reason"] is None,
                      "cost", actual=plan)
        report.expect(plan["rejected"]["global"] == "windows are no whole planes" and
                      "cycles an output, planes" in plan["rejected"]["direct"],
                      "rejected", actual=plan)
    report.expect(compiled["both"].plan == plans[1:], "plans of one function",
                  actual=compiled["both"].plan)
    report.expect(pool_mlir.compile(PLAIN, "average").plan == plans[:1], "plans of an entry")


def check_pinned(report):
    compiled = pool_mlir.compile(PINNED, "average")
    plan, = compiled.plan
    report.expect(plan["plan"] == DIRECT and plan["pinned"] and plan["cycles"] is None and
                  not plan["rejected"], "pinned", actual=plan)
    # The chosen plan can be pinned, and stays the same.
    chosen = pool_mlir.compile(PLAIN, "average")
    again = pool_mlir.compile(
        MODULE.format(pin=f"{{pool.plan = {chosen.plan[0]['plan']}}}", types=TYPES), "average")
    report.expect(again.plan[0]["pinned"] and again.plan[0]["plan"] == chosen.plan[0]["plan"],
                  "pinned as chosen", actual=again.plan)
    x = np.random.default_rng(0).random((1, 4, 40, 40), np.float32)
    for other in (compiled, again):
        report.expect(np.allclose(other(x), chosen(x), rtol=1e-6), "results")
    wrong = MODULE.format(pin='{pool.plan = #pool.plan<"planes", lanes = 4>}', types=TYPES)
    for function in (pool_mlir.compile, _plan):
        raises(report, ValueError, "lanes is no parameter of it", lambda f=function: f(wrong))


def check_machines(report):
    narrow = pool_mlir.compile(PLAIN, "average", cpu="x86-64").plan[0]["plan"]
    report.expect(_plan(PLAIN, cpu="x86-64")[0]["plan"] == narrow ==
                  _plan(PLAIN, vector_bits=128)[0]["plan"], "128 bits", actual=narrow)
    report.expect(_plan(PLAIN, vector_bits=512)[0]["plan"] != narrow, "512 bits", actual=narrow)
    raises(report, ValueError, "unknown cpu", lambda: _plan(PLAIN, cpu="none-such"))
    raises(report, ValueError, "vector-bits", lambda: _plan(PLAIN, vector_bits=3))
    raises(report, ValueError, "<string>:1:", lambda: _plan("func.func @f("))
    raises(report, ValueError, "m.mlir:1:1", lambda: _plan("?", "m.mlir"))


def check_left_alone(report):
    plan, = _plan(ALONE)
    report.expect(plan["plan"] is None and plan["cycles"] is None and not plan["pinned"] and
                  "pool.uniform_sums" in plan["reason"], "left alone", actual=plan)
    report.expect(_plan("func.func @f() { return }") == [], "nothing to plan")


def check_checks(report):
    names = [plan["operation"] for plan in _plan(UNPOOL)]
    report.expect(names == ["pool.max_unpool"], "checks are not planned", actual=names)


def check_disk(report):
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "POOL_CACHE_DIR": folder}
        (first, compiled), (second, again) = (
            json.loads(subprocess.run([sys.executable, "-c", SCRIPT, PLAIN], env=environment,
                                      capture_output=True, text=True, check=True).stdout)
            for _ in range(2))
    report.expect(compiled and not again, "found on disk")
    report.expect(first == second == pool_mlir.compile(PLAIN).plan, "plans of found code",
                  actual=second)


def run():
    report = Report("plans")
    check_chosen(report)
    check_pinned(report)
    check_machines(report)
    check_left_alone(report)
    check_disk(report)
    return report.finish()


main(run)
