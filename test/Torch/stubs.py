# RUN: %peers_python %s %build_dir/python/pool_mlir/torch
"""The type stubs for torch must have every name of the module, and its functions' arguments and
defaults, or editors and mypy would be wrong. `mypy` checks their types in test/Python/types.test.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ast
import inspect
import pathlib
import sys

import pool_mlir.torch as ours
from pooltest.report import Report, main


def read_protocols(tree):
    """Returns the arguments of the calls of each protocol, with their defaults as text."""
    return {node.name: [[(argument.arg, None if default is None else ast.unparse(default))
                         for argument, default in zip(
                             call.args.args[1:] + call.args.kwonlyargs,
                             [None] * (len(call.args.args) - 1 - len(call.args.defaults))
                             + call.args.defaults + call.args.kw_defaults)] for call in node.body]
            for node in tree.body if isinstance(node, ast.ClassDef)
            and ast.unparse(node.bases[0]) == "Protocol"}


def run():
    report = Report("torch stubs")
    tree = ast.parse((pathlib.Path(sys.argv[1]) / "__init__.pyi").read_text(encoding="utf-8"))
    protocols, names = read_protocols(tree), set()
    for node in tree.body:
        if isinstance(node, ast.AnnAssign):
            name, kind = ast.unparse(node.target), ast.unparse(node.annotation)
            names.add(name)
            if kind not in protocols:
                continue
            parameters = inspect.signature(getattr(ours, name)).parameters
            real = [(key, None if value.default is value.empty else repr(value.default))
                    for key, value in parameters.items()]
            for stub in protocols[kind]:
                # Overloads that return indices leave out the default that tells them apart.
                report.expect(len(stub) == len(real) and all(
                    a == b or a == ("return_indices", None) for a, b in zip(stub, real)),
                    name, expected=real, actual=stub)
            report.count("functions")
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            public = ast.literal_eval(node.value)
    report.expect(sorted(public) == sorted(ours.__all__), "__all__", expected=ours.__all__,
                  actual=public)
    report.expect(set(public) <= names, "names", actual=set(public) - names)
    return report.finish()


if __name__ == "__main__":
    main(run)
