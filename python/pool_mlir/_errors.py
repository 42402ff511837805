"""Errors of the command line."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

# Errors that a command reports in one line. Any other is a fault of the command.
ERRORS = (OSError, ValueError, TypeError, RuntimeError, MemoryError, ImportError, KeyError)


def show_error(error, file=""):
    """Prints the message of an error, with the file at fault if the message does not name it."""
    text = str(error.args[0] if isinstance(error, KeyError) else error)
    where = f"{file}: " if file and file not in text else ""
    print(f"pool_mlir: error: {where}{text}", file=sys.stderr)
