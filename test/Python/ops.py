# REQUIRES: python-module, jax
# RUN: %doors_python %s %src_root/docs/Guides/BuildInPython.md jaxlib.mlir
# UNEXPLORED: other seeds test nothing new; the data only has to differ between elements.
"""pool_mlir.ops must build each operation in the bindings of several MLIRs in one process. The
modules run as objects, text and bytecode, and must give the results of `pool_mlir`'s functions.
Also tests errors, locations and insertion points, and the programs of the page
docs/Guides/BuildInPython.md. ops-peers.test runs it with more bindings.

A package that is not installed is named and skipped.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib
import io
import sys

import pool_mlir
from pool_mlir import ops
from pooltest.builder_cases import check_case, check_page, get_type, make_cases
from pooltest.errors import raises
from pooltest.report import Report, main

class Bindings:
    def __init__(self, package):
        self.ir = importlib.import_module(f"{package}.ir")
        self.func = importlib.import_module(f"{package}.dialects.func")
        self.make_context = self.ir.Context
        if package == "jaxlib.mlir":
            # jaxlib's own contexts know no dialects.
            self.make_context = importlib.import_module("jax.interpreters.mlir").make_ir_context

    def build(self, types, body):
        """Returns a module with the function `main` of arguments of `types`."""
        context = self.make_context()
        context.allow_unregistered_dialects = True
        with context, self.ir.Location.file("model.py", 7, 1, context=context):
            module = self.ir.Module.create()
            with self.ir.InsertionPoint(module.body):
                self.func.FuncOp.from_py_func(
                    *map(self.ir.Type.parse, types), name="main")(body)
        return module

    def type(self, text):
        return self.ir.Type.parse(text)


def check_numbers(report, package, bindings):
    ir = bindings.ir
    for name, arrays, body, expected in make_cases(
            lambda name, *operands, **arguments: getattr(ops, name)(ir, *operands, **arguments),
            bindings.type):
        module = bindings.build(map(get_type, arrays), body)
        bytecode = io.BytesIO()
        module.operation.write_bytecode(bytecode)
        for source in (module, str(module), bytecode.getvalue()):
            check_case(report, f"{package}, {name}, {type(source).__name__}", source, arrays,
                       expected)
            report.count(package)


def check_places(report, package, bindings):
    """Tests current and given locations and insertion points, and types that are not known or
    quantised."""
    ir = bindings.ir

    def body(x):
        first = ops.max_pool(ir, x, kernel=[2, 2])
        place = ir.Location.name("second", context=x.context)
        ops.max_pool(ir, x, kernel=[1, 1], loc=place, ip=ir.InsertionPoint(first.owner))
        return first

    module = bindings.build(["tensor<?x3x9x?xf32>"], body)
    block = module.body.operations[0].regions[0].blocks[0]
    second, first = list(block.operations)[:2]
    report.expect('loc("second")' in str(second.location) and
                  '"model.py":7:1' in str(first.location), f"{package}, places", str(module))
    report.expect("tensor<?x3x8x?xf32>" in str(first.results[0].type), f"{package}, inference",
                  str(module))
    if package != "jaxlib.mlir":
        kind = "!quant.uniform<i8:f32, 5.000000e-01>"
        module = bindings.build([f"tensor<1x3x9x9x{kind}>"],
                                lambda x: ops.avg_pool(ir, x, kernel=[9, 9]))
        report.expect(f"-> tensor<1x3x1x1x{kind}>" in str(module), f"{package}, quantised",
                      str(module))


def check_errors(report, bindings):
    ir = bindings.ir

    def build(body, types=("tensor<1x3x9x9xf32>",)):
        return lambda: bindings.build(types, body)

    for words, body in (
            ("(Window.C8) dimension 2", lambda x: ops.max_pool(ir, x, kernel=[10, 2])),
            ("kernal", lambda x: ops.max_pool(ir, x, kernal=[2, 2])),
            ("channels_frist", lambda x: ops.lp_pool(ir, x, kernel=[2, 2], layout="channels_frist")),
            ("has no indices", lambda x: ops.avg_pool(
                ir, x, kernel=[2, 2], results=[x.type], indices="i32")),
            ("operand", lambda x: ops.max_pool(ir, x, x, kernel=[2, 2])),
            ("(Window.C11)", lambda x: ops.max_pool(ir, x, kernel=[2, 2], results=[x.type])),
            ("which types", lambda x: ops.avg_pool_grad(ir, x, kernel=[2, 2])),
            ("trailing characters", lambda x: ops.max_pool(
                ir, x, kernel=[2, 2], indices="i32 i32"))):
        raises(report, ValueError, words, build(body))
    raises(report, ValueError, "takes tensors",
           build(lambda x: ops.max_pool(ir, x, kernel=[2]), ["f32"]))

    def refuse(x):
        x.context.allow_unregistered_dialects = False
        ops.max_pool(ir, x, kernel=[2, 2])

    raises(report, ValueError, "allow_unregistered_dialects", build(refuse))
    module = bindings.build(["tensor<4xf32>"], lambda x: x)
    raises(report, ValueError, "'other'", lambda: pool_mlir.compile(module, entry="other"))
    raises(report, TypeError, "expected a module", lambda: pool_mlir.compile(bindings))


def run():
    report = Report("ops")
    for package in sys.argv[2:]:
        try:
            bindings = Bindings(package)
        except ModuleNotFoundError:
            report.missing.append(package)
            continue
        check_numbers(report, package, bindings)
        check_places(report, package, bindings)
        check_errors(report, bindings)
    if report.counts["iree.compiler"]:
        check_page(report, sys.argv[1], has_bindings=False)
    return report.finish()


main(run)
