#!/usr/bin/env python3
"""Compares the code that two builds lower a corpus to, to prove that a refactoring keeps it.

Nothing is compiled to machine code and nothing runs. Each module of the corpus goes through both
builds' pool-opt: --convert-pool-to-vector with vectors of 512, 256 and 128 bits, and the passes of
--pool-to-gpu up to pool-map-to-gpu for NVIDIA and for Vulkan. A pinned plan is for CPUs, so random
modules with one are not lowered for GPUs.

    lowered-corpus.py OLD NEW                               everything
    lowered-corpus.py OLD NEW --only workloads --only pinned --random 200
    lowered-corpus.py OLD NEW --keep DIR                    and the texts that differ, to diff them

Parts of the corpus:
- vector-tests: modules of test/Conversion/PoolToVector/*.mlir
- other-tests: modules of the other .mlir files below test
- workloads: the benchmarks' workloads and the cells of holes.json. Each is lowered as it is, with
  unknown spatial extents, and with only unknown extents.
- random: random poolings, adaptive poolings, unpoolings and gradients
- pinned: the same problems with pinned plans. One plan is selected by OLD, another is random.

Results of a module:
- same: both builds print the same code, apart from the order of constants.
- equal: both codes are equal after NEW's --canonicalize --cse, repeated up to three times.
- different: they are not.
- refused: both builds reject the module with the same errors, or both crash or time out alike.
- errors differ: one build rejects it, or both print other errors or warnings.

Modules that are different or whose errors differ are listed, on standard output. --keep writes a
directory for each: input.mlir, old.mlir and new.mlir, and the canonical forms if it is different.

The exit code is 0 if nothing differs, 1 if something differs, and 2 for a wrong command line. Run
it with the tests' Python, build/venv/bin/python.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import bisect
import collections
import concurrent.futures
import functools
import multiprocessing
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

# Write no bytecode into the source tree.
sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[1]
TESTS, BENCHMARKS = ROOT / "test", ROOT / "benchmarks"
sys.path[:0] = [str(TESTS / "Integration"), str(BENCHMARKS)]
# pylint: disable=wrong-import-position
import numpy as np  # noqa: E402

import plans as pinned_plans  # noqa: E402
from groups.holes import read_cells  # noqa: E402
from measure.workloads import read_files  # noqa: E402
from passes_twice import SEPARATOR as SEPARATORS  # noqa: E402
from pooltest.plans import SEPARATOR, pin  # noqa: E402
from pooltest.report import Report  # noqa: E402
from pooltest.tools import run  # noqa: E402

VECTOR_BITS = (512, 256, 128)
GPUS = {"NVIDIA": "nvvm", "Vulkan": "vulkan"}
# Name of a part -> True if its modules are also lowered for GPUs
PARTS = {"vector-tests": True, "other-tests": True, "workloads": True, "random": True,
         "pinned": False}
SAME, EQUAL, DIFFERENT, REFUSED, ERRORS = RESULTS = (
    "same", "equal", "different", "refused", "errors differ")
MODULES_PER_BATCH = 100
# Pinned plans of each random problem
PLANS = 2
# Repetitions of the canonicalisation
ROUNDS = 3
TIMEOUT_SECONDS = 600
# Threads could print errors in another order. An operation in an error is code of half a lowering.
COMMON = ("--split-input-file", "--allow-unregistered-dialect", "--mlir-disable-threading",
          "--mlir-print-op-on-diagnostic=false")
CONSTANT = re.compile(r'(?m)^ *memref\.global "private" constant @(\w+) : (.*)\n')
DIAGNOSTIC = re.compile(r"(?m)^(?=<stdin>:\d+:\d+: (?:error|warning|remark): )")


@dataclass(frozen=True)
class Module:
    part: str
    name: str
    text: str


@dataclass(frozen=True)
class Lowered:
    """`text` is None if pool-opt rejected the module. `errors` has warnings, too."""

    text: str
    errors: str


@dataclass(frozen=True)
class Difference:
    module: Module
    target: str
    result: str
    # Name of a file for --keep -> its text
    files: dict


# Corpus

def read_tests():
    """Yields the modules of the tests, each with the number of its first line."""
    for path in sorted(TESTS.rglob("*.mlir")):
        part = "vector-tests" if path.parent == TESTS / "Conversion" / "PoolToVector" \
            else "other-tests"
        # LLVM 22 checks expectations even without --verify-diagnostics, and reports them as errors.
        text = path.read_text(encoding="utf-8").replace("// expected-", "// expects-")
        starts = [0, *(match.end() + 1 for match in SEPARATORS.finditer(text))]
        for start, module in zip(starts, SEPARATORS.split(text)):
            line = text.count("\n", 0, start) + 1
            yield Module(part, f"{path.relative_to(ROOT)}:{line}", module.strip("\n") + "\n")


def read_workloads():
    """Yields each workload as it is, with unknown spatial extents, and with only unknown
    extents."""
    for name, workload in {**read_files(), **read_cells(BENCHMARKS / "holes.json")}.items():
        case = workload.case
        for kind, dims in (("", case.dynamic), (", spatial extents unknown", case.spatial_dims),
                           (", extents unknown", range(case.rank))):
            hidden = case.with_(dynamic=tuple(dims))
            yield Module("workloads", name + kind, hidden.function(
                "f", hidden.dynamic_output_shape(workload.output)))


def make_random(old, seed, first, count):
    """Returns `count` random modules, and the same with pinned plans. The build `old` selects
    plans for vectors of one length, which differs between batches."""
    rng = np.random.default_rng([seed, first])
    subjects = [pinned_plans.random_subject(rng, number, "mcpu=native") for number in range(count)]
    os.environ["POOL_BUILD_DIR"] = str(old)
    bits = VECTOR_BITS[first // MODULES_PER_BATCH % len(VECTOR_BITS)]
    # A problem that the build refuses has no selected plan, and random ones only.
    pinned_plans.select(Report("unused"), subjects, f"vector-bits={bits}")
    modules = []
    for number, subject in enumerate(subjects, first):
        name = f"random problem {number}"
        modules.append(Module("random", name, subject.text))
        for plan in pinned_plans.random_plans(rng, subject, PLANS):
            modules.append(Module("pinned", f"{name} with {plan}", pin(subject.text, plan)))
    return modules


def make_batches(options):
    """Returns functions that return the modules of a batch. So the processes that lower them
    also make random ones."""
    given = [module for module in (*read_tests(), *read_workloads())
             if module.part in options.only]
    batches = []
    for part in PARTS:
        modules = [module for module in given if module.part == part]
        batches += [functools.partial(list, modules[start:start + MODULES_PER_BATCH])
                    for start in range(0, len(modules), MODULES_PER_BATCH)]
    if "random" in options.only or "pinned" in options.only:
        batches += [functools.partial(make_random, options.old, options.seed, first,
                                      min(MODULES_PER_BATCH, options.random - first))
                    for first in range(0, options.random, MODULES_PER_BATCH)]
    return batches


# Lowering

def pool_opt(build):
    return str(build / "bin" / "pool-opt")


def gpu_passes(build, target):
    """Returns the passes of --pool-to-gpu that make loops, as an option. The names of passes may
    differ between the builds."""
    process = run([pool_opt(build), f"--pool-to-gpu=target={target}", "--dump-pass-pipeline"], "")
    found = re.search(r"builtin\.module\(.*pool-map-to-gpu(\{.*?\})?", process.stderr, re.DOTALL)
    if not found:
        sys.exit(f"lowered-corpus.py: {pool_opt(build)} prints no passes of --pool-to-gpu="
                 f"target={target}: {process.stderr[:300]}")
    return f"--pass-pipeline={' '.join(found[0].split())})"


def find_targets(options):
    """Returns {name of a target: (option of the old build, option of the new build)}."""
    targets = {}
    for bits in VECTOR_BITS:
        targets[f"{bits} bits"] = (f"--convert-pool-to-vector=vector-bits={bits}",) * 2
    if any(PARTS[part] for part in options.only):
        for name, target in GPUS.items():
            targets[name] = tuple(gpu_passes(build, target)
                                  for build in (options.old, options.new))
    return targets


def lower(build, texts, *passes):
    """Runs pool-opt once for all texts, and returns a Lowered for each. If pool-opt crashes or
    takes too long, the texts are halved until the cause is alone."""
    command = [pool_opt(build), *passes, *COMMON]
    try:
        process = run(command, SEPARATOR.join(texts), TIMEOUT_SECONDS)
        end, outputs = process.returncode, process.stdout.split(SEPARATOR)
    except subprocess.TimeoutExpired:
        end, outputs = f"not reached in {TIMEOUT_SECONDS} s", []
    if end not in (0, 1) or len(outputs) != len(texts):
        if len(texts) == 1:
            return [Lowered(None, f"pool-opt: exit code {end}, {len(outputs)} outputs")]
        middle = len(texts) // 2
        return lower(build, texts[:middle], *passes) + lower(build, texts[middle:], *passes)
    starts = [1]
    for text in texts:
        starts.append(starts[-1] + text.count("\n") + 1)
    errors = [""] * len(texts)
    number = 0
    for block in DIAGNOSTIC.split(process.stderr):
        # A diagnostic without a place goes to the module of the one before it.
        found = re.match(r"<stdin>:(\d+):", block)
        if found:
            number = min(bisect.bisect(starts, int(found[1])), len(texts)) - 1
        errors[number] += block
    return [Lowered(output if output.strip() else None, error)
            for output, error in zip(outputs, errors)]


def lower_pairs(options, texts, passes):
    """Returns a pair for each text: the results of both builds. If errors of a text
    differ, it is lowered again alone. If they are then equal, an error of the batch went to the
    wrong text, so all texts are lowered alone."""
    builds = (options.old, options.new)

    def lower_all(texts):
        return list(zip(*(lower(build, texts, option) for build, option in zip(builds, passes))))
    pairs = lower_all(texts)
    unsure = [number for number, (old, new) in enumerate(pairs) if old.errors != new.errors]
    for number in unsure:
        pairs[number], = lower_all([texts[number]])
    if any(old.errors == new.errors for old, new in (pairs[number] for number in unsure)):
        pairs = [lower_all([text])[0] for text in texts]
    return pairs


def canonicalise(options, pairs):
    """Returns the canonical forms of pairs of texts that differ. A text that cannot be
    canonicalised stays as it is."""
    pairs = [list(pair) for pair in pairs]
    for _ in range(ROUNDS):
        unequal = [pair for pair in pairs if not is_same(*pair)]
        forms = lower(options.new, [text for pair in unequal for text in pair],
                      "--canonicalize", "--cse") if unequal else []
        before = [list(pair) for pair in unequal]
        for number, form in enumerate(forms):
            unequal[number // 2][number % 2] = form.text or unequal[number // 2][number % 2]
        if before == unequal:
            break
    return pairs


# Comparison

def without_constants(text):
    """Returns the text with constants' values instead of their names, and without the constants.
    If a module has several functions, upstream's bufferisation orders and numbers constants by
    functions' addresses, so two runs of one build may differ."""
    values = dict(CONSTANT.findall(text))
    text = CONSTANT.sub("", text)
    return re.sub(r"@(\w+)", lambda name: values.get(name[1], name[0]), text) if values else text


def is_same(old, new):
    return old == new or without_constants(old) == without_constants(new)


def compare(options, modules, target, passes):
    """Returns (result of each module, differences)."""
    pairs = lower_pairs(options, [module.text for module in modules], passes)
    results, differences, unequal = [], [], []
    for module, (old, new) in zip(modules, pairs):
        if old.errors != new.errors or None in (old.text, new.text):
            result = REFUSED if old == new else ERRORS
        else:
            result = SAME if is_same(old.text, new.text) else DIFFERENT
        if result == ERRORS:
            differences.append(Difference(module, target, result, {
                "old": old.errors + (old.text or ""), "new": new.errors + (new.text or "")}))
        if result == DIFFERENT:
            unequal.append((len(results), module, old.text, new.text))
        results.append(result)
    forms = canonicalise(options, [texts for _, _, *texts in unequal])
    for (number, module, old, new), (old_form, new_form) in zip(unequal, forms):
        if is_same(old_form, new_form):
            results[number] = EQUAL
        else:
            differences.append(Difference(module, target, DIFFERENT, {
                "old": old, "new": new, "old-canonical": old_form, "new-canonical": new_form}))
    return results, differences


def run_batch(options, targets, make):
    """Compares the modules of a batch. Returns (number of modules, counts by part, target and
    result, differences)."""
    modules = [module for module in make() if module.part in options.only]
    counts, differences = collections.Counter(), []
    for part in dict.fromkeys(module.part for module in modules):
        own = [module for module in modules if module.part == part]
        for target, passes in targets.items():
            if target in GPUS and not PARTS[part]:
                continue
            results, found = compare(options, own, target, passes)
            counts.update((part, target, result) for result in results)
            differences += found
    return len(modules), counts, differences


# Report

def first_line(text):
    """Returns the first line of a module's first function with a body, or else of the module."""
    lines = [line.strip() for line in text.splitlines()
             if line.strip() and not line.lstrip().startswith("//")]
    functions = [line for line in lines if line.startswith("func.func") and "private" not in line]
    return (functions or lines or [""])[0]


def describe(difference):
    module = difference.module
    line = f"{module.name}, {difference.target}: {difference.result}: {first_line(module.text)}"
    return line if len(line) <= 200 else line[:197] + "..."


def keep(directory, difference, number):
    """Writes the texts of a difference to files in a directory of its own."""
    name = re.sub(r"\W+", "-", f"{difference.module.name} {difference.target}")[:100]
    own = directory / f"{number:04}-{name}"
    own.mkdir(parents=True, exist_ok=True)
    for kind, text in {"input": difference.module.text, **difference.files}.items():
        (own / f"{kind}.mlir").write_text(text, encoding="utf-8")


def table(counts):
    rows = [("part", "target", *RESULTS)]
    for part, target in dict.fromkeys((part, target) for part, target, _ in counts):
        rows.append((part, target, *(str(counts[part, target, result]) for result in RESULTS)))
    totals = [sum(n for (_, _, other), n in counts.items() if other == result)
              for result in RESULTS]
    rows.append(("all", "", *map(str, totals)))
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(
        cell.ljust(width) if column < 2 else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)


def number_from(least):
    """Returns a converter for argparse that accepts integers from `least` on."""
    def convert(text):
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}: {text}")
        return int(text)
    convert.__name__ = "number"
    return convert


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, metavar="OLD", help="build directory before the change")
    parser.add_argument("new", type=Path, metavar="NEW", help="build directory after the change")
    parser.add_argument("--random", type=number_from(0), default=2000, metavar="N",
                        help="random problems (default: 2000)")
    parser.add_argument("--seed", type=number_from(0), default=1, metavar="N",
                        help="seed of the random problems (default: 1)")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PART",
                        help=f"only this part: {', '.join(PARTS)}; may be given several times")
    parser.add_argument("--keep", type=Path, metavar="DIR",
                        help="write the texts that differ to DIR, which must be empty or new")
    parser.add_argument("--jobs", type=number_from(1), default=os.cpu_count(), metavar="N",
                        help="processes of pool-opt at a time (default: one for each processor)")
    options = parser.parse_args()
    options.only = options.only or list(PARTS)
    options.old, options.new = options.old.resolve(), options.new.resolve()
    for build in (options.old, options.new):
        if not os.access(pool_opt(build), os.X_OK):
            parser.error(f"{pool_opt(build)} does not exist: build it first")
    if options.keep and options.keep.exists() and (
            not options.keep.is_dir() or any(options.keep.iterdir())):
        parser.error(f"--keep {options.keep}: exists and is no empty directory")
    return options


def main():
    options = parse()
    start = time.monotonic()
    targets, batches = find_targets(options), make_batches(options)
    counts, differences, modules = collections.Counter(), 0, 0
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        task = functools.partial(run_batch, options, targets)
        for done, (number, some, found) in enumerate(pool.map(task, batches), 1):
            modules += number
            counts.update(some)
            for difference in found:
                differences += 1
                print(describe(difference), flush=True)
                if options.keep:
                    keep(options.keep, difference, differences)
            print(f"{time.monotonic() - start:.0f} s: {done} of {len(batches)} batches, "
                  f"{modules} modules, {differences} differences", file=sys.stderr, flush=True)
    print(table(counts))
    return 1 if differences else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
