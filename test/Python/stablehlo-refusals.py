# REQUIRES: python-module
# RUN: %python %s
"""The importer of StableHLO must refuse these modules with a ValueError: calls that do not fit
their function, and operations after their users. Also tests which functions of a module stay."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pool_mlir
from pooltest.errors import raises
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

def call(target, config, shape="1x1x2xf32", operand="1x1x4xf32"):
    return (f"func.func @main(%a: tensor<{operand}>) -> tensor<{shape}> {{\n"
            f' %0 = "stablehlo.custom_call"(%a) {{call_target_name = "{target}", '
            f"mhlo.backend_config = {{{config}}}}} : (tensor<{operand}>) -> tensor<{shape}>\n"
            f" return %0 : tensor<{shape}> }}")


SORTED = call("other", "")
# Wrong custom calls of pool_mlir.jax.
OWN = {
    call("pool_mlir.1", ""): "custom call of 'pool_mlir.1': the operation's text cannot be read",
    call("pool_mlir.1", 'operation = "pool.max_pool kernel=2, strides=2, kernel"'):
        "the operation's text cannot be read: it is of another version of pool_mlir",
    call("pool_mlir.1", 'operation = "pool.max_pool kernel=9,"'):
        "'pool.max_pool' op (Window.C8) dimension 2",
    call("pool_mlir.1", 'operation = "pool.max_pool kernel=2,"'):
        "its results are not those of 'pool.max_pool kernel=2,' on its operands",
    call("pool_mlir.1", 'operation = "pool.avg_pool_grad kernel=2,"', "?x1x5xf32", "?x1x4xf32"):
        "'pool.avg_pool_grad' is not imported with symbolic extents",
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
    for text, expected in ((CASES["used before"][0], "it has no pooling"), (SORTED, "it has no "
                           "pooling that is known; the first operation that may be pooling is "
                           "'stablehlo.custom_call' of 'other'")):
        raises(report, ValueError, expected,
               lambda text=text: pool_mlir._pool_mlir._raise_stablehlo(text, True))
    for text, expected in OWN.items():
        for layers in (False, True):
            raises(report, ValueError, expected,
                   lambda t=text, n=layers: pool_mlir._pool_mlir._raise_stablehlo(t, n))
    kept = str(pool_mlir._pool_mlir._raise_stablehlo(G.replace("@g", "@main") + G.replace(
        "private @g", "@f"), False))
    report.expect('"f"' in kept and '"main"' not in kept, f"a private @main: {kept}")
    return report.finish()


main(run)
