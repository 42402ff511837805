# REQUIRES: python-module
# RUN: %python %s %build_dir/python/pool_mlir
# UNEXPLORED: it has no data.
"""Errors of `import pool_mlir` must say what to do: if an optional package is missing, if the
compiled module is for another Python, and if it has not been built."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib
import importlib.machinery
import pathlib
import subprocess
import sys
import tempfile
from unittest import mock

import pool_mlir  # noqa: F401
from pool_mlir._advice import explain_import
from pooltest.errors import raises
from pooltest.report import Report, main

PACKAGE = pathlib.Path(sys.argv[1])
DOORS = {"torch": "torch", "jax": "jax", "dask": "dask", "mpi": "mpi4py"}


def check_extras(report):
    for extra, package in DOORS.items():
        known = sys.modules.get(package)
        # An import finds no module where there is None.
        sys.modules[package] = None
        raises(report, ModuleNotFoundError,
               f'pool_mlir.{extra} needs the package {package}: pip install "pool-mlir[{extra}]"',
               lambda extra=extra: importlib.import_module(f"pool_mlir.{extra}"))
        del sys.modules[package]
        if known:
            sys.modules[package] = known


def check_builds(report, directory):
    """Imports a package whose compiled module has other names."""
    copy = directory / "pool_mlir"
    copy.mkdir()
    for path in PACKAGE.glob("*.py"):
        (copy / path.name).symlink_to(path.resolve())

    def load():
        return subprocess.run([sys.executable, "-c", "import pool_mlir"], capture_output=True,
                              text=True, env={"PYTHONPATH": str(directory)}, check=False).stderr

    this = f"this is Python {sys.version_info.major}.{sys.version_info.minor} ({sys.executable})"
    for name, words in (
            (None, f"ImportError: pool_mlir in {copy} has no compiled part, _pool_mlir: install"),
            ("_pool_mlir.cpython-39-x86_64-linux-gnu.so",
             f"ImportError: pool_mlir in {copy} was built for Python 3.9, {this}: run it with"),
            ("_pool_mlir.cpython-310-x86_64-linux-gnu.so",
             "was built for Python 3.10 and Python 3.9, this is")):
        if name:
            (copy / name).write_bytes(b"")
        error = load()
        report.expect(words in error.splitlines()[-1], str(name), error)
        report.count("builds")


def check_free_threaded(report, directory):
    """Python without the GIL does not load .abi3.so, whatever its version."""
    suffixes = [".cpython-313-x86_64-linux-gnu.so", ".abi3.so", ".so"]
    (directory / "_pool_mlir.abi3.so").write_bytes(b"")

    def explain(flags, suffixes, version=(3, 13)):
        with mock.patch.multiple(sys, version_info=version, abiflags=flags), \
                mock.patch.object(importlib.machinery, "EXTENSION_SUFFIXES", suffixes):
            explain_import(directory, ImportError("other"))

    explain("", suffixes)  # It fits, so there is nothing to explain.
    raises(report, ImportError, "was built for Python 3.12 and later, this is Python 3.11 (",
           lambda: explain("", suffixes, (3, 11)))
    raises(report, ImportError, "was built for Python 3.12 and later, this is free-threaded Python "
           "3.13 (", lambda: explain("t", [".cpython-313t-x86_64-linux-gnu.so", ".so"]))
    (directory / "_pool_mlir.abi3.so").rename(
        directory / "_pool_mlir.cpython-313t-x86_64-linux-gnu.so")
    raises(report, ImportError, "was built for free-threaded Python 3.13, this is Python 3.13 (",
           lambda: explain("", suffixes))


def run():
    report = Report("advice")
    check_extras(report)
    with tempfile.TemporaryDirectory() as directory:
        check_builds(report, pathlib.Path(directory))
    with tempfile.TemporaryDirectory() as directory:
        check_free_threaded(report, pathlib.Path(directory))
    return report.finish()


main(run)
