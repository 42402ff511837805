"""Lowers functions to vectors, and checks that vectors resulted."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

from .tools import pool_opt

# Widths of vector registers in bits: SSE and NEON, AVX2, AVX-512. Functions that take a width
# also take None, which means this machine's width.
BITS = (128, 256, 512)
# Matches a vector of more than one element.
VECTOR = re.compile(r"vector<(?:\d+x)*(?:[2-9]|[1-9]\d+)x[a-z]")
# Matches a window operation that was not vectorised. Elementwise maps, such as the division
# of integer sums, may stay. `pool.on_buffers` contains the loops over vectors.
SCALAR = re.compile(r"\b(pool\.(?!on_buffers)\w+|linalg\.pooling\w*|linalg\.generic\b.*\"reduction\"|tensor\.pad)")


def convert(report, functions, titles, bits=None):
    """Converts `functions`, texts of one function each, to loops over vectors. Returns the
    module. Reports functions that keep an operation on windows or have no vectors; `titles`
    are their names in the report."""
    option = f"=vector-bits={bits}" if bits else ""
    process = pool_opt("\n".join(functions), f"--convert-pool-to-vector{option}")
    if not report.expect(process.returncode == 0, f"convert-pool-to-vector{option}",
                         stderr=process.stderr[:3000]):
        return None
    bodies = re.split(r"(?m)^ *func\.func (?:private )?@(\w+)\(", process.stdout)
    bodies = dict(zip(bodies[1::2], bodies[2::2]))
    for text, title in zip(functions, titles):
        name = re.search(r"func\.func @(\w+)\(", text)[1]
        body = bodies.get(name, "")
        left = SCALAR.search(body)
        if report.expect(VECTOR.search(body) and not left,
                         f"not lowered to vectors{option}: {title}", text,
                         left=left and left[0]):
            report.count(f"lowered to vectors{option}")
    return process.stdout
