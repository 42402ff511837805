"""Bytecode of every released version must stay readable. Each stored fixture must load and print
the text that is stored beside it. Bytecode of a newer version and malformed bytecode must be
rejected with an error. The next fixture is made from ops.mlir, so the test also checks that
ops.mlir has every operation.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

# RUN: %python %s %src_root %build_dir %t

import pathlib
import re
import subprocess
import sys

source, build, temporary = map(pathlib.Path, sys.argv[1:])
directory = source / "test/Bytecode"
# The section with the dialect's version: section number 7, length 1 and version 1. Length and
# version are varints, which store 1 as 3.
VERSION = b"\x07\x03\x03"


def run(path):
    return subprocess.run(
        [build / "bin/pool-opt", "--mlir-print-op-generic", path],
        capture_output=True,
        text=True,
    )


def check(condition, message):
    if not condition:
        sys.exit(message)


fixtures = sorted((directory / "Inputs").glob("*.mlirbc"))
check(fixtures, "no fixtures")
for fixture in fixtures:
    result = run(fixture)
    check(result.returncode == 0, f"{fixture.name}: {result.stderr}")
    check(
        result.stdout == fixture.with_suffix(".mlir").read_text(),
        f"{fixture.name} is no longer {fixture.stem}.mlir:\n{result.stdout}",
    )
    # The stored text, which is as old as the bytecode, must also parse.
    text = run(fixture.with_suffix(".mlir"))
    check(text.stdout == result.stdout, f"{fixture.stem}.mlir: {text.stderr}")
print(len(fixtures), "fixtures")


def refuse(name, data, message):
    temporary.mkdir(parents=True, exist_ok=True)
    path = temporary / f"{name}.mlirbc"
    path.write_bytes(data)
    result = run(path)
    check(
        result.returncode == 1 and not result.stdout and message in result.stderr,
        f"{name}: exit code {result.returncode}\n{result.stdout}{result.stderr}",
    )


data = fixtures[-1].read_bytes()
# The dialect section comes first, so the first match is the version. Operations later in the
# file may contain the same bytes.
check(0 < data.find(VERSION) < 64, "where is the version of the dialect?")
only = "of the pool dialect is not supported, only 1 to 1"
refuse(
    "newer",
    data.replace(VERSION, b"\x07\x03\x05", 1),
    f"version 2 {only}: a newer pool-mlir has written this",
)
refuse("zero", data.replace(VERSION, b"\x07\x03\x01", 1), f"version 0 {only}")
for length in range(1, len(data), 97):
    refuse("truncated", data[:length], "error: ")
# The file stores the names of properties as strings.
refuse(
    "renamed",
    data.replace(b"\0nan_mode\0", b"\0nan_mood\0"),
    "'nan_mood' is not an attribute of this operation",
)

page = (source / "docs/Reference/Operations.md").read_text()
operations = set(re.findall(r"^### `(pool\.\w+)`", page, re.MULTILINE))
check(len(operations) > 5, "the page of the operations has changed its form")
missing = operations - set(re.findall(r"pool\.\w+", (directory / "ops.mlir").read_text()))
check(not missing, f"ops.mlir has no {', '.join(sorted(missing))}")
