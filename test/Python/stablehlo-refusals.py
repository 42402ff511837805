# REQUIRES: python-module
# RUN: %python %s
"""Modules that the importer of StableHLO refuses with a ValueError: calls that do not
fit their function, and operations after their users. Also tests which functions of a module
stay."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pool_mlir
from pooltest.report import Report, main

CALL = "calls no function of one block and of its types"
G = "func.func private @g(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }\n"
CASES = {
    "no callee": ('func.func @main() { "func.call"() : () -> ()\n return }', CALL),
    "too few operands": (
        G + "func.func @main() { %0 = func.call @g() : () -> tensor<f32>\n return }", CALL),
    "too many results": (
        G + "func.func @main(%a: tensor<f32>) {\n"
        " %0:2 = func.call @g(%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)\n return }", CALL),
    "another type": (
        G + "func.func @main(%a: tensor<2xf32>) {\n"
        " %0 = func.call @g(%a) : (tensor<2xf32>) -> tensor<f32>\n return }", CALL),
    "itself": ("func.func @main() { func.call @main() : () -> ()\n return }", "calls itself"),
    "a name of several names": (
        'func.func @main(%a: tensor<f32>) -> tensor<f32> {\n'
        ' %0 = "stablehlo.abs add"(%a) : (tensor<f32>) -> tensor<f32>\n'
        ' return %0 : tensor<f32> }', "'stablehlo.abs add' is neither pooling nor elementwise"),
    "used before": ('"test.b"(%0) : (tensor<f32>) -> ()\n%0 = "test.a"() : () -> tensor<f32>',
                    "neither pooling nor elementwise"),
}


def run():
    report = Report("stablehlo_refusals")
    for name, (text, expected) in CASES.items():
        try:
            pool_mlir._pool_mlir._raise_stablehlo(text, False)
            error = "nothing"
        except ValueError as raised:
            error = str(raised)
        report.expect(expected in error, f"{name}: {error!r} has no {expected!r}")
        report.count("refused")
    pools = str(pool_mlir._pool_mlir._raise_stablehlo(CASES["used before"][0], True))
    report.expect("func.func" not in pools, "a function of no pool")
    kept = str(pool_mlir._pool_mlir._raise_stablehlo(G.replace("@g", "@main") + G.replace(
        "private @g", "@f"), False))
    report.expect('"f"' in kept and '"main"' not in kept, f"a private @main: {kept}")
    return report.finish()


main(run)
