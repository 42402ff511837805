#!/usr/bin/env python3
"""Measures the distance of the plans that convert-pool-to-vector chooses from the best
plans.

For each problem, takes the plans that tuner/space.py lists (a random choice if there are more
than --plans). Each plan is compiled and timed, and its results are compared with those of the
chosen plan. The fastest plans and the chosen one are timed again in turns. The chosen plan,
compiled twice, competes with itself: the difference is the noise. Problems are random layers,
gradients, adaptive pooling, and the workloads of workloads.json and others.json without bf16.
They run on one thread, for registers of 512, 256 or 128 bits. The cost of an empty call is
subtracted. A problem that takes longer than --seconds is given up and named. The benchmark
names wrong results and processes that die, and then the exit code is 1. It asserts nothing
about times.

    tune.py --build build --json tune.json --plot tune.png
    tune.py --build build --only stem --vector-bits 512 --plans 100
    tune.py --json tune.json --plot tune.png --show       (earlier measurements)
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import dataclasses
import json
import multiprocessing
import re
import sys
import traceback
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# pylint: disable=wrong-import-position
import measure  # noqa: E402,F401  makes the tests' rules findable
import numpy as np  # noqa: E402
from measure.plot import load as load_pyplot  # noqa: E402
from measure.workloads import BadWorkload, only_named  # noqa: E402
from tuner.race import Result, race  # noqa: E402

# Bits of vector registers -> processor
PROCESSORS = {512: "x86-64-v4", 256: "x86-64-v3", 128: "x86-64-v2"}
KINDS = ("workloads", "random", "gradients", "adaptive")
LIMITS = (1.05, 1.15)


def run_one(name, kinds, vector_bits, count, seed):
    """Runs one problem in a process of its own, so that a crash costs only this problem."""
    from tuner import problems  # pylint: disable=import-outside-toplevel
    problem = problems.read_problems(kinds)[name]
    rng = np.random.default_rng([seed, vector_bits, *name.encode()])
    return race(problem, rng, vector_bits, PROCESSORS[vector_bits], count)


def names_of(kinds):
    """Returns {name of a problem: kind}."""
    from tuner import problems  # pylint: disable=import-outside-toplevel
    return {name: kind for kind in kinds for name in problems.read_problems((kind,))}


def read_results(path):
    """Reads {name/bits: Result} from a file that write_results wrote."""
    try:
        results = [Result(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))]
    except TypeError as error:
        raise ValueError(f"{path} is not of this benchmark: {error}") from error
    return {f"{result.name}/{result.vector_bits}": result for result in results}


def write_results(path, results):
    """Writes all results or nothing."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps([dataclasses.asdict(r) for r in results.values()]),
                    encoding="utf-8")
    part.replace(path)


def is_done(result):
    """False for a problem that has to run again: it was given up or wrong, or has a chosen
    plan but no times."""
    return (result is not None and not result.wrong and not result.given_up
            and (result.times or not result.chosen))


DIED = "the process died"


class GivenUp(Exception):
    """A separate process died or took too long."""


def send(connection, build, function, arguments):
    sys.path.insert(0, str(Path(build).resolve() / "python"))
    try:
        connection.send((function(*arguments), None, ""))
    except Exception as error:  # pylint: disable=broad-exception-caught
        connection.send((None, error, traceback.format_exc()))


def in_process(build, function, *arguments, seconds=None):
    """Calls the function in a process that has pool_mlir, and ends the process after `seconds`.
    Returns the function's result or raises its exception."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=send, args=(sender, build, function, arguments))
    process.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            raise GivenUp(f"given up after {seconds} s")
        result, error, where = receiver.recv()
    except (EOFError, OSError):
        raise GivenUp(DIED) from None
    finally:
        process.kill()
        process.join()
    if error:
        print(f"\n{where}", file=sys.stderr)
        raise error
    return result


def widest():
    """Returns a list with the widest registers of this machine, in bits."""
    import pool_mlir  # pylint: disable=import-outside-toplevel
    for bits, cpu in PROCESSORS.items():
        try:
            pool_mlir.compile("func.func @f(%x: f32) -> f32 { return %x : f32 }", cpu=cpu)
            return [bits]
        except ValueError:
            pass
    raise BadWorkload("this machine has no registers of 128 bits")


def run(options, done):
    """Adds results to `done`, and writes the file after each."""
    problems = only_named(in_process(options.build, names_of, options.kinds), options.only,
                          "problem")
    all_bits = options.vector_bits or in_process(options.build, widest)
    tasks = [(name, bits) for bits in all_bits for name in problems
             if not is_done(done.get(f"{name}/{bits}"))]
    for number, (name, bits) in enumerate(tasks, 1):
        print(f"[{number}/{len(tasks)}] {name}, {bits} bits", end="", file=sys.stderr, flush=True)
        try:
            result = in_process(options.build, run_one, name, (problems[name],), bits,
                                options.plans, options.seed, seconds=options.seconds)
        except GivenUp as error:
            result = Result(name, bits, 0, given_up=str(error))
        if result.given_up:
            print(f": {result.given_up}", file=sys.stderr)
        elif result.best:
            print(f": {result.ratio:.2f}", file=sys.stderr)
        else:
            print(": no plan", file=sys.stderr)
        done[f"{name}/{bits}"] = result
        if options.json:
            write_results(options.json, done)


def strategy(plan):
    return re.search('"([a-z-]+)"', plan)[1]


def short(plan):
    """Returns a plan without the text that all plans share."""
    return re.sub(r"#pool\.plan<(.*)>", r"\1", plan.replace('"', "")).replace(" = ", "=")


def table(results):
    yield "| problem | bits | plans | tried | fit | chosen us | best us | ratio | noise | best |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    for r in sorted(results, key=lambda r: -r.ratio):
        best = "the chosen one" if r.best == r.chosen else short(r.best)
        yield (f"| {r.name} | {r.vector_bits} | {r.space or 'chains'} | {r.tried} "
               f"| {r.tried - r.refused} | {r.chosen_us:.1f} | {r.best_us:.1f} | {r.ratio:.2f} "
               f"| {r.noise:.2f} | {best} |")


def summary(results):
    for bits in sorted({r.vector_bits for r in results}, reverse=True):
        some = [r for r in results if r.vector_bits == bits]
        within = (f"{sum(r.ratio <= limit for r in some)} within {limit - 1:.0%}"
                  for limit in LIMITS)
        yield (f"{bits} bits: of {len(some)} problems the chosen plan is "
               f"{', '.join(within)} of the best; noise "
               f"{np.median([r.noise for r in some]) - 1:.1%} in the median, "
               f"{np.quantile([r.noise for r in some], 0.9) - 1:.1%} at the ninth tenth")
    chosen = Counter(strategy(r.chosen) for r in results)
    best = Counter(strategy(r.best) for r in results)
    yield "strategies, chosen and best: " + ", ".join(
        f"{name} {chosen[name]} and {best[name]}" for name in sorted(chosen | best))


def plot(results, path):
    """Draws the ratios, smallest first, for each register size, with the noise."""
    figure, axes = load_pyplot().subplots(figsize=(8, 4))
    for bits in sorted({r.vector_bits for r in results}, reverse=True):
        some = sorted((r for r in results if r.vector_bits == bits), key=lambda r: r.ratio)
        share = np.arange(1, len(some) + 1) / len(some)
        line, = axes.plot(share, [r.ratio for r in some], label=f"{bits} bits")
        axes.plot(share, sorted(r.noise for r in some), ":", color=line.get_color(),
                  label=f"{bits} bits, the chosen plan against itself")
    for limit in LIMITS:
        axes.axhline(limit, color="gray", linewidth=0.5)
    axes.set(xlabel="share of the problems", ylabel="time of the chosen plan / of the best",
             yscale="log")
    axes.minorticks_off()
    axes.set_yticks(ticks := (1, *LIMITS, 1.5, 2, 3), map(str, ticks))
    axes.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=HERE.parent / "build")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="problems whose name contains this; may be repeated")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--vector-bits", nargs="+", type=int, choices=PROCESSORS,
                        help="bits of a vector register (default: the most of this machine)")
    parser.add_argument("--plans", type=int, default=500, help="most plans for each problem")
    parser.add_argument("--seconds", type=float, default=300,
                        help="time after which a problem is given up (default: 300)")
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--json", type=Path, help="results, written after each problem; "
                        "earlier ones are kept, also of other --plans and --seed")
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--show", action="store_true",
                        help="run nothing, show the results in --json")
    options = parser.parse_args()
    done = read_results(options.json) if options.json and options.json.exists() else {}
    if not options.show:
        try:
            run(options, done)
        except (BadWorkload, GivenUp, ImportError) as error:
            sys.exit(f"tune.py: {error}")
    faults = []
    for r in done.values():
        if r.given_up:
            print(f"tune.py: {r.name}, {r.vector_bits} bits: {r.given_up}", file=sys.stderr)
        if r.given_up == DIED:
            faults.append(f"{r.name}, {r.vector_bits} bits: {DIED}")
        faults += [f"{r.name}, {r.vector_bits} bits: wrong values: {plan}" for plan in r.wrong]
    results = [r for r in done.values() if r.best]
    if not results:
        sys.exit("\n".join(["tune.py: there is no result", *faults]))
    lines = [*table(results), "", *summary(results)]
    print("\n".join(lines))
    if options.markdown:
        options.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.plot:
        plot(results, options.plot)
    if faults:
        sys.exit("\n".join(["tune.py: not all is well:", *faults]))


if __name__ == "__main__":
    main()
