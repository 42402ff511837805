"""What benchmarks/compare.py is made of, apart from the contestants.

The rules of pooling in Python are those of the tests, which are made findable
here.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import sys
from pathlib import Path

# What is timed is compiled here.
os.environ["POOL_CACHE_DIR"] = ""
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "Integration"))
