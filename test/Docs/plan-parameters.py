# RUN: %python %s %src_root
"""docs/Internals/Plans.md must have all parameters of each strategy, with their defaults.

The structs of lib/Conversion/PoolToVector and lib/Conversion/GPUPlans name their parameters as
`fields.KIND("name", ...)`. A flag is false by default. A plan must give integers and keywords.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
from pathlib import Path

DEFAULTS = {"integer": "-", "keyword": "-", "flag": "false"}
FIELD = re.compile(r'fields\.(integer|keyword|flag)\("(\w+)"')


def get_fields(root):
    """Returns the set of (strategy, parameter, default) in the sources."""
    found = set()
    paths = [*(root / "lib/Conversion/PoolToVector").rglob("*"), *(root / "lib/Conversion/GPUPlans").iterdir()]
    for path in paths:
        if path.suffix not in (".h", ".cpp"):
            continue
        _, *parts = re.split(r'(?:Plan\(|StringLiteral strategy = )"([\w-]+)"', path.read_text())
        for strategy, text in zip(parts[::2], parts[1::2]):
            found |= {(strategy, name, DEFAULTS[kind]) for kind, name in FIELD.findall(text)}
    # This struct inherits its parameters.
    return found | {("buffered-planes", *rest) for strategy, *rest in found if strategy == "staged"}


def get_rows(root):
    """Returns the same of the table in Plans.md."""
    text = (root / "docs/Internals/Plans.md").read_text()
    section = text.partition("\n### Parameters\n")[2].partition("\n### ")[0]
    found, strategies = set(), []
    for line in re.findall(r"^\|(.*)\|$", section, re.MULTILINE):
        first, parameter, _, default = (cell.strip() for cell in line.split("|"))
        if first:
            strategies = re.findall(r"`([\w-]+)`", first)
        found |= {(strategy, parameter.strip("`"), default) for strategy in strategies}
    return found


def main(root):
    fields, rows = get_fields(root), get_rows(root)
    problems = [f"Plans.md lacks {' '.join(row)}" for row in sorted(fields - rows)]
    problems += [f"Plans.md has {' '.join(row)}, and no source has it" for row in sorted(rows - fields)]
    return "\n".join(problems) or 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
