"""Lists the plan that convert-pool-to-vector chooses for every workload.

With known extents: the plan, and its cost by the model in cycles per output. With the batch
and all spatial extents unknown: each chain of plans (the first plan that fits runs), and the
workloads that have this chain. Nothing runs. The tables are for registers of --vector-bits, so they
are the same on every machine.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import json
import os
import re
import subprocess
import sys

from measure.native import Failure
from measure.workloads import read_files

TAKES_FILES = True
# Prints the plans of the module on standard input.
SCRIPT = """
import json, sys
from pool_mlir._pool_mlir import _plan
json.dump(_plan(sys.stdin.read(), vector_bits=int(sys.argv[1])), sys.stdout)
"""


def add_options(parser):
    parser.add_argument("--vector-bits", type=int, default=512, metavar="N",
                        help="bits of a vector register (default: 512)")


def rows(options):
    """Leaves out workloads with unknown extents, because each equals another workload whose
    extents are made unknown here."""
    return {name: workload for name, workload in read_files(options.files).items()
            if not workload.case.dynamic}


def plan(options, cases, is_known):
    """Returns {workload: its plan, a dict as in Compiled.plan}."""
    functions = []
    for number, workload in enumerate(cases.values()):
        case = workload.case
        if not is_known:
            dims = range(case.rank)
            case = case.with_(dynamic=tuple(d for d in dims if d != case.channel_dim))
        functions.append(case.function(f"f{number}", case.dynamic_output_shape(workload.output),
                                       pretty=True))
    python = options.build.resolve() / "python"
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(options.vector_bits)], input="\n".join(functions),
        env={**os.environ, "PYTHONPATH": str(python)}, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        raise Failure(f"{python}: {process.stderr.strip().splitlines()[-1]}")
    plans = json.loads(process.stdout)
    return {name: next(p for p in plans if p["function"] == f"f{number}")
            for number, name in enumerate(cases)}


def links(text):
    """Returns (strategy, {parameter: value}) of each plan of a chain."""
    result = []
    # Parameters after `fallback` belong to the outer plan.
    opened = []
    for token in re.finditer(r'#pool\.plan<"([\w-]+)"|(\w+) = ("[\w-]+"|-?\d+|true)|(>)', text):
        strategy, key, value, closes = token.groups()
        if strategy:
            opened.append((strategy, {}))
            result.append(opened[-1])
        elif closes:
            opened.pop()
        else:
            opened[-1][1][key] = value.strip('"')
    return result


def brief(link):
    strategy, parameters = link
    return " ".join([strategy] + [key if value == "true" else f"{key}={value}"
                                  for key, value in parameters.items()])


def kind(link):
    """Returns the words of a plan without its numbers."""
    strategy, parameters = link
    words = [key if value == "true" else value for key, value in parameters.items()
             if not re.fullmatch(r"-?\d+", value)]
    return " ".join([strategy] + words)


def run(chosen, options, report):
    report.line(f"Extents known, registers of {options.vector_bits} bits:\n")
    known, unknown = (plan(options, chosen, is_known) for is_known in (True, False))
    report.header("workload", "plan", "cycles an output", left=(0, 1))
    for name, found in known.items():
        chain = "; otherwise ".join(map(brief, links(found["plan"] or "")))
        cycles = "-" if found["cycles"] is None else f"{found['cycles']:.2f}"
        report.row(name, chain or "none, by way of linalg", cycles, plan=found["plan"],
                   cycles=found["cycles"])
    report.line("\nBatch and spatial extents unknown:\n")
    chains = {}
    for name, found in unknown.items():
        kinds = [(text, len(list(same)))
                 for text, same in itertools.groupby(map(kind, links(found["plan"] or "")))]
        chain = "; otherwise ".join(f"{text} ({count} widths)" if count > 1 else text
                                    for text, count in kinds)
        chains.setdefault(chain or "none, by way of linalg", []).append(name)
    report.header("chain of plans", "workloads", "such as", left=(0, 2))
    for chain, names in sorted(chains.items(), key=lambda item: -len(item[1])):
        report.row(chain, len(names), ", ".join(names[:3]))
