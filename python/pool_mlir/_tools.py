"""The commands pool-compile, pool-opt, pool-run and pool-translate of the package.

The compiled module contains these tools. See docs/Reference/Tools.md.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import signal
import sys

from ._pool_mlir import _run_tool


def _run(name):
    # Python changes how these signals are handled. The tools expect the default: the signal ends
    # them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _run_tool([name, *sys.argv[1:]])


def pool_compile():
    return _run("pool-compile")


def pool_opt():
    return _run("pool-opt")


def pool_run():
    return _run("pool-run")


def pool_translate():
    return _run("pool-translate")
