"""One process of the comparison: all workloads with one number of threads.

Each number of threads has its own process, because several libraries fix the number when they
are loaded. The process writes its results after every workload. If a library ends the process,
only the current workload is lost.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from . import native
from .rounds import Plan, run_rounds
from .truth import Truth


class Context:
    """Facts that peers need: threads, harness, our own variants, a directory."""

    def __init__(self, options, directory):
        self.threads = options.worker
        self.isa = options.isa
        self.directory = Path(directory)
        self.toolchain = native.Toolchain(options.build)
        self.harness = native.Harness(self.toolchain, Path(options.build) / "benchmarks")
        self.variants = {}
        for name, build, pipeline in options.variants:
            toolchain = self.toolchain if build is None else native.Toolchain(build)
            self.variants[name] = (toolchain, pipeline)


def say(text):
    print(text, file=sys.stderr, flush=True)


class Worker:
    """Runs the workloads and stores the results."""

    def __init__(self, options, workloads, directory):
        self.options = options
        self.workloads = workloads
        self.context = Context(options, directory)
        self.peers = []
        self.results = {"threads": options.worker, "versions": {}, "absent": {},
                        "workloads": []}

    def load_peers(self):
        import peers  # pylint: disable=import-outside-toplevel
        from peers.base import Unsupported  # pylint: disable=import-outside-toplevel
        from peers.limits import Limits  # pylint: disable=import-outside-toplevel
        from peers.own import Own  # pylint: disable=import-outside-toplevel
        self.unsupported = Unsupported
        self.own = Own(self.context)
        self.peers = [self.own]
        if self.options.limits:
            self.peers.append(Limits(self.context))
        for name in self.options.peers:
            try:
                peer = peers.load(name, self.context)
            except (ImportError, OSError, Unsupported, native.Failure) as error:
                self.results["absent"][name] = str(error).splitlines()[0]
                say(f"  {name} is not there: {str(error).splitlines()[0][:100]}")
                continue
            self.peers.append(peer)
            self.results["versions"][name] = peer.version()

    def run(self):
        self.load_peers()
        total = len(self.options.selected)
        for number, name in enumerate(self.options.selected, 1):
            say(f"[{number}/{total}] {name}, {self.context.threads} thread"
                f"{'s' if self.context.threads > 1 else ''}")
            self.results["workloads"].append(self.measure(self.workloads[name]))
            partial = self.options.worker_output.with_suffix(".part")
            partial.write_text(json.dumps(self.results), encoding="utf-8")
            partial.replace(self.options.worker_output)

    def measure(self, workload):
        x = workload.make_input()
        truth = Truth(workload.case, x)
        contestants, rows = {}, {}
        for peer in self.peers:
            for name in peer.names:
                chosen = self.options.contestants
                if chosen and name not in chosen and not peer.always:
                    continue
                rows[name] = self.enter(peer, name, workload, x, truth, contestants)
        if workload.beside:
            other = self.workloads[workload.beside]
            y = other.make_input()
            name = self.own.names[0]
            label = f"{name}:{other.name}"
            rows[label] = self.enter(self.own, name, other, y, Truth(other.case, y), contestants,
                                     label)
            rows[label]["beside"] = True
        plan = Plan(self.options.rounds, self.options.turn_us, self.options.seconds,
                    self.options.rest_ms)
        first_us = {name: rows[name]["first_call_us"] for name in contestants}
        times = run_rounds(contestants, first_us, plan) if contestants else {}
        for name, figures in times.items():
            rows[name].update(figures)
        self.say_times(rows, times)
        for name, contestant in contestants.items():
            if contestant.is_own and not rows[name].get("beside"):
                # Check again: an error may occur only after many calls.
                self.check(rows[name], name, contestant, truth)
            contestant.close()
        return {"name": workload.name, "bytes": workload.bytes_in + workload.bytes_out,
                "at_least": workload.at_least, "within_limit": workload.within_limit,
                "beside": workload.beside, "within_beside": workload.within_beside,
                "contestants": rows}

    @staticmethod
    def say_times(rows, times):
        """Prints the least times, fastest first, limits last."""
        order = sorted(times, key=lambda n: (rows[n]["limit"], times[n]["min_us"]))
        say("  " + ", ".join(f"{n} {times[n]['min_us']:.4g}" for n in order) + " us")

    def enter(self, peer, name, workload, x, truth, contestants, label=None):
        """Prepares a contestant, calls it once and checks it; returns its row."""
        label = label or name
        row = {"status": "ok", "own": peer is self.own}
        if sys.stderr.isatty():
            print(f"  preparing {label:24}", end="\r", file=sys.stderr, flush=True)
        begin = time.perf_counter()
        try:
            contestant = peer.prepare(name, workload, x)
            prepared = time.perf_counter()
            contestant.call()
        except self.unsupported as reason:
            row.update(status="unsupported", detail=str(reason))
            say(f"  {label:24} not supported: {str(reason)[:160]}")
            return row
        except Exception as error:  # whatever a library may raise
            row.update(status="failed", detail=f"{type(error).__name__}: {error}")
            say(f"  {label:24} failed: {row['detail'][:160]}")
            return row
        row["prepare_ms"] = (prepared - begin) * 1e3
        row["first_call_us"] = (time.perf_counter() - prepared) * 1e6
        row["same_layout"] = contestant.same_layout
        row["limit"] = contestant.is_limit
        row["kept_to_isa"] = peer.obeys_isa or not self.context.isa
        if not contestant.is_limit:
            self.check(row, label, contestant, truth)
        contestants[label] = contestant
        return row

    def check(self, row, name, contestant, truth):
        values, indices = contestant.result()
        if name == self.options.plant_error:
            values = values.copy()
            values.flat[values.size // 2] = 1 if values.flat[values.size // 2] != 1 else 2
        fault = truth.fault(values, indices)
        if fault and row["status"] == "ok":
            row.update(status="wrong", detail=fault)
            say(f"  {name:24} WRONG: {fault}")


def work(options, workloads):
    """Runs the worker process."""
    np.seterr(all="ignore")
    with tempfile.TemporaryDirectory(prefix="pool-bench-") as directory:
        Worker(options, workloads, directory).run()
