# REQUIRES: python-module
# RUN: %python %s %build_dir/python/pool_mlir
"""The type stubs have every function of the module, with the same arguments in the same
order and the same defaults. The functions for dask have the same defaults."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ast
import inspect
import sys

from pool_mlir import _pool_mlir as module
from pooltest.report import Report, main


def stub_arguments(node):
    """Returns (name, default as Python writes it) of each argument of a stub."""
    given = node.args
    plain = list(zip(given.args, [None] * (len(given.args) - len(given.defaults)) +
                     given.defaults))
    return [(argument.arg, None if default is None else ast.unparse(default))
            for argument, default in plain + list(zip(given.kwonlyargs, given.kw_defaults))]


def real_arguments(function):
    """Returns (name, default) of each argument of a function of the module."""
    return [(name, None if parameter.default is parameter.empty else repr(parameter.default))
            for name, parameter in inspect.signature(function).parameters.items()]


def check_dask(report, path):
    """Arguments that pool_mlir's function and dask's share must have the same default."""
    for node in ast.parse(open(path, encoding="utf-8").read()).body:
        if isinstance(node, ast.FunctionDef) and hasattr(module, node.name):
            known = dict(real_arguments(getattr(module, node.name)))
            for name, default in stub_arguments(node):
                report.expect(known.get(name, default) == default, f"dask.{node.name}, {name}",
                              expected=known.get(name), actual=default)
            report.count("functions for dask")


def run():
    report = Report("stubs")
    tree = ast.parse(open(f"{sys.argv[1]}/_pool_mlir.pyi", encoding="utf-8").read())
    stubs = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            stubs.setdefault(node.name, []).append(stub_arguments(node))
    functions = {name for name in dir(module)
                 if not name.startswith("_") and callable(getattr(module, name))}
    # A class with _ in front is a protocol for type checkers.
    tree.body = [node for node in tree.body
                 if not (isinstance(node, ast.ClassDef) and node.name.startswith("_"))]
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    report.expect(functions == set(stubs) | classes, "functions",
                  actual=functions ^ (set(stubs) | classes))
    for name, overloads in stubs.items():
        real = real_arguments(getattr(module, name))
        for stub in overloads:
            # Overloads may leave out the default of the argument that tells them apart.
            same = [(a, d) for (a, d), (_, e) in zip(real, stub) if e is not None or d is None]
            expected = [(a, d) for a, d in stub if d is not None or (a, None) in real]
            report.expect([a for a, _ in stub] == [a for a, _ in real] and same == expected,
                          name, expected=real, actual=stub)
        report.count("functions")
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {item.name if isinstance(item, ast.FunctionDef) else item.target.id
                       for item in node.body}
            real = {name for name in vars(getattr(module, node.name))
                    if not name.startswith("_") or name in ("__call__", "__getitem__")}
            report.expect(members == real, node.name, actual=members ^ real)
    check_dask(report, f"{sys.argv[1]}/dask/_functions.py")
    return report.finish()


main(run)
