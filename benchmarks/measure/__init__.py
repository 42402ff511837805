"""The parts of benchmarks/compare.py other than the contestants.

The benchmarks use the rules of pooling that the tests have in Python. This module adds their
folder to sys.path.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import sys
from pathlib import Path

# Turn the code cache off, so that each kernel is compiled in this run.
os.environ["POOL_CACHE_DIR"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "Integration"))
