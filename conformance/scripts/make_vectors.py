"""Writes pool_conformance/vectors/*.json from the cases, one file for each trap.

    python conformance/scripts/make_vectors.py           writes the files
    python conformance/scripts/make_vectors.py --check   fails if a file is not current

The results come from the package's reference; which systems agree, from confirmations.json,
which `pool-conformance confirm` writes.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT.parent)]

import cases  # noqa: E402
from casebook import CASES  # noqa: E402

from pool_conformance import confirm, files  # noqa: E402
from pool_conformance.registry import VECTORS  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true",
                        help="write nothing; exit with 1 if a file is not current")
    arguments = parser.parse_args()
    for module in sorted(m.name for m in pkgutil.iter_modules(cases.__path__)):
        importlib.import_module(f"cases.{module}")
    confirmations = confirm.read()
    texts = files.texts([confirm.complete(files.make_vector(case), case["ruled"], confirmations)
                         for case in CASES])
    stale = [name for name, text in texts.items()
             if not (VECTORS / name).exists()
             or (VECTORS / name).read_text(encoding="utf-8") != text]
    stale += [path.name for path in VECTORS.glob("*.json") if path.name not in texts]
    if arguments.check:
        for name in stale:
            print(f"{name} is not current: run make_vectors.py", file=sys.stderr)
        return 1 if stale else 0
    for path in VECTORS.glob("*.json"):
        if path.name not in texts:
            path.unlink()
    for name in stale:
        if name in texts:
            (VECTORS / name).write_text(texts[name], encoding="utf-8")
    print(f"{len(CASES)} vectors in {len(texts)} files; {len(stale)} files changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
