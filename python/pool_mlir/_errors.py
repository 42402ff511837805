"""Errors of the command line."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

# Classes of errors that a command reports in one line. An error of another class is a bug of the
# command and shows a traceback.
ERRORS = (OSError, ValueError, TypeError, RuntimeError, MemoryError, ImportError, KeyError)


def show_error(error, file=""):
    """Prints the message of `error` to stderr. Begins with the name of `file`, the file at fault,
    if the message does not contain it."""
    text = str(error.args[0] if isinstance(error, KeyError) else error)
    where = f"{file}: " if file and file not in text else ""
    print(f"pool_mlir: error: {where}{text}", file=sys.stderr)
