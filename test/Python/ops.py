# REQUIRES: python-module, tier-all, jax
# RUN: %peers_python %s %src_root/docs/Guides/BuildInPython.md iree.compiler jaxlib.mlir torch_mlir
# RUN: %peers_python %s %src_root/docs/Guides/BuildInPython.md mlir
# UNEXPLORED: other seeds test nothing new; the data only has to differ between elements.
"""Builds each operation by `pool_mlir.ops` in the bindings of several MLIRs in one process. Their
modules run as objects, text and bytecode, and give the numbers of `pool_mlir`'s functions. Also
errors, places, and the programs of the page.

A package that is not installed is named and skipped. Upstream's bindings have a process of their
own: their libnanobind-mlir.so has the name of IREE's, so the first one loaded serves both.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import importlib
import io
import re
import sys

import numpy as np

import pool_mlir
from pool_mlir import ops
from pooltest.errors import raises
from pooltest.report import Report, main

X = np.random.default_rng(0).standard_normal((2, 3, 9, 8)).astype(np.float32)
WINDOW = {"kernel": [3, 2], "strides": [2, 2], "rounding_type": "ceil"}
GRADIENT = np.random.default_rng(1).standard_normal((2, 3, 4, 4)).astype(np.float32)


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


def get_type(array):
    name = {"float32": "f32", "int64": "i64", "int32": "i32"}[array.dtype.name]
    return f"tensor<{'x'.join(map(str, array.shape))}x{name}>"


def make_cases(bindings):
    """Yields a name, the arguments, the body of the function and the expected results."""
    ir = bindings.ir
    for name in ("max_pool", "min_pool", "avg_pool", "lp_pool"):
        yield (name, [X], lambda x, name=name: getattr(ops, name)(ir, x, **WINDOW),
               getattr(pool_mlir, name)(X, **WINDOW))
    for name in ("adaptive_max_pool", "adaptive_avg_pool"):
        yield (name, [X], lambda x, name=name: getattr(ops, name)(ir, x, output_size=[2, 3]),
               getattr(pool_mlir, name)(X, [2, 3]))
    both = pool_mlir.max_pool(X, 2, 2, axis=-2, return_indices=True, index_element_type="i32")
    yield ("indices", [X], lambda x: ops.max_pool(ir, x, kernel=[2, 2], strides=(2, 2), axis=-2,
                                                  indices="i32"), both)
    yield ("max_unpool", list(both), lambda v, i: ops.max_unpool(
        ir, v, i, axis=2, results=[bindings.type(get_type(X))]),
           pool_mlir.max_unpool(*both, X.shape, axis=2))
    for name in ("max_pool_grad", "min_pool_grad"):
        yield (name, [X, GRADIENT],
               lambda x, g, name=name: getattr(ops, name)(ir, x, g, kernel=[2, 2], strides=[2, 2]),
               getattr(pool_mlir, name)(X, GRADIENT, 2, 2))
    yield ("avg_pool_grad", [GRADIENT], lambda g: ops.avg_pool_grad(
        ir, g, kernel=[2, 2], strides=[2, 2], divisor="kernel", divisor_override=None,
        results=[bindings.type(get_type(X))]),
           pool_mlir.avg_pool_grad(GRADIENT, X.shape, 2, 2, divisor="kernel"))


def check_numbers(report, package, bindings):
    for name, arguments, body, expected in make_cases(bindings):
        module = bindings.build(map(get_type, arguments), body)
        bytecode = io.BytesIO()
        module.operation.write_bytecode(bytecode)
        for source in (module, str(module), bytecode.getvalue()):
            results = pool_mlir.compile(source)(*arguments)
            equal = map(np.array_equal, *([r] if isinstance(r, np.ndarray) else r
                                          for r in (results, expected)))
            report.expect(all(equal), f"{package}, {name}, {type(source).__name__}", str(module),
                          actual=results, expected=expected)
            report.count(package)


def check_places(report, package, bindings):
    """The location and the insertion point, current or given; types that are not known or
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


def check_page(report, page):
    """Runs each program of the page, with the bindings of IREE."""
    with open(page, encoding="utf-8") as file:
        programs = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", file.read(), re.DOTALL)
    for program, expected in programs:
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(program, page, "exec"), {})
        report.expect(expected == output.getvalue(), "the page", program,
                      actual=output.getvalue(), expected=expected)
        report.count("programs of the page")


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
        check_page(report, sys.argv[1])
    return report.finish()


main(run)
