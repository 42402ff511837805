# REQUIRES: xdsl
# RUN: cd %src_root && %doors_python %s docs/Reference/IRDL.md
"""The Python program of docs/Reference/IRDL.md, in which xDSL reads the dialect's IRDL file, must
run and print what the page shows."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import re
import sys
from pathlib import Path


def main():
    page = Path(sys.argv[1]).read_text(encoding="utf-8")
    program, expected = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", page,
                                  re.DOTALL).groups()
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(program, sys.argv[1], "exec"), {})
    if output.getvalue() != expected:
        sys.exit(f"the program prints {output.getvalue()}")


if __name__ == "__main__":
    main()
