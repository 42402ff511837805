#!/usr/bin/env python3
"""Lists the plan that convert-pool-to-vector chooses for every workload.

With known extents: the plan, and its cost by the model in cycles per output. With the batch
and all spatial extents unknown: each chain of plans (the first plan that fits runs), and the
workloads that have this chain.
Nothing runs. The tables are for registers of --vector-bits, so they are the same on every
machine. The benchmark asserts nothing.

    benchmarks/plans.py --build build
    benchmarks/plans.py --build build --vector-bits 128 --only stem
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# pylint: disable=wrong-import-position
from measure.workloads import (  # noqa: E402
    BadWorkload, add_selection, only_named, read_files)

# Prints the plans of the module on standard input.
SCRIPT = """
import json, sys
from pool_mlir._pool_mlir import _plan
json.dump(_plan(sys.stdin.read(), vector_bits=int(sys.argv[1])), sys.stdout)
"""


class Failure(Exception):
    """The package is missing or refuses a module; the message says why."""


def read_cases(options):
    """Returns {workload: (case, extents of its output)}. Leaves out workloads with unknown
    extents, because each equals another workload whose extents are made unknown here."""
    cases = {}
    for name, workload in read_files(options.files).items():
        if not workload.case.dynamic:
            cases[name] = workload.case, workload.output
    return only_named(cases, options.only, "workload")


def plan(options, cases, is_known):
    """Returns {workload: its plan, a dict as in Compiled.plan}."""
    functions = []
    for number, (case, output) in enumerate(cases.values()):
        if not is_known:
            dims = range(case.rank)
            case = case.with_(dynamic=tuple(d for d in dims if d != case.channel_dim))
        functions.append(case.function(f"f{number}", case.dynamic_output_shape(output),
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


def known_table(plans):
    lines = ["| workload | plan | cycles an output |", "|---|---|--:|"]
    for name, found in plans.items():
        chain = "; otherwise ".join(map(brief, links(found["plan"] or "")))
        cycles = "-" if found["cycles"] is None else f"{found['cycles']:.2f}"
        lines.append(f"| {name} | {chain or 'none, by way of linalg'} | {cycles} |")
    return lines


def unknown_table(plans):
    chains = {}
    for name, found in plans.items():
        kinds = [(text, len(list(same)))
                 for text, same in itertools.groupby(map(kind, links(found["plan"] or "")))]
        chain = "; otherwise ".join(f"{text} ({count} widths)" if count > 1 else text
                                    for text, count in kinds)
        chains.setdefault(chain or "none, by way of linalg", []).append(name)
    lines = ["| chain of plans | workloads | such as |", "|---|--:|---|"]
    for chain, names in sorted(chains.items(), key=lambda item: -len(item[1])):
        lines.append(f"| {chain} | {len(names)} | {', '.join(names[:3])} |")
    return lines


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_selection(parser)
    parser.add_argument("--vector-bits", type=int, default=512, metavar="N",
                        help="bits of a vector register (default: 512)")
    parser.add_argument("--markdown", metavar="FILE", help="also write the tables to FILE")
    return parser.parse_args()


def main():
    options = parse_arguments()
    try:
        cases = read_cases(options)
        text = "\n".join([
            f"Extents known, registers of {options.vector_bits} bits:", "",
            *known_table(plan(options, cases, True)), "",
            "Batch and spatial extents unknown:", "",
            *unknown_table(plan(options, cases, False))])
    except (BadWorkload, Failure) as error:
        sys.exit(f"plans.py: {error}")
    print(text)
    if options.markdown:
        Path(options.markdown).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
