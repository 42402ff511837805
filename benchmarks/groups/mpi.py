"""Measures weak scaling of pool_mlir.mpi: blocks of one size on more and more ranks.

Starts itself under mpirun on each number of ranks. Prints the measurements beside a model,
and the model's curve to 4,096 ranks. The model of a call on P ranks:

    T(P) = S C + O + M L + B / W + 2 ceil(log2 P) L

C is the time of one rank alone for the pieces of the block's result, without messages. S is
the measured factor by which ranks slow each other down when they compute at the same time
without messages. In the curve S is 1, because there each rank has its own memory. O is the
rest of a call on one rank. M and B are the messages and bytes of the rank that receives most,
counted in the partition. L and W are latency and bandwidth between two ranks, measured by
messages of 8 bytes and of a halo's size. In the curve, `--latency` and `--bandwidth` of a
network replace L and W. The model overlaps no communication with computation.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import time

import numpy as np

from measure.native import Failure
from measure.turns import import_pool_mlir

# Name: (shape of one rank's block, which is 1 MiB of f32; arguments). --megabytes enlarges
# the block's spatial dimensions. The whole is cut in spatial dimensions only.
WORKLOADS = {
    "2-D, 3x3": ((1, 16, 128, 128), {"kernel": [3, 3], "strides": [1, 1], "pads_begin": [1, 1],
                                     "pads_end": [1, 1]}),
    "3-D, 3x3x3 / 2": ((1, 1, 64, 64, 64), {"kernel": [3, 3, 3], "strides": [2, 2, 2],
                                            "pads_begin": [1, 1, 1], "pads_end": [1, 1, 1]}),
}
CURVE = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)


def get_grid(ranks, rank):
    """Distributes the prime factors of `ranks` over the spatial dimensions, as evenly as
    possible."""
    grid = [1] * rank
    while ranks > 1:
        factor = next(n for n in range(2, ranks + 1) if ranks % n == 0)
        smallest = min(range(2, rank), key=lambda d: (grid[d], d))
        grid[smallest] *= factor
        ranks //= factor
    return tuple(grid)


def get_workload(name, options):
    """Returns the block's shape and the arguments."""
    block, attributes = WORKLOADS[name]
    factor = options.megabytes ** (1 / (len(block) - 2))
    return (*block[:2], *(round(extent * factor) for extent in block[2:])), attributes


def get_whole(block, grid):
    return tuple(extent * count for extent, count in zip(block, grid))


def get_traffic(plan):
    """Returns the messages and bytes of the rank that receives most, and this rank's number."""
    most = max(range(len(plan)), key=lambda rank: plan[rank].get_moved_bytes())
    part = plan[most]
    name = plan.operands[0]
    count = sum(source.block != part.index for source in part.sources(name))
    return count, part.get_moved_bytes(), most


# Code that runs on the ranks


def get_fastest(functions, comm, seconds):
    """Returns the least seconds of a call of each function. A call starts on all ranks
    together and ends when the slowest rank ends. The functions take turns, so that other
    work of the machine affects all."""
    best = dict.fromkeys(functions, math.inf)
    rounds, end = 0, time.perf_counter() + seconds * len(functions)
    while rounds < 5 or comm.bcast(time.perf_counter() < end, 0):
        for name, function in functions.items():
            comm.Barrier()
            begin = time.perf_counter()
            function()
            best[name] = min(best[name], comm.allreduce(time.perf_counter() - begin, max))
        rounds += 1
    return best


def get_trip(comm, size, rounds=50):
    """Returns the seconds of one message of `size` bytes between ranks 0 and 1."""
    buffer = bytearray(size)
    times = []
    for _ in range(rounds):
        comm.Barrier()
        begin = time.perf_counter()
        if comm.rank == 0:
            comm.Send(buffer, 1)
            comm.Recv(buffer, 1)
        elif comm.rank == 1:
            comm.Recv(buffer, 0)
            comm.Send(buffer, 0)
        times.append((time.perf_counter() - begin) / 2)
    return min(times)


def list_alone(x, attributes):
    """Returns {number of ranks: function} for the curve. A function computes the pieces of the
    rank with the largest halo, and its time is C. Equal shapes share a function."""
    from pool_mlir.mpi import _exchange, _schedule
    known, result = {}, {}
    for ranks in CURVE:
        grid = get_grid(ranks, x.ndim)
        keys = ("max_pool", get_whole(x.shape, grid), grid, x.dtype,
                tuple((name, tuple(value)) for name, value in attributes.items()), (), None)
        _, _, rank = get_traffic(_schedule.make_plan(*keys))
        schedule = _schedule.make_schedule(*keys, rank)
        pieces = (*schedule.interior, *schedule.borders)
        exchange = _exchange.Exchange(schedule, [x])
        for array in exchange.received:
            array.fill(0)
        shapes = tuple(piece.shape for piece in pieces)
        result[ranks] = known.setdefault(
            shapes, lambda e=exchange, p=pieces: list(map(e.compute, p)))
    return result


def work(chosen, options):
    """Measures the chosen rows for one mpirun; rank 0 prints them."""
    from mpi4py import MPI
    pool_mlir = import_pool_mlir(options)
    from pool_mlir import mpi
    comm = MPI.COMM_WORLD
    pool_mlir.set_num_threads(1)
    result = {}
    for name in chosen:
        block, attributes = get_workload(name, options)
        grid = get_grid(comm.size, len(block))
        whole = get_whole(block, grid)
        x = np.random.default_rng(comm.rank).standard_normal(block).astype(np.float32)
        alone = list_alone(x, attributes) if comm.size == 1 else {}
        measured = result[name] = get_fastest({
            "call": lambda: mpi.max_pool(x, grid, whole, **attributes),
            "together": lambda: pool_mlir.max_pool(x, **attributes),
            **{function: function for function in alone.values()}}, comm, options.seconds)
        measured["alone"] = {ranks: measured[function] for ranks, function in alone.items()}
        for function in set(alone.values()):
            del measured[function]
        if comm.size > 1:
            _, size, _ = get_traffic(pool_mlir.partition("max_pool", whole, output_cuts=grid,
                                                         input_cuts=grid, **attributes))
            measured["latency"] = get_trip(comm, 8)
            measured["bandwidth"] = size / max(get_trip(comm, size) - measured["latency"], 1e-9)
    if comm.rank == 0:
        print(json.dumps(result))


# The model


def predict(workload, ranks, one, latency, bandwidth, slowdown=1.0):
    """Returns the model's time for a number of ranks; `one` has the measurements of one
    rank."""
    import pool_mlir
    block, attributes = workload
    grid = get_grid(ranks, len(block))
    plan = pool_mlir.partition("max_pool", get_whole(block, grid), output_cuts=grid,
                               input_cuts=grid, **attributes)
    messages, size, _ = get_traffic(plan)
    # JSON turns keys into strings.
    alone = {int(count): seconds for count, seconds in one["alone"].items()}
    nearest = max(count for count in alone if count <= ranks)
    seconds = (slowdown * alone[nearest] + max(one["call"] - alone[1], 0) + messages * latency
               + size / bandwidth + 2 * math.ceil(math.log2(ranks)) * latency)
    return {"ranks": ranks, "grid": "x".join(map(str, grid[2:])), "messages": messages,
            "bytes": size, "seconds": seconds}


def start(ranks, options):
    """Returns the measurements of `ranks` ranks."""
    # Open MPI refuses root by default, but containers often have no other user.
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = ["mpirun", "--oversubscribe", "-n", str(ranks), sys.executable, "-m", "mpi4py",
               *options.command, "--worker"]
    process = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True,
                             check=False)
    if process.returncode:
        raise Failure(f"mpirun on {ranks} ranks failed")
    return json.loads(process.stdout)


def show(name, measured, options, report):
    """Reports one workload."""
    workload = get_workload(name, options)
    one = measured["1"][name]
    here = next((m[name] for m in measured.values() if "latency" in m[name]), None)
    report.line(f"\n{name}, a block of {'x'.join(map(str, workload[0]))} f32 on each rank")
    if here:
        latency, bandwidth = here["latency"], here["bandwidth"]
        report.line(f"between two ranks here: {latency * 1e6:.1f} us, {bandwidth / 1e9:.2f} GB/s")
        report.line("ranks  grid       halo     msgs  computed by all  call      model     error")
        for ranks, m in measured.items():
            model = predict(workload, int(ranks), one, latency, bandwidth,
                            m[name]["together"] / one["together"])
            call = m[name]["call"]
            report.line(f"{ranks:>5}  {model['grid']:9}{model['bytes'] / 1024:6.1f} KiB"
                        f"{model['messages']:5}{m[name]['together'] * 1e3:12.3f} ms"
                        f"{call * 1e3:10.3f} ms{model['seconds'] * 1e3:7.3f} ms"
                        f"{model['seconds'] / call - 1:+8.0%}")
    report.line(f"model with {options.latency * 1e6:.1f} us and {options.bandwidth / 1e9:.2f} GB/s "
                "for each rank:\nranks  grid         halo        msgs  call         efficiency")
    curve = [predict(workload, ranks, one, options.latency, options.bandwidth)
             for ranks in CURVE]
    for model in curve:
        report.line(f"{model['ranks']:>5}  {model['grid']:9}{model['bytes'] / 1024:8.1f} KiB"
                    f"{model['messages']:6}{model['seconds'] * 1e3:12.3f} ms"
                    f"{curve[0]['seconds'] / model['seconds']:10.0%}")


def add_options(parser):
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2], metavar="N",
                        help="numbers of ranks; 1 is always measured (default: 1 2)")
    parser.add_argument("--megabytes", type=float, default=64, metavar="N",
                        help="extent of each rank's block (default: 64)")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each number of ranks")
    parser.add_argument("--latency", type=float, default=2e-6, metavar="SECONDS",
                        help="latency of the network (default: %(default)s)")
    parser.add_argument("--bandwidth", type=float, default=12.5e9 / 8, metavar="BYTES",
                        help="bytes a second for each rank (default: 100 Gbit/s for 8)")


def rows(_):
    return WORKLOADS


def run(chosen, options, report):
    if importlib.util.find_spec("mpi4py") is None:
        raise Failure("needs mpi4py, which this Python does not have")
    if not shutil.which("mpirun"):
        raise Failure("needs mpirun, of Debian's openmpi-bin")
    import_pool_mlir(options)
    report.figures.update({str(ranks): start(ranks, options)
                           for ranks in sorted({1, *options.ranks})})
    for name in chosen:
        show(name, report.figures, options, report)
