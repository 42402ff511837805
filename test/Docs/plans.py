# UNSUPPORTED: sanitizer
# REQUIRES: python-module
# RUN: %python %src_root/benchmarks/run.py plans --build %build_dir --markdown %t.md
# RUN: %python %s %src_root %t.md
"""Checks that Comparison.md has the tables of benchmarks/run.py plans."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import difflib
import sys
from pathlib import Path

SECTION = "## The plans"


def rows(text):
    return [line for line in text.splitlines() if line.startswith("|")]


def main():
    root, tables = map(Path, sys.argv[1:])
    page = root / "docs/Results/Comparison.md"
    section = page.read_text(encoding="utf-8").partition(SECTION)[2].partition("\n## ")[0]
    differences = list(difflib.unified_diff(
        rows(section), rows(tables.read_text(encoding="utf-8")), str(page), "run.py plans",
        lineterm="", n=0))
    if differences:
        sys.exit("\n".join(differences))


if __name__ == "__main__":
    main()
