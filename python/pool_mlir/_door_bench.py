"""Code shared by `bench --torch` and `bench --jax`, which time a framework's own functions beside
ours."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import statistics
import time

from . import _plots, _timing


def select(sizes, only):
    """Returns the sizes whose name, their first field, contains `only`. Raises ValueError if there
    is none."""
    selected = [size for size in sizes if only in size[0]]
    if not selected:
        raise ValueError(f"no size has {only!r} in its name; there are "
                         + ", ".join(size[0] for size in sizes))
    return selected


def least(calls, seconds, clock=time.perf_counter, runs=5):
    """Returns the least time of each function in `calls`, in microseconds by `clock`. In each of
    `runs` rounds, a function is repeated for about `seconds / runs`, and its mean time is taken.
    The functions take turns, so that other work on the machine slows all of them alike."""
    counts = []
    for call in calls:
        call()
        start = time.perf_counter()
        call()
        counts.append(max(1, int(seconds / runs / (time.perf_counter() - start))))
    taken = [[] for _ in calls]
    for _ in range(runs):
        for call, count, times in zip(calls, counts, taken):
            start = clock()
            for _ in range(count):
                call()
            times.append((clock() - start) / count)
    return [min(times) * 1e6 for times in taken]


def show(framework, sizes, times, path):
    """Prints a table with a row for each of `sizes`. An entry of `times` has four times in
    microseconds: the framework's and ours without the gradient, then the framework's and ours with
    it. If a file `path` is given, draws the ratios to it."""
    rows = [(size[0], own, our, own / our, own_step, our_step, own_step / our_step)
            for size, (own, our, own_step, our_step) in zip(sizes, times)]
    means = [math.exp(statistics.fmean(math.log(row[i]) for row in rows)) for i in (3, 6)]
    lines = [[row[0], *(f"{row[i]:.0f}" if i % 3 else f"{row[i]:.1f}" for i in range(1, 7))]
             for row in rows]
    lines.append(["geometric mean", "", "", f"{means[0]:.1f}", "", "", f"{means[1]:.1f}"])
    print(_timing.table(["size", f"{framework} us", "ours us", "times as fast",
                         f"with gradient: {framework} us", "ours us", "times as fast"], lines))
    if path:
        plot(framework, rows, path)


def plot(framework, rows, path):
    """Draws bars to the file `path`: how many times as fast as the framework's functions ours are,
    without and with the gradient."""
    figure, axes = _plots.load(path).subplots(figsize=(8, 4))
    places = range(len(rows))
    axes.bar([place - 0.2 for place in places], [row[3] for row in rows], 0.4, label="forward")
    axes.bar([place + 0.2 for place in places], [row[6] for row in rows], 0.4,
             label="forward and backward")
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_ylabel(f"times as fast as {framework}'s own")
    axes.set_xticks(list(places), [row[0] for row in rows], rotation=30, ha="right")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)
