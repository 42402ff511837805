#!/usr/bin/env python3
"""Fits the weights that choose between plans (pool/Target/Costs.def) to this machine.

Problems and times come from tune.py's --json. Each weight in turn is made smaller and
larger, and pool-select-plan chooses plans with the new weight. The change is kept if the
chosen plans get faster. The search ends when no change helps. The measure is a geometric mean
over all problems: the chosen plan's time divided by the best plan's. A plan without a time is
timed beside tune.py's choice and added to the file. Prints the weights, and the distance of
the chosen plans from the best, before and after. --write changes the weights in the sources.

    tune.py --build build --json tune.json && refit.py --build build --json tune.json
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# pylint: disable=wrong-import-position
import numpy as np  # noqa: E402
import tune  # noqa: E402
from pooltest import plans  # noqa: E402
from tuner.race import add_time  # noqa: E402

WEIGHTS = HERE.parent / "include/pool/Target/Costs.def"
WEIGHT = re.compile(r'(?<=, ")([a-z-]+)(", )([0-9.e+-]+)(?=\))')
FACTORS = (0.4, 0.6, 0.8, 1.25, 1.7, 2.5)
SPLIT = "\n// -----\n"
PLAN = "pool.plan = "
# Smaller gains of the geometric mean are noise.
LEAST_GAIN = 1e-3


class Choices:
    """The plans chosen with given weights, and their times."""

    def __init__(self, options, all_results):
        from tuner import problems  # pylint: disable=import-outside-toplevel
        known = problems.read_problems(tune.KINDS)
        self.options = options
        self.all_results = all_results
        self.results = [r for r in all_results.values() if r.times and r.name in known]
        self.problems = [known[r.name] for r in self.results]
        self.num_timed = 0

    def plans(self, weights):
        """Returns the chosen plan of each result, in order."""
        chosen = {}
        costs = ",".join(f"{name}:{value:g}" for name, value in weights.items())
        for bits in {r.vector_bits for r in self.results}:
            some = [n for n, r in enumerate(self.results) if r.vector_bits == bits]
            process = subprocess.run(
                [self.options.build / "bin/pool-opt", "-", "--split-input-file",
                 f"--pool-select-plan=mcpu={tune.PROCESSORS[bits]} costs={costs}"],
                input=SPLIT.join(self.problems[n].text for n in some), capture_output=True,
                text=True, check=False)
            if process.returncode != 0:
                sys.exit(f"refit.py: pool-opt failed:\n{process.stderr[:2000]}")
            for n, text in zip(some, process.stdout.split(SPLIT), strict=True):
                place = text.find(PLAN, text.index("@main("))
                # There is no plan if the pipeline replaces the operation before planning.
                chosen[n] = (str(plans.parse(text, place + len(PLAN))) if place >= 0
                             else self.results[n].chosen)
        return [chosen[n] for n in range(len(self.results))]

    def ratios(self, weights):
        """Returns the chosen plans' times divided by the best plans' times."""
        ratios = []
        for result, problem, plan in zip(self.results, self.problems, self.plans(weights)):
            if plan not in result.times and plan not in result.wrong:
                add_time(result, problem, plan, tune.PROCESSORS[result.vector_bits])
                self.num_timed += 1
                tune.write_results(self.options.json, self.all_results)
            ratios.append(result.times.get(plan, np.inf) / min(result.times.values()))
        return np.array(ratios)


def mean(ratios):
    return np.exp(np.mean(np.log(ratios)))


def search(choices, weights, names):
    """Returns the best weights; changes one of `names` at a time."""
    least = mean(choices.ratios(weights))
    improved = True
    while improved:
        improved = False
        for name in names:
            value = weights[name]
            for factor in FACTORS:
                changed = {**weights, name: float(f"{value * factor:.2g}")}
                score = mean(choices.ratios(changed))
                print(f"{name}:{changed[name]:g}: {score:.4f}, best {least:.4f}; "
                      f"{choices.num_timed} plans timed", file=sys.stderr)
                if score < least - LEAST_GAIN:
                    least, weights, improved = score, changed, True
    return weights


def table(before, after):
    yield "| weight | before | after |"
    yield "|---|--:|--:|"
    for name, value in before.items():
        yield f"| {name} | {value:g} | {after[name]:g} |"


def summary(ratios):
    within = ", ".join(f"{np.mean(ratios <= limit):.0%} within {limit - 1:.0%}"
                       for limit in tune.LIMITS)
    return f"{mean(ratios):.3f} times the best in the mean, {within}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=HERE.parent / "build")
    parser.add_argument("--json", type=Path, required=True,
                        help="results of tune.py; times are added to them")
    parser.add_argument("--weight", action="append", metavar="NAME",
                        help="change only this weight; may be repeated (default: all)")
    parser.add_argument("--write", action="store_true", help=f"set the weights in {WEIGHTS.name}")
    options = parser.parse_args()
    sys.path.insert(0, str(options.build.resolve() / "python"))
    source = WEIGHTS.read_text(encoding="utf-8")
    weights = {found[1]: float(found[3]) for found in WEIGHT.finditer(source)}
    unknown = set(options.weight or ()) - set(weights)
    if unknown:
        sys.exit(f"refit.py: no weight is named {', '.join(sorted(unknown))}; there are "
                 f"{', '.join(weights)}")
    try:
        results = tune.read_results(options.json)
    except (OSError, ValueError) as error:
        sys.exit(f"refit.py: {error}")
    choices = Choices(options, results)
    if not choices.results:
        sys.exit(f"refit.py: {options.json} has no times")
    before = choices.ratios(weights)
    after = search(choices, weights, options.weight or weights)
    print("\n".join(table(weights, after)))
    print(f"\nof {len(before)} problems\nbefore: {summary(before)}\n"
          f"after: {summary(choices.ratios(after))}")
    if options.write:
        WEIGHTS.write_text(
            WEIGHT.sub(lambda found: f"{found[1]}{found[2]}{after[found[1]]:g}", source),
            encoding="utf-8")


if __name__ == "__main__":
    main()
