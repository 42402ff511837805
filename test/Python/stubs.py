# REQUIRES: python-module
# RUN: %python %s %build_dir/python/pool_mlir
"""The type stubs must have every function of the module, with the same arguments in the same
order and the same defaults, or editors and mypy would be wrong. This also holds for the stubs for
JAX, dask and MPI. The functions for dask have the module's defaults."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ast
import inspect
import pathlib
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


def read_functions(path):
    """Returns a dict of the functions of a file: {name: [arguments of each overload]}."""
    functions = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append(stub_arguments(node))
    return functions


def check_overloads(report, name, overloads, real):
    for stub in overloads:
        # Overloads may leave out the default of the argument that tells them apart.
        same = [(a, d) for (a, d), (_, e) in zip(real, stub) if e is not None or d is None]
        expected = [(a, d) for a, d in stub if d is not None or (a, None) in real]
        report.expect([a for a, _ in stub] == [a for a, _ in real] and same == expected,
                      name, expected=real, actual=stub)


def read_public(path):
    """Returns the names in `__all__`."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def check_doors(report, package):
    """The sources cannot be imported without the doors' libraries, so they are only read."""
    for door in ("dask", "jax", "mpi"):
        folder = package / door
        real = {name: overloads[0] for path in sorted(folder.glob("*.py"), reverse=True)
                for name, overloads in read_functions(path).items()}
        stubs = read_functions(folder / "__init__.pyi")
        public = read_public(folder / "__init__.py")
        report.expect(read_public(folder / "__init__.pyi") == public, f"{door}: __all__",
                      expected=public)
        report.expect(set(stubs) == public & set(real), f"{door}: functions",
                      actual=set(stubs) ^ (public & set(real)))
        for name, overloads in stubs.items():
            check_overloads(report, f"{door}.{name}", overloads, real.get(name, []))
            report.count(f"functions for {door}")


def check_dask(report, path):
    """Arguments that pool_mlir's function and dask's share must have the same default."""
    for name, overloads in read_functions(path).items():
        if hasattr(module, name):
            known = dict(real_arguments(getattr(module, name)))
            for argument, default in overloads[0]:
                report.expect(known.get(argument, default) == default, f"dask.{name}, {argument}",
                              expected=known.get(argument), actual=default)
            report.count("defaults for dask")


def run():
    report = Report("stubs")
    package = pathlib.Path(sys.argv[1])
    path = package / "_pool_mlir.pyi"
    tree, stubs = ast.parse(path.read_text(encoding="utf-8")), read_functions(path)
    report.expect(read_public(path) == set(module.__all__), "__all__",
                  actual=read_public(path) ^ set(module.__all__))
    functions = {name for name in dir(module)
                 if not name.startswith("_") and callable(getattr(module, name))}
    # A class with _ in front is a protocol for type checkers.
    tree.body = [node for node in tree.body
                 if not (isinstance(node, ast.ClassDef) and node.name.startswith("_"))]
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    report.expect(functions == set(stubs) | classes, "functions",
                  actual=functions ^ (set(stubs) | classes))
    for name, overloads in stubs.items():
        check_overloads(report, name, overloads, real_arguments(getattr(module, name)))
        report.count("functions")
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {item.name if isinstance(item, ast.FunctionDef) else item.target.id
                       for item in node.body}
            real = {name for name in vars(getattr(module, node.name))
                    if not name.startswith("_") or name in ("__call__", "__getitem__")}
            report.expect(members == real, node.name, actual=members ^ real)
    check_dask(report, package / "dask" / "_functions.py")
    check_doors(report, package)
    return report.finish()


main(run)
