"""Measures a kernel's costs other than its run time: compiling it, calling it, its size.

Covers the functions of ops.mlir and every workload of workloads.json, in one process by
pool-benchmark. Prints the median and the least time to lower and compile a kernel in a warm
process. Also prints the time of the first call and of later calls, and the bytes of machine code.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re
import statistics

from measure import native
from measure.report import FLOOR, number
from measure.workloads import FILES, read_files

ROUNDS = 5
TAKES_FILES = True
KIND = "function"
UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}


def functions_of(text):
    """Returns {name: text} of a module's functions. Each must begin a line with
    `func.func`."""
    return {re.match(r"func\.func @(\w+)", part).group(1): part
            for part in re.split(r"^(?=func\.func )", text, flags=re.MULTILINE)[1:]}


def add_options(parser):
    parser.add_argument("--path", default="vector", help="default: vector")
    parser.add_argument("--outlier", type=float, default=50, metavar="MS",
                        help="list functions that take longer to compile (default: 50)")


def rows(options):
    """Returns {function name: its text}: first the operations, then the workloads."""
    result = functions_of(FILES[0].with_name("ops.mlir").read_text(encoding="utf-8"))
    for name, workload in read_files(options.files or FILES[:1]).items():
        symbol = "w_" + re.sub(r"\W", "_", name)
        result[symbol] = workload.function(symbol)
    return result


def measure(options, toolchain, texts):
    """Returns {benchmark name: microseconds of each repetition} and {benchmark name:
    error}."""
    module = options.directory / "kernels.mlir"
    module.write_text("\n".join(texts.values()), encoding="utf-8")
    output = native.run([
        toolchain.build / "bin" / "pool-benchmark", module, f"--path={options.path}",
        f"--benchmark_repetitions={options.rounds}",
        "--benchmark_min_time=0.02", "--benchmark_format=json"])
    times, errors = {}, {}
    for one in json.loads(output)["benchmarks"]:
        name = "/".join(one["name"].split("/")[:2])
        if one.get("error_occurred"):
            errors[name] = one["error_message"]
        elif one["run_type"] == "iteration":
            times.setdefault(name, []).append(one["real_time"] * UNITS[one["time_unit"]])
    return times, errors


def code_bytes(options, toolchain, name, text):
    """Returns the bytes of machine code of one function, or None if it does not compile."""
    library = options.directory / f"{name}.so"
    try:
        toolchain.compile(toolchain.lower(text, f"path={options.path} c-wrappers=false"), library)
    except native.Failure:
        return None
    return native.text_bytes(library, toolchain.prefix)


def run(chosen, options, report):
    toolchain = native.Toolchain(options.build)
    if not toolchain.has_path(options.path):
        raise native.Failure(f"{toolchain.pool_opt} has no path={options.path}")
    if not (toolchain.build / "bin" / "pool-benchmark").exists():
        raise native.Failure("pool-benchmark was not built: is Google Benchmark installed?")
    times, errors = measure(options, toolchain, chosen)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    report.header("function", "compile ms", "least", "first call us", "call us", "code bytes")
    for name, text in chosen.items():
        if f"compile/{name}" in errors:
            report.row(name, "does not compile", "", "", "", "")
            continue
        compiled, first, call = (f"{kind}/{name}" for kind in ("compile", "first_call", "run"))
        size = code_bytes(options, toolchain, name, text)
        report.row(name, number(medians[compiled] / 1000), number(min(times[compiled]) / 1000),
                   number(medians.get(first)), number(medians.get(call), 3), number(size, 0),
                   compile_us=times[compiled], first_us=medians.get(first),
                   call_us=medians.get(call), code_bytes=size)
    report.line()
    compiled = {name: medians[f"compile/{name}"] / 1000 for name in chosen
                if f"compile/{name}" in times}
    if compiled:
        slow = [f"{n} ({number(t)} ms)" for n, t in compiled.items() if t > options.outlier]
        report.line(f"Median compilation: {number(statistics.median(compiled.values()))} ms; above "
                    f"{options.outlier:g} ms: {', '.join(slow) or 'none'}.")
    if floor := times.get(f"run/w_{FLOOR}"):
        report.line("A call on 1x1x4x4 through the JIT's entry: "
                    f"{number(min(floor), 3)} us.")
    for name, message in errors.items():
        report.line(f"{name}: {message.strip().splitlines()[0]}")
