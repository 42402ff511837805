# REQUIRES: python-module
# RUN: %python %s
# UNEXPLORED: its data only has to differ from element to element.
"""The cache of compiled kernels in one process, and calls from many Python threads.

A kernel must be compiled once for each set of properties that shape its code, no matter how many
threads ask. The cache must keep the most recently used kernels. A failure must leave nothing
behind. Calls must release the interpreter's lock.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy as np

import pool_mlir
from pool_mlir import avg_pool, max_pool
from pooltest.errors import raises
from pooltest.report import Report, main

THREADS = 8


def misses(function):
    before = pool_mlir.cache_info()["misses"]
    function()
    return pool_mlir.cache_info()["misses"] - before


def check_keys(report, x):
    """Each of these calls has code of its own; repeated calls compile nothing."""
    calls = [
        lambda: max_pool(x, 2),
        lambda: max_pool(x, 3),
        lambda: max_pool(x, [2, 3]),
        lambda: max_pool(x, 2, 2),
        lambda: max_pool(x, 2, dilations=2),
        lambda: max_pool(x, 2, pads_begin=1),
        lambda: max_pool(x, 2, pads_end=1),
        lambda: max_pool(x, 2, rounding_type="ceil"),
        lambda: max_pool(x, 2, auto_pad="same_upper"),
        lambda: max_pool(x, 2, auto_pad="same_upper", same_output="strided"),
        lambda: max_pool(x, 2, layout="channels_last"),
        lambda: max_pool(x, 2, pad_value="zero"),
        lambda: max_pool(x, 2, nan_mode="propagate"),
        lambda: max_pool(x, 2, return_indices=True),
        lambda: max_pool(x, 2, return_indices=True, index_element_type="i32"),
        lambda: max_pool(x, 2, return_indices=True, axis=2),
        lambda: avg_pool(x, 2),
        lambda: avg_pool(x, 2, divisor_override=5),
        lambda: max_pool(x[:1], 2),
        lambda: max_pool(x[:, :, 1:], 2),
        lambda: max_pool(x.astype(np.float64), 2),
        lambda: max_pool(x.astype(np.float16), 2),
        lambda: max_pool(x.astype(ml_dtypes.bfloat16), 2),
        lambda: max_pool(x.astype(np.int16), 2),
        lambda: max_pool(x.astype(np.uint16), 2),
    ]
    pool_mlir.cache_clear()
    for number, call in enumerate(calls):
        report.expect(misses(call) == 1, f"call {number} is not compiled")
    for number, call in enumerate(calls):
        report.expect(misses(call) == 0, f"call {number} is compiled again")
    # Strides given as [1, 1] count as another kernel than absent ones. A list instead of one
    # number, and an array in another memory order, need no new kernel.
    report.expect(misses(lambda: max_pool(x + 1, (2, 2), strides=np.array([1, 1]))) == 1 and
                  misses(lambda: max_pool(np.asfortranarray(x), [2, 2])) == 0, "other words")
    pool_mlir.set_num_threads(2)
    report.expect(misses(calls[0]) == 1, "another number of threads")
    pool_mlir.set_num_threads(1)
    report.expect(misses(calls[0]) == 0, "the first number of threads")
    report.count("keys", len(calls))


def check_openmp(report):
    """Two threads give bit-equal results, on an image large enough for threads."""
    x = np.random.default_rng(8).standard_normal((1, 32, 128, 128)).astype(np.float32)
    for function in (lambda: max_pool(x, 3, 2, 1, 1, return_indices=True)[1],
                     lambda: avg_pool(x, 3, 2, 1, 1)):
        one = function()
        pool_mlir.set_num_threads(2)
        two = function()
        pool_mlir.set_num_threads(1)
        report.expect(np.array_equal(one, two), "two threads")


def check_bound(report, x):
    pool_mlir.cache_clear()
    pool_mlir.set_cache_size(3)
    for kernel in (1, 2, 3, 4):
        max_pool(x, kernel)
    info = pool_mlir.cache_info()
    report.expect(info == {"hits": 0, "misses": 4, "maxsize": 3, "currsize": 3, "disk": None},
                  "bound", actual=info)
    max_pool(x, 2)
    report.expect(misses(lambda: max_pool(x, 5)) == 1, "a new kernel")
    report.expect(misses(lambda: max_pool(x, 2)) == 0, "what was used last is kept")
    report.expect(misses(lambda: max_pool(x, 3)) == 1, "what was not used is gone")
    pool_mlir.set_cache_size(0)
    report.expect(pool_mlir.cache_info()["currsize"] == 0, "no cache")
    report.expect(misses(lambda: max_pool(x, 2)) == 1 == misses(lambda: max_pool(x, 2)),
                  "without a cache")
    pool_mlir.set_cache_size(256)
    raises(report, ValueError, "the size of the cache must be at least 0, but is -1",
           lambda: pool_mlir.set_cache_size(-1))


def check_failures(report, x):
    pool_mlir.cache_clear()
    for _ in range(3):
        raises(report, ValueError, "(Window.C8)", lambda: max_pool(x, 100))
    report.expect(pool_mlir.cache_info()["currsize"] == 0, "a failure is kept")
    for count in (0, 1025, -1):
        raises(report, ValueError, "the number of threads must be 1 to 1024",
               lambda: pool_mlir.set_num_threads(count))  # pylint: disable=cell-var-from-loop
    report.expect(pool_mlir.get_num_threads() == 1, "threads after an error")


def check_threads(report):
    """Threads ask for the same kernels at once, with arrays of their own."""
    pool_mlir.cache_clear()
    start = threading.Barrier(THREADS)

    def work(seed):
        rng = np.random.default_rng(seed)
        start.wait()
        for number in range(60):
            x = rng.standard_normal((2, 2, 12, 12)).astype(np.float32)
            kernel = 2 + number % 3
            values, indices = max_pool(x, kernel, return_indices=True)
            windows = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), (2, 3))
            if not (np.array_equal(values, windows.max((4, 5))) and
                    np.array_equal(x.reshape(-1)[indices], values)):
                return f"thread {seed}, call {number}"
            try:
                max_pool(x, 13)
                return "no error"
            except ValueError:
                pass
        return None

    with ThreadPoolExecutor(THREADS) as executor:
        failures = [failure for failure in executor.map(work, range(THREADS)) if failure]
    report.expect(not failures, "threads", actual=failures)
    size = pool_mlir.cache_info()["currsize"]
    report.expect(size == 3, "kernels of threads", actual=size)

    def clear():
        for _ in range(50):
            pool_mlir.cache_clear()
            pool_mlir.set_cache_size(2)

    with ThreadPoolExecutor(3) as executor:
        cleared = executor.submit(clear)
        start = threading.Barrier(2)
        failures = [failure for failure in executor.map(work, range(2)) if failure]
        cleared.result()
    report.expect(not failures, "threads while kernels are forgotten", actual=failures)
    pool_mlir.set_cache_size(256)


def count_while(work):
    """Counts how often this thread gets the interpreter's lock while another thread does
    `work`. The switch interval is long, so Python does not take the lock from `work`."""
    started, done, counted = threading.Event(), threading.Event(), 0

    def run():
        started.set()
        work()
        done.set()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        while not done.is_set():
            counted += started.is_set()
            time.sleep(0)
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    return counted


def check_lock(report):
    """If a call kept the lock, this thread would count no more than beside an idle thread, which
    is once or twice."""
    x = np.ones((1, 16, 512, 512), np.float32)
    out = max_pool(x, 9)
    idle = max(count_while(lambda: None) for _ in range(3))
    running = count_while(lambda: [max_pool(x, 9, out=out) for _ in range(20)])
    report.expect(running > idle, "the lock while a kernel runs", actual=(idle, running))
    compiling = count_while(lambda: [max_pool(x[:, :, :5 + i, :5], 3) for i in range(20)])
    report.expect(compiling > idle, "the lock while a kernel is compiled", actual=(idle, compiling))


def run():
    report = Report("cache")
    x = np.random.default_rng(7).standard_normal((2, 3, 9, 8)).astype(np.float32)
    check_keys(report, x)
    check_openmp(report)
    check_bound(report, x)
    check_failures(report, x)
    check_threads(report)
    check_lock(report)
    return report.finish()


main(run)
