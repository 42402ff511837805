# RUN: %peers_python %s %src_root/docs/Guides/UseInPyTorch.md
# RUN: %peers_python -m pool_mlir bench --framework torch --seconds 0.001 --only Inception \
# RUN:   --plot %t.svg
# RUN: %peers_python -m pool_mlir bench --torch --calls --seconds 0.001
# RUN: %peers_python %src_root/benchmarks/run.py torch_training --build %build_dir \
# RUN:   --steps 2 --batch 2 --size 32
"""Runs the program of docs/Guides/UseInPyTorch.md, and its commands at small sizes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as page:
        program = re.search(r"```python\n(.*?)```", page.read(), re.DOTALL)[1]
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(program, sys.argv[1], "exec"), {})
    if output.getvalue() != "['2', '3']\n":
        sys.exit(f"the program prints {output.getvalue()}")


if __name__ == "__main__":
    main()
