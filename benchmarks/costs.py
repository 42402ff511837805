#!/usr/bin/env python3
"""Measures a kernel's costs beside its run time: compiling it, calling it, its size.

Covers the functions of ops.mlir and every workload of workloads.json, in one process by
pool-benchmark. Prints the median and the least time to lower and compile a kernel in a warm
process, and the time of the first call. Also prints the cost of a call on next to no data,
and the bytes of machine code. Compilations of more than --outlier milliseconds are named.
The benchmark only prints and asserts nothing.

    costs.py --build build --path vector
    costs.py --build build --only stem --markdown costs.md
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import re
import statistics
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# pylint: disable=wrong-import-position
from measure import native  # noqa: E402
from measure.report import FLOOR, number  # noqa: E402
from measure.workloads import BadWorkload, only_named, read_workloads  # noqa: E402

UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}


def functions_of(text):
    """Returns {name: text} of a module's functions. Each must begin a line with
    `func.func`."""
    return {re.match(r"func\.func @(\w+)", part).group(1): part
            for part in re.split(r"^(?=func\.func )", text, flags=re.MULTILINE)[1:]}


def subjects(options):
    """Returns {function name: its text}: first the operations, then the workloads."""
    result = functions_of((HERE / "ops.mlir").read_text(encoding="utf-8"))
    for path in options.files or [HERE / "workloads.json"]:
        for name, workload in read_workloads(path).items():
            symbol = "w_" + re.sub(r"\W", "_", name)
            case = workload.case
            result[symbol] = case.function(
                symbol, case.dynamic_output_shape(workload.output), pretty=True)
    return only_named(result, options.only, "function")


def measure(options, toolchain, texts, directory):
    """Returns {benchmark name: microseconds of each repetition} and {benchmark name:
    error}."""
    module = Path(directory) / "kernels.mlir"
    module.write_text("\n".join(texts.values()), encoding="utf-8")
    output = native.run([
        toolchain.build / "bin" / "pool-benchmark", module, f"--path={options.path}",
        f"--benchmark_repetitions={options.repetitions}",
        "--benchmark_min_time=0.02", "--benchmark_format=json"])
    times, errors = {}, {}
    for run in json.loads(output)["benchmarks"]:
        name = "/".join(run["name"].split("/")[:2])
        if run.get("error_occurred"):
            errors[name] = run["error_message"]
        elif run["run_type"] == "iteration":
            times.setdefault(name, []).append(run["real_time"] * UNITS[run["time_unit"]])
    return times, errors


def code_bytes(toolchain, name, text, path, directory):
    """Returns the bytes of machine code of one function, or None if it does not compile."""
    library = Path(directory) / f"{name}.so"
    try:
        toolchain.compile(toolchain.lower(text, f"path={path} c-wrappers=false"), library)
    except native.Failure:
        return None
    return native.text_bytes(library, toolchain.prefix)


def table(texts, times, errors, sizes):
    def median(benchmark):
        return statistics.median(times[benchmark]) if benchmark in times else None

    yield "| function | compile ms | least | first call us | call us | code bytes |"
    yield "|---|--:|--:|--:|--:|--:|"
    for name in texts:
        if f"compile/{name}" in errors:
            yield f"| {name} | does not compile | | | | |"
            continue
        compile_us = f"compile/{name}"
        yield (f"| {name} | {number(median(compile_us) / 1000)} "
               f"| {number(min(times[compile_us]) / 1000)} "
               f"| {number(median(f'first_call/{name}'))} "
               f"| {number(median(f'run/{name}'), 3)} | {number(sizes[name], 0)} |")


def summary(options, texts, times, errors):
    compiled = {name: statistics.median(times[f"compile/{name}"]) / 1000 for name in texts
                if f"compile/{name}" in times}
    yield ""
    if compiled:
        slow = {n: t for n, t in compiled.items() if t > options.outlier}
        yield (f"Median compilation: {number(statistics.median(compiled.values()))} ms; above "
               f"{options.outlier:g} ms: "
               + (", ".join(f"{n} ({number(t)} ms)" for n, t in slow.items()) or "none") + ".")
    floor = times.get(f"run/w_{FLOOR}")
    if floor is not None:
        yield f"A call on 1x1x4x4 through the JIT's entry: {number(min(floor), 3)} us."
    for name, message in errors.items():
        yield f"{name}: {message.strip().splitlines()[0]}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="WORKLOADS.json",
                        help="default: workloads.json beside this script")
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--path", default="vector", help="default: vector")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="only functions whose name contains TEXT")
    parser.add_argument("--repetitions", type=int, default=5, help="default: 5")
    parser.add_argument("--outlier", type=float, default=50, metavar="MS",
                        help="list functions that take longer to compile (default: 50)")
    parser.add_argument("--markdown", type=Path, metavar="FILE",
                        help="also write the table to FILE")
    options = parser.parse_args()
    try:
        toolchain = native.Toolchain(options.build)
        if not toolchain.has_path(options.path):
            raise native.Failure(f"{toolchain.pool_opt} has no path={options.path}")
        if not (toolchain.build / "bin" / "pool-benchmark").exists():
            raise native.Failure("pool-benchmark was not built: is Google Benchmark installed?")
        texts = subjects(options)
        with tempfile.TemporaryDirectory(prefix="pool-bench-") as directory:
            times, errors = measure(options, toolchain, texts, directory)
            sizes = {name: code_bytes(toolchain, name, text, options.path, directory)
                     for name, text in texts.items()}
    except (BadWorkload, native.Failure) as error:
        print(f"costs.py: {error}", file=sys.stderr)
        return 1
    lines = [*table(texts, times, errors, sizes), *summary(options, texts, times, errors)]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.markdown:
        command = "benchmarks/costs.py " + " ".join(sys.argv[1:])
        options.markdown.write_text(f"Made by\n\n    {command}\n\n{text}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
