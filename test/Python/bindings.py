# REQUIRES: python-module, mlir-bindings
# RUN: %python %s %src_root/docs/Guides/BuildInPython.md %src_root/docs/Reference/Passes.md
# UNEXPLORED: other seeds test nothing new; the data only has to differ between elements.
"""The Python bindings of the dialect, pool_mlir.mlir, must build every operation.
pool_mlir.compile compiles the built modules, and their results must equal the results of
pool_mlir's functions. Also tests classes, enumerations, accessors, errors and passes. The
programs of docs/Guides/BuildInPython.md must run, too.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import inspect
import re
import sys

from pool_mlir.mlir import ir
from pool_mlir.mlir.dialects import func, pool
from pool_mlir.mlir.passmanager import PassManager
from pooltest.builder_cases import check_case, check_page, get_type, make_cases
from pooltest.errors import raises
from pooltest.report import Report, main

IMAGE = "tensor<2x3x9x8xf32>"


def build(types, body):
    """Returns a module with the function `main` of arguments of `types`."""
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        func.FuncOp.from_py_func(*map(ir.Type.parse, types), name="main")(body)
    return module


def check_numbers(report):
    seen = set()
    for name, arrays, body, expected in make_cases(
            lambda name, *operands, **arguments: getattr(pool, name)(*operands, **arguments),
            ir.Type.parse):
        module = build(map(get_type, arrays), body)
        module.operation.verify()
        check_case(report, name, module, arrays, expected)
        seen |= {op.name for f in module.body for op in f.body.blocks[0]}
        report.count("operations run")
    classes = {made.OPERATION_NAME for made in vars(pool).values()
               if inspect.isclass(made) and issubclass(made, ir.OpView) and made is not ir.OpView}
    report.expect(classes <= seen, "operations without a case", sorted(classes - seen))


def check_classes(report):
    def body(x):
        op = pool.MaxPoolOp(x, kernel=[3, 2], rounding_type=pool.RoundingType.CEIL)
        report.expect(list(ir.DenseI64ArrayAttr(op.kernel)) == [3, 2], "kernel", op.kernel)
        report.expect(str(op.rounding_type) == "#pool.rounding_type<ceil>", "rounding_type",
                      op.rounding_type)
        average = pool.AvgPoolOp(x, kernel=[3, 2])
        report.expect(average.divisor_override is None, "no value", average.divisor_override)
        report.expect(str(op.axis) == "0 : i64", "a default", op.axis)
        report.expect(isinstance(op.operation.opview, pool.MaxPoolOp), "the view", op)
        report.expect(op.input == x, "the operand", op.input)
        return op.results[0]

    build([IMAGE], body)
    for name, enumeration in vars(pool).items():
        if inspect.isclass(enumeration) and issubclass(enumeration, str) and name != "str":
            mnemonic = "".join(f"_{c.lower()}" if c.isupper() else c for c in name)[1:]
            for case in enumeration:
                text = f"#pool.{mnemonic}<{case.value}>"
                report.expect(str(ir.Attribute.parse(text)) == text, text)
                report.count("cases of enumerations")


def check_setters(report):
    def body(x):
        op = pool.AvgPoolOp(x, kernel=[3, 2], divisor_override=5)
        op.kernel = [3, 3]
        op.strides = (2, 2)
        op.rounding_type = pool.RoundingType.CEIL
        op.layout = "channels_last"
        op.layout = None
        op.divisor_override = 7
        for key, text in {"kernel": "array<i64: 3, 3>", "strides": "array<i64: 2, 2>",
                          "rounding_type": "#pool.rounding_type<ceil>",
                          "layout": "#pool.layout<channels_first>",
                          "divisor_override": "7 : i64"}.items():
            report.expect(str(getattr(op, key)) == text, key, getattr(op, key))
        op.divisor_override = None
        report.expect(op.divisor_override is None, "no divisor", op.divisor_override)
        for kind, words, key, value in [
                (ir.MLIRError, "expected #pool.rounding_type<...>, not 3 : i64", "rounding_type", 3),
                (ir.MLIRError, "expected array<i64: ...>", "kernel", 3),
                (ir.MLIRError, "expected one of [floor, ceil, ceil_torch]", "rounding_type", "up"),
                (ir.MLIRError, "divisor_override", "divisor_override", [3]),
                (TypeError, "", "kernel", [1.5])]:
            raises(report, kind, words, lambda: setattr(  # pylint: disable=cell-var-from-loop
                op, key, value))
        op.rounding_type = op.strides = None
        op.kernel = [3, 2]
        return op.results[0]

    build([IMAGE], body).operation.verify()


def check_errors(report):
    def body(x):
        cases = [
            (ir.MLIRError, "\"model.py\":7:1: 'pool.avg_pool' op (Window.C8) dimension 3: the window "
                           "covers 9 = (9 - 1) * 1 + 1 elements",
             lambda: pool.avg_pool(x, kernel=[3, 9])),
            (ir.MLIRError, "(Window.C2) kernel is empty", lambda: pool.max_pool(x)),
            (ir.MLIRError, "expected one of [floor, ceil, ceil_torch]",
             lambda: pool.max_pool(x, kernel=[2, 2], rounding_type="up")),
            (ir.MLIRError, "'pool.max_pool' op", lambda: pool.max_pool(
                x, kernel=[2, 2], results=[ir.Type.parse("tensor<1xf32>")])),
            (TypeError, "pool.max_pool has no argument 'kernal'",
             lambda: pool.max_pool(x, kernal=[2, 2])),
            (TypeError, "pool.max_pool lacks the operand 'input'",
             lambda: pool.max_pool(kernel=[2, 2])),
            (TypeError, "give attributes by name", lambda: pool.max_pool(x, [2, 2])),
            (ir.MLIRError, "does not say which types its results have",
             lambda: pool.max_unpool(x, x, axis=2)),
            (TypeError, "the operand 'input' by place and by name",
             lambda: pool.max_pool(x, input=x, kernel=[2, 2])),
            (ValueError, "indices are 'i32' or 'i64', not 'i16'",
             lambda: pool.max_pool(x, kernel=[2, 2], indices="i16")),
            (ValueError, "an operand and the location have two contexts", lambda: pool.max_pool(
                x, kernel=[2, 2], loc=ir.Location.unknown(ir.Context()))),
            (ValueError, "a result's type and the location have two contexts",
             lambda: pool.max_pool(x, kernel=[2, 2],
                                   results=[ir.Type.parse(IMAGE, ir.Context())])),
        ]
        for kind, words, call in cases:
            raises(report, kind, words, call)
        return x

    module = build([IMAGE], body)
    report.expect("pool." not in str(module), "operations with errors stay", str(module))


def check_operands(report):
    """Each operation refuses operands that are no tensors, and tensors of rank 0 or of
    unsupported elements."""
    others = ["f32", "none", "memref<1x2x4x4xf32>", "tensor<1x2x4x4x!llvm.ptr>", "tensor<f32>"]
    module = ir.Module.parse(
        f"func.func @main({', '.join(f'%{i}: {t}' for i, t in enumerate(others))}) {{ return }}")
    block = module.body.operations[0].body.blocks[0]
    with ir.InsertionPoint.at_block_begin(block):
        for name, (operands, attributes, _) in pool.OPERATIONS.items():
            sizes = {key: [2, 2] for key in ("kernel", "output_size") if key in attributes}
            for value in block.arguments:
                raises(report, ir.MLIRError, f"'pool.{name}' op",
                       lambda: getattr(pool, name)(  # pylint: disable=cell-var-from-loop
                           *[value for many in operands.values() if many == "one"], **sizes))
    report.expect(len(list(block)) == 1, "operations with errors stay", str(module))


def check_places(report):
    """Passes a location and an insertion point, where there is no current one."""
    def body(x):
        return pool.max_pool(pool.MaxPoolOp(x, kernel=[3, 2]), kernel=[2, 2])

    with ir.Location.unknown():
        module = build([IMAGE], body)
    block = module.body.operations[0].body.blocks[0]
    loc = ir.Location.file("given.py", 3, 4, context=module.context)
    value = pool.min_pool(block.arguments[0], kernel=[2, 2], loc=loc,
                          ip=ir.InsertionPoint.at_block_begin(block))
    report.expect(str(value.owner.location) == str(loc), "location", value.owner.location)
    report.expect([op.name for op in block] == ["pool.min_pool", "pool.max_pool", "pool.max_pool",
                                                "func.return"], "places", str(module))
    raises(report, ValueError, "no location",
           lambda: pool.min_pool(block.arguments[0], kernel=[2, 2]))


def check_passes(report):
    module = build([IMAGE], lambda x: pool.max_pool(x, kernel=[3, 2]))
    PassManager.parse("builtin.module(convert-pool-to-linalg,canonicalize,"
                      "func.func(linalg-generalize-named-ops))").run(module.operation)
    report.expect("linalg.generic" in str(module), "passes of ours and upstream's", str(module))
    PassManager.parse("builtin.module(pool-to-llvm)").run(module.operation)
    report.expect("llvm.func @main" in str(module), "pipelines", str(module))
    with open(sys.argv[2], encoding="utf-8") as page:
        passes = re.findall(r"^## `-([\w-]+)`", page.read(), re.MULTILINE)
    for name in passes:
        PassManager.parse(f"any({name})")
        report.count("passes of the reference")


def run():
    report = Report("bindings")
    context = ir.Context()
    with context, ir.Location.file("model.py", 7, 1):
        for check in (check_numbers, check_classes, check_setters, check_errors, check_operands,
                      check_passes):
            check(report)
    with ir.Context():
        check_places(report)
    check_page(report, sys.argv[1], has_bindings=True)
    return report.finish()


main(run)
