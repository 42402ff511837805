"""Timing of calls, also in turns, and tables of times."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import time

import numpy as np


def times(function, seconds=0.2, least=5):
    """Returns the time of each call of `function`, in seconds. After a warm-up of `seconds / 10`,
    calls it for about `seconds`, but at least `least` times."""
    start = time.perf_counter()
    function()
    while time.perf_counter() - start < seconds / 10:
        function()
    result = []
    start = time.perf_counter()
    while len(result) < least or time.perf_counter() - start < seconds:
        result += calls(function, 1)
    return result


def calls(function, count):
    """Calls `function` `count` times, and returns the time of each call, in seconds."""
    result = []
    for _ in range(count):
        before = time.perf_counter()
        function()
        result.append(time.perf_counter() - before)
    return result


def time_in_turns(calls, seconds, clock=time.perf_counter, runs=5):
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


def bandwidth(numbytes, seconds=0.05):
    """Returns the bandwidth of a copy in bytes per second, where each byte counts twice: it is read
    and written. The copy moves about `numbytes` in this sense, at least 64 KiB. The size matters
    because data that fit a cache are copied faster."""
    size = max(numbytes // 2, 1 << 15)
    source, target = np.ones(size, np.uint8), np.empty(size, np.uint8)
    return 2 * size / min(times(lambda: np.copyto(target, source), seconds))


def microseconds(seconds):
    """Formats a time, which is given in seconds, in microseconds. Uses two decimals below 10, one
    below 100, and otherwise none."""
    return f"{seconds * 1e6:,.{max(0, 2 - max(0, len(str(int(seconds * 1e6))) - 1))}f}"


def select(sizes, only):
    """Returns the sizes whose name, their first field, contains `only`. Raises ValueError if there
    is none."""
    selected = [size for size in sizes if only in size[0]]
    if not selected:
        raise ValueError(f"no size has {only!r} in its name; there are "
                         + ", ".join(size[0] for size in sizes))
    return selected


def table(header, rows):
    """Formats `header` and `rows` as lines of aligned columns. Columns of numbers are aligned to
    the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    numeric = [all(row[i][:1].isdigit() or row[i] in ("", "-") for row in rows)
               for i in range(len(header))]
    return "\n".join("  ".join(
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(row, widths, numeric)).rstrip() for row in [header, *rows])
