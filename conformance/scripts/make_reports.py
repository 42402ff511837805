"""Runs systems and writes a page for each of them to conformance/reports, the table of all, the
faults that our pages claim (claims.md) and the public threads (threads.md).

    python conformance/scripts/make_reports.py [--python PATH] SYSTEM...
    python conformance/scripts/make_reports.py --results DIRECTORY

With --results it runs nothing, and takes the files of earlier runs.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT)]

import claims  # noqa: E402
import threads  # noqa: E402

from pool_conformance.cli import main as kit  # noqa: E402
from pool_conformance.cli import drop_old, read_results  # noqa: E402
from pool_conformance.registry import vectors  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("systems", nargs="*", metavar="SYSTEM")
    parser.add_argument("--python", default="", metavar="PATH",
                        help="the interpreter that has the systems installed")
    parser.add_argument("--results", default="", metavar="DIRECTORY",
                        help="take these results in place of running systems")
    arguments = parser.parse_args()
    if bool(arguments.systems) == bool(arguments.results):
        parser.error("name systems, or a directory of results")
    with tempfile.TemporaryDirectory() as temporary:
        directory = arguments.results or temporary
        if arguments.systems:
            kit(["run", *arguments.systems, "--python", arguments.python,
                 "--output", directory])
        results = sorted(str(path) for path in Path(directory).glob("*.json"))
        if not results:
            print("no results", file=sys.stderr)
            return 2
        reports = ROOT / "reports"
        code = kit(["report", *results, "--output", str(reports), "--pages", str(reports)])
        # README.md has the same text, with links.
        (reports / "report.md").unlink(missing_ok=True)
        read = drop_old(read_results(results))
        (reports / "claims.md").write_text(claims.table(read), encoding="utf-8")
        (reports / "threads.md").write_text(threads.table(read, vectors()), encoding="utf-8")
        return code


if __name__ == "__main__":
    sys.exit(main())
