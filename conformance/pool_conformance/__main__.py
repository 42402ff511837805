"""Lets `python -m pool_conformance` run the command line."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
