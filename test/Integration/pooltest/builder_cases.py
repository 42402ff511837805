"""Modules of one operation each, built in Python, with their expected results; and the
programs of the page about building in Python."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import re

import numpy as np

import pool_mlir

X = np.random.default_rng(0).standard_normal((2, 3, 9, 8)).astype(np.float32)
WINDOW = {"kernel": [3, 2], "strides": [2, 2], "rounding_type": "ceil"}
GRADIENT = np.random.default_rng(1).standard_normal((2, 3, 4, 4)).astype(np.float32)


def get_type(array):
    name = {"float32": "f32", "int64": "i64", "int32": "i32"}[array.dtype.name]
    return f"tensor<{'x'.join(map(str, array.shape))}x{name}>"


def make_cases(build, parse_type):
    """Yields tuples of four: a name, a list of arguments, a function that builds the body, and a
    tuple of the expected results.
    `build(name, *operands, **arguments)` builds an operation. `parse_type` parses a type in the
    context in which the body is built."""
    window = {"kernel": [2, 2], "strides": [2, 2]}

    def case(name, arrays, arguments, *expected, title=None, of_source=False):
        def body(*values):
            results = {"results": [parse_type(get_type(X))]} if of_source else {}
            return build(name, *values, **arguments, **results)
        return (title or name, arrays, body, expected)

    for name in ("max_pool", "min_pool", "avg_pool", "lp_pool"):
        yield case(name, [X], WINDOW, getattr(pool_mlir, name)(X, **WINDOW))
    for name in ("adaptive_max_pool", "adaptive_avg_pool"):
        yield case(name, [X], {"output_size": (2, 3)}, getattr(pool_mlir, name)(X, [2, 3]))
    both = pool_mlir.max_pool(X, 2, 2, axis=-2, return_indices=True, index_element_type="i32")
    yield case("max_pool", [X], {**window, "axis": -2, "indices": "i32"}, *both, title="indices")
    yield case("max_unpool", list(both), {"axis": 2},
               pool_mlir.max_unpool(*both, X.shape, axis=2), of_source=True)
    for name in ("max_pool_grad", "min_pool_grad"):
        yield case(name, [X, GRADIENT], window, getattr(pool_mlir, name)(X, GRADIENT, 2, 2))
    yield case("avg_pool_grad", [GRADIENT],
               {**window, "divisor": "kernel", "divisor_override": None},
               pool_mlir.avg_pool_grad(GRADIENT, X.shape, 2, 2, divisor="kernel"), of_source=True)


def check_case(report, what, source, arrays, expected):
    """Runs a module and compares its results with `expected`."""
    results = pool_mlir.compile(source)(*arrays)
    results = results if isinstance(results, tuple) else (results,)
    report.expect(len(results) == len(expected) and all(map(np.array_equal, results, expected)),
                  what, str(source), actual=results, expected=expected)


def check_page(report, page, has_bindings):
    """Runs programs of the page and compares their output with the page. With bindings, these
    are the programs that contain `pool_mlir.mlir`; without, all other programs."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for program, expected in re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", text, re.DOTALL):
        if ("pool_mlir.mlir" in program) != has_bindings:
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(program, page, "exec"), {})  # pylint: disable=exec-used
        report.expect(expected == output.getvalue(), "the page", program,
                      actual=output.getvalue(), expected=expected)
        report.count("programs of the page")
