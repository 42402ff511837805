#!/usr/bin/env python3
"""Times this project's kernels and other libraries' in one run.

The contestants compute every workload in turns of many short rounds; the least and the
median of all calls are kept. First NumPy checks a contestant's results. A contestant with
wrong results is named and does not compete.

Contestants: `pool` (this build, --path), `linalg` (this build, upstream's linalg lowering),
`affine` (affine loops), the peers that this Python has (OpenVINO, ONNX Runtime, torch,
...), and the limits of this machine: copying and reading as many bytes.

    compare.py --build build                            everything, both tables
    compare.py --only resnet_stem --peers none          one kernel and the limits
    compare.py --only spp_ --peers onnxruntime,openvino by part of the name
    compare.py mine.json --threads 1 --json out.json    a file of your own
    compare.py --only vgg --peers none --variant v256='path=vector vector-bits=256'
    compare.py --only vgg --peers none --variant before=path=vector@../other/build

docs/Results/Benchmarks.md says what is measured and how to write a workload.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import datetime
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# pylint: disable=wrong-import-position
from measure import native, report  # noqa: E402  (first: it finds the tests' modules)
import peers  # noqa: E402
from measure.worker import work  # noqa: E402
from measure.workloads import BadWorkload, read_files  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="WORKLOADS.json",
                        help="default: workloads.json and others.json beside this script")
    parser.add_argument("--build", type=Path, default=Path("build"),
                        help="build directory (default: build)")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="only the workload of this name, or all whose name contains it; "
                        "may be given several times")
    parser.add_argument("--peers", default="all", metavar="all|none|NAME,...",
                        help=f"libraries to compare with: {', '.join(peers.PEERS)} (default: all "
                        "that are installed)")
    parser.add_argument("--contestants", default="", metavar="NAME,...",
                        help="only these contestants and the limits")
    parser.add_argument("--path", default="vector",
                        help="the --pool-to-llvm path of the contestant `pool` (default: vector)")
    parser.add_argument("--no-linalg", dest="linalg", action="store_false",
                        help="without the contestants `linalg` and `affine`")
    parser.add_argument("--no-limits", dest="limits", action="store_false",
                        help="without the bandwidth limits")
    parser.add_argument("--variant", action="append", default=[], metavar="NAME=OPTIONS[@BUILD]",
                        help="one more contestant: this project with other --pool-to-llvm "
                        "options, or from another build directory")
    parser.add_argument("--isa", choices=peers.ISAS,
                        help="keep this project, and every peer that has a switch for it, to "
                        "these instructions; others are shown but are no opponents")
    parser.add_argument("--threads", default="1,2", metavar="N,...",
                        help="numbers of threads; each has its own process (default: 1,2)")
    timing = parser.add_argument_group("how long")
    timing.add_argument("--rounds", type=int, default=20, help="default: 20")
    timing.add_argument("--turn-us", type=float, default=5000, metavar="US",
                        help="a contestant's time in a round; at least one call (default: 5000)")
    timing.add_argument("--seconds", type=float, default=3,
                        help="most time for a contestant's calls on a workload; if one call "
                        "takes longer, there is only one (default: 3)")
    timing.add_argument("--rest-ms", type=float, default=2, metavar="MS",
                        help="pause between contestants, so that their threads fall asleep "
                        "(default: 2)")
    output = parser.add_argument_group("output")
    output.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    output.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables to FILE")
    output.add_argument("--plot", type=Path, metavar="FILE",
                        help="draw the ratios as .png or .svg (needs matplotlib)")
    output.add_argument("--list", action="store_true", help="list the workloads and stop")
    parser.add_argument("--plant-error", metavar="CONTESTANT",
                        help="change one of its results, to see that the comparison finds it")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--worker-output", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    complete(options, parser)
    return options


def complete(options, parser):
    """Checks options that argparse cannot; splits lists given as one word."""
    try:
        options.thread_counts = [int(t) for t in options.threads.split(",")]
    except ValueError:
        options.thread_counts = [0]
    if min(options.thread_counts) < 1:
        parser.error(f"--threads {options.threads}: expected positive numbers")
    options.isa = peers.ISAS.get(options.isa)
    if options.rounds < 1 or options.turn_us <= 0 or options.seconds <= 0 or options.rest_ms < 0:
        parser.error("--rounds, --turn-us and --seconds are positive, --rest-ms is not negative")
    if options.peers in ("all", "none"):
        options.peers = list(peers.PEERS) if options.peers == "all" else []
    else:
        options.peers = options.peers.split(",")
        for name in options.peers:
            if name not in peers.PEERS:
                parser.error(f"--peers: '{name}' is none of {', '.join(peers.PEERS)}")
    options.contestants = [n for n in options.contestants.split(",") if n]
    options.variants = [("pool", None, f"path={options.path}")]
    for path in ("linalg", "affine"):
        if options.linalg and options.path != path:
            options.variants.append((path, None, f"path={path}"))
    for text in options.variant:
        name, equals, rest = text.partition("=")
        if not equals or not re.fullmatch(r"[\w.-]+", name):
            parser.error(f"--variant {text}: expected NAME=OPTIONS or NAME=OPTIONS@BUILD")
        pipeline, _, build = rest.partition("@")
        options.variants.append((name, build or None, pipeline))
    names = [name for name, _, _ in options.variants]
    if len(set(names)) != len(names):
        parser.error(f"--variant: a name is given twice: {', '.join(names)}")
    if options.plot and options.plot.suffix not in (".png", ".svg"):
        parser.error(f"--plot {options.plot}: expected .png or .svg")
    for path in (options.json, options.markdown, options.plot):
        if path and not path.parent.is_dir():
            parser.error(f"{path}: there is no directory {path.parent}")


def select(options):
    """Returns (all workloads by name, the selected names)."""
    workloads = read_files(options.files)
    for workload in workloads.values():
        if workload.beside and workload.beside not in workloads:
            raise BadWorkload(f"{workload.name}: there is no workload '{workload.beside}' "
                              "to be timed beside")
    selected = list(workloads)
    if options.only:
        # A complete name selects only that workload.
        wanted = set()
        for text in options.only:
            found = [text] if text in workloads else [n for n in workloads if text in n]
            if not found:
                raise BadWorkload(f"no workload's name contains '{text}'")
            wanted.update(found)
        selected = [name for name in workloads if name in wanted]
    return workloads, selected


def run_worker(options, threads, directory):
    """Returns the measurements of a process with that many threads. Exits with the
    process's code if it failed before it measured anything."""
    output = Path(directory) / f"threads-{threads}.json"
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), NPROC=str(threads),
                       PYTHONDONTWRITEBYTECODE="1")
    if options.isa:
        environment |= options.isa.environment
    # Let waiting threads spin for a millisecond or less. libomp's default is 200 ms, so they
    # would still spin in the next contestant's turn.
    environment.setdefault("KMP_BLOCKTIME", "1")
    environment.setdefault("GOMP_SPINCOUNT", "30000")
    process = subprocess.run(
        [sys.executable, __file__, *sys.argv[1:], "--worker", str(threads),
         "--worker-output", str(output)], env=environment, check=False)
    if not output.exists():
        # With exit code 1, the process has reported its error itself.
        if process.returncode != 1:
            print(f"compare.py: the process for {threads} threads ended with "
                  f"{process.returncode} before it had measured anything", file=sys.stderr)
        sys.exit(1)
    run = json.loads(output.read_text(encoding="utf-8"))
    if process.returncode != 0:
        done = run["workloads"][-1]["name"]
        print(f"compare.py: the process for {threads} threads ended with "
              f"{process.returncode} after {done}", file=sys.stderr)
        run["ended_early"] = process.returncode
    return run


def processor():
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return re.search(r"model name\s*: (.*)", text).group(1)
    except (OSError, AttributeError):
        return platform.machine()


def main():
    options = parse()
    try:
        workloads, options.selected = select(options)
        if options.list:
            for name in options.selected:
                case = workloads[name].case
                print(f"{name:28} {case.op} {'x'.join(map(str, case.shape))} "
                      f"{case.element_type} kernel {list(case.kernel)}")
            return 0
        if options.plot and importlib.util.find_spec("matplotlib") is None:
            raise native.Failure("--plot needs matplotlib, which this Python does not have")
        if options.worker:
            work(options, workloads)
            return 0
        toolchain = native.Toolchain(options.build)
        if not toolchain.has_path(options.path):
            raise native.Failure(f"{toolchain.pool_opt} has no path={options.path}; "
                                 "--path chooses another")
    except (BadWorkload, native.Failure) as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 1
    results = {"command": "benchmarks/compare.py " + " ".join(sys.argv[1:]),
               "date": datetime.date.today().isoformat(), "rounds": options.rounds,
               "machine": {"processor": processor(), "cpus": os.cpu_count()},
               "own": "pool", "runs": []}
    with tempfile.TemporaryDirectory(prefix="pool-bench-") as directory:
        for threads in options.thread_counts:
            run = run_worker(options, threads, directory)
            report.evaluate(run, "pool")
            results["runs"].append(run)
    text = "\n".join(report.markdown(results)) + "\n"
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if options.plot:
        from measure.plot import plot  # pylint: disable=import-outside-toplevel
        plot(results, options.plot)
    return exit_code(results)


def exit_code(results):
    """Returns 1 if a process died, or if this project is wrong or fails."""
    own_fault = any(row["own"] and row["status"] in ("wrong", "failed")
                    for run in results["runs"] for workload in run["workloads"]
                    for row in workload["contestants"].values())
    return 1 if own_fault or any("ended_early" in run for run in results["runs"]) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
