# RUN: %python %s %src_root
"""Facts that stand in two places must agree, and figures must follow from their table.

EQUAL lists the places of each fact: a file, and a pattern whose groups are the fact. A pattern
must match exactly once. COMPUTED lists facts that follow from a table or from code: a file, its
pattern, and a function that computes the groups from the source tree.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ast
import json
import math
import re
import sys
import tomllib
from pathlib import Path

TOOLS = r"`(pool-\w+)`,\s`(pool-\w+)`,\s`(pool-\w+)`,\s`(pool-\w+)`\sand\s`(pool-\w+)`"

EQUAL = {
    "times as fast as the fastest other library": (
        ("README.md", r"was ([\d.]+) times as fast as in the fastest other library"),
        ("docs/Results/Comparison.md", r"geometric mean of the\s+rows of workloads.json is ([\d.]+)\.")),
    "command of Comparison.md": (
        ("docs/Results/Comparison.md", r"^\$ (build/peers-venv/bin/python benchmarks/compare.py .*--json compare.json.*)$"),
        ("docs/Start/Research.md", r"^\| \[Comparison.md\]\(.*networks.*\| `(.*)` \|$")),
    "CPU-seconds of the build": (
        ("README.md", r"building takes (\d+) CPU-seconds"),
        ("docs/Internals/Rationale.md", r"^\| \*\*eight sources as a unit, precompiled header\*\* \| (\d+) \|$"),
        ("docs/Start/Contributor.md", r"^\| everything, nothing cached.*\| (\d+) \(")),
    "minutes of the build": (
        ("README.md", r"building takes \d+ CPU-seconds, (\d+) minutes"),
        ("docs/Start/Contributor.md", r"^\| everything, nothing cached.*\((\d+) minutes on two cores\)")),
    "minutes of make check": (
        ("CONTRIBUTING.md", r"^\$ make check .*at most (\d+) minutes"),
        ("CONTRIBUTING.md", r"^\| `make check`.*\| at most (\d+) minutes \|$"),
        ("Makefile", r"^check: .*at most (\d+) minutes")),
    "minutes of make test": (
        ("CONTRIBUTING.md", r"^\$ make test .*at most (\d+) minutes"),
        ("CONTRIBUTING.md", r"^\| `make test`.*\| at most (\d+) minutes \|$"),
        ("Makefile", r"^test: .*at most (\d+) minutes")),
    "hours of make test-all": (
        ("CONTRIBUTING.md", r"^\| `make test-all`.*\| (\w+) hours \|$"),
        ("Makefile", r"^test-all: .*; (\w+) hours$")),
    "opsets of ONNX": (
        ("README.md", r"opsets 1 to\s(\d+)"),
        ("docs/Guides/ImportONNX.md", r"of opsets 1 to (\d+),"),
        ("docs/Internals/Conformance.md", r"random ONNX models of every pooling operator, opset 1 to (\d+)"),
        ("python/pool_mlir/onnx/__init__.py", r"of opsets 1 to (\d+) become"),
        ("python/pool_mlir/onnx/nodes.py", r"^NEWEST_OPSET = (\d+)$")),
    "random models of ONNX": (
        ("docs/Guides/ImportONNX.md", r"onnx-random.py` imports (\d+) random models"),
        ("docs/Internals/Conformance.md", r"random ONNX models of every .*?\| (\d+) \|")),
    "random quantised models of ONNX": (
        ("docs/Guides/ImportONNX.md", r"onnx-quantized.py` compares (\d+) random"),
        ("docs/Internals/Conformance.md", r"quantised ONNX models: .*?\| (\d+) random"),
        ("test/Python/onnx-quantized.py", r"tier.size\((\d+),")),
    "the longest file": (
        ("CONTRIBUTING.md", r"at most (\d+) lines, tests included\."),
        ("scripts/check-style.py", r"^MAX_LINES = (\d+)$")),
}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def get_torch_ratios(root):
    """Yields mean ratios of the times: for row-major sizes without and with the gradient, then
    for channels_last without and with the gradient."""
    text = (root / "docs/Guides/UseInPyTorch.md").read_text()
    rows = re.findall(r"^(\S.*?)  +(\d+) +(\d+) +[\d.]+ +(\d+) +(\d+) +[\d.]+$", text, re.MULTILINE)
    for is_last, digits in ((False, 0), (True, 1)):
        group = [row for row in rows if ("channels_last" in row[0]) == is_last]
        for theirs, ours in ((1, 2), (3, 4)):
            mean = geometric_mean([float(row[theirs]) / float(row[ours]) for row in group])
            yield f"{mean:.{digits}f}"


def get_mean_ratio(root):
    """Computes the mean ratio of the rows of workloads.json in Comparison.md's first table."""
    named = json.loads((root / "benchmarks/workloads.json").read_text())["workloads"]
    table = (root / "docs/Results/Comparison.md").read_text().split("**geometric mean**")[0]
    ratios = dict(re.findall(r"^\| (\w+) \|(?: [^|]* \|){4} ([\d.]+) \|", table, re.MULTILINE))
    names = [workload["name"] for workload in named if workload["name"] in ratios]
    yield f"{geometric_mean([float(ratios[name]) for name in names]):.2f}"


def get_limit(tier):
    def minutes(root):
        text = (root / "scripts/run-tests.py").read_text()
        limits = ast.literal_eval(re.search(r"^LIMITS = (.*)$", text, re.MULTILINE)[1])
        yield str(limits[tier] // 60)
    return minutes


def get_jobs(root):
    text = (root / "scripts/run-job.sh").read_text()
    yield ", ".join(re.search(r"^names='(.*)'$", text, re.MULTILINE)[1].split())


def get_commands(root):
    """Yields the commands that a wheel installs."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    yield from sorted(project["scripts"])


COMPUTED = (
    (".github/workflows/nightly.yml", r"^ +job: \[(.*)\]$", get_jobs),
    ("docs/Guides/UseInPyTorch.md", r"Pooling is (\d+) times as fast as torch's(?:.|\n)*?and (\d+) times with "
     r"the gradient\.(?:.|\n)*?([\d.]+) and ([\d.]+) times as fast:", get_torch_ratios),
    ("docs/Results/Comparison.md", r"geometric mean of the\s+rows of workloads.json is ([\d.]+)\.",
     get_mean_ratio),
    ("Makefile", r"^check: .*at most (\d+) minutes", get_limit("quick")),
    ("Makefile", r"^test: .*at most (\d+) minutes", get_limit("land")),
    ("README.md", rf"commands {TOOLS} come along", get_commands),
    ("docs/Reference/Python.md", rf"come the commands {TOOLS}", get_commands),
)


def get_groups(root, name, pattern):
    """Returns (groups of the only match, None), or (None, problem)."""
    found = list(re.finditer(pattern, (root / name).read_text(), re.MULTILINE))
    if len(found) != 1:
        return None, f"{name}: {len(found)} matches of {pattern!r}, must be 1"
    return found[0].groups(), None


def check(root):
    for fact, places in EQUAL.items():
        values = {}
        for name, pattern in places:
            groups, problem = get_groups(root, name, pattern)
            if problem:
                yield problem
            else:
                values.setdefault(groups, []).append(name)
        if len(values) > 1:
            yield f"{fact}: " + ", ".join(f"{' '.join(groups)} in {' and '.join(names)}"
                                          for groups, names in values.items())
    for name, pattern, compute in COMPUTED:
        groups, problem = get_groups(root, name, pattern)
        expected = tuple(compute(root))
        if problem:
            yield problem
        elif groups != expected:
            yield f"{name}: says {' '.join(groups)}, which is {' '.join(expected)}"
    # The importer of .onnx files needs the extra [onnx]. So the page must install it first.
    text = (root / "docs/Start/Models.md").read_text()
    if ".onnx" in text and not re.search(r"pip install .*\[onnx\]", text.split(".onnx")[0]):
        yield "docs/Start/Models.md: reads .onnx before the extra [onnx] is installed"


if __name__ == "__main__":
    sys.exit("\n".join(check(Path(sys.argv[1]).resolve())) or 0)
