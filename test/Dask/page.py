# RUN: %doors_python %s %src_root/docs/Guides/ScaleOut.md
# RUN: %doors_python %src_root/benchmarks/run.py scale --build %build_dir --extent 40 --chunk 16 --only "pads 1" \
# RUN:   --plot %t.svg
"""Runs the programs of docs/Guides/ScaleOut.md and compares their output with the page. The
second RUN line runs the page's benchmark once at a small size."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import os
import re
import sys
import tempfile


def main():
    with open(sys.argv[1], encoding="utf-8") as page:
        programs = re.findall(r"```python\n(.*?)```", page.read(), re.DOTALL)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for program in programs:
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(program, sys.argv[1], "exec"), {})
            shown = re.findall(r"(?:^|  )# (\(.*|[0-9]+ \(.*)$", program, re.MULTILINE)
            lines = output.getvalue().splitlines()[:len(shown)]
            if not shown or lines != shown:
                sys.exit(f"a program prints {lines}, the page says {shown}")


if __name__ == "__main__":
    main()
