# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""Quotients of integer averages must be rounded exactly, both by the reciprocal in floats and by
division.

With kernel 1 and `divisor_override`, the sum is the element itself. So elements of 16 bits take
every value that a sum of 256 elements of 8 bits can have. `make test-all` divides all elements of
16 bits by every divisor from 2 to 256 and by the neighbours of powers of two, in every rounding.
Elements of 32 and 64 bits lie next to ties, and so do the sums of windows at the limits of f32.
Windows at the limits of the types of sums have extreme elements.
lib/Dialect/Pool/Utils/Quotients.cpp says why the arithmetic is exact.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import platform
import tempfile

import numpy as np

from pooltest import check, fast_oracle, tier
from pooltest.case import Case
from pooltest.check import Job
from pooltest.modules import run_jobs
from pooltest.report import Report, main

ROUNDINGS = ("half_even", "half_up", "half_away")
PROCESSORS = ("x86-64-v3", "x86-64") if platform.machine() == "x86_64" else ()
CASES_PER_MODULE = 100


def job_of(case, x):
    job = Job(case, "quotients", x)
    job.truth = fast_oracle.run(case, x)
    return job


def every_sum():
    """Yields cases that divide all elements of 16 bits by many divisors."""
    near_powers = {2**n + more for n in range(9, 32) for more in (-1, 0, 1)}
    divisors = tier.sample([*range(2, 257), *sorted(near_powers)], tier.size(None, 20, 6))
    for number, divisor in enumerate(divisors):
        roundings = ROUNDINGS if tier.IS_FULL else [ROUNDINGS[number % 3]]
        for rounding in roundings:
            for element_type in ("i16", "ui16"):
                dtype = np.dtype(element_type.replace("i", "int"))
                x = np.arange(2**16, dtype=np.uint16).view(dtype).reshape(1, 1, -1)
                yield Case("avg_pool", x.shape, (1,), element_type, integer_rounding=rounding,
                           divisor_override=-divisor if number % 7 == 6 else divisor), x


def near_ties(rng):
    """Yields cases with elements of 32 and 64 bits next to ties. Some elements are exact in a
    float type, and some are not."""
    for number in range(tier.size(600, 30, 6)):
        element_type = ("i32", "ui32", "i64")[number % 3]
        dtype = np.dtype(element_type.replace("i", "int"))
        limits = np.iinfo(dtype)
        divisor = int(rng.integers(2, 2 ** int(rng.integers(2, 31))))
        ties = rng.integers(limits.min // divisor, limits.max // divisor, 4096, dtype)
        twice = 2 * ties.astype(object) * divisor + divisor
        sums = (twice // 2)[:, None] + np.arange(-1, 3)
        x = np.clip(sums, int(limits.min), int(limits.max)).astype(dtype).reshape(1, 1, -1)
        yield Case("avg_pool", x.shape, (1,), element_type, divisor_override=divisor,
                   integer_rounding=ROUNDINGS[number // 3 % 3]), x


def windows_near_ties(rng):
    """Yields windows whose sums lie next to ties. For each element type, the windows go up to
    the largest size for which the reciprocal in f32 is exact. One more size is too large for
    f32."""
    sizes = [("ui16", k) for k in range(17, 34)] + [("i16", k) for k in range(17, 34)]
    sizes += [("ui8", k) for k in (4097, 5000, 8191, 8192, 8193)]
    for number, (element_type, size) in enumerate(tier.sample(sizes, tier.size(None, 5, 2))):
        dtype = np.dtype(element_type.replace("i", "int"))
        limits = np.iinfo(dtype)
        count = 2**20 // size
        sums = rng.integers(limits.min, limits.max, count) * size + size // 2
        sums = np.clip(sums + rng.integers(-1, 3, count), limits.min * size, limits.max * size)
        x = sums[:, None] // size + (np.arange(size) < sums[:, None] % size)
        yield Case("avg_pool", (1, 1, count * size), (size,), element_type, strides=(size,),
                   integer_rounding=ROUNDINGS[number % 3]), x.astype(dtype).reshape(1, 1, -1)


def extreme_windows(rng):
    """Yields windows with extreme elements. Their sizes lie around those at which sums need a
    wider type. Layouts, borders, zero points and extents vary."""
    sizes = [15, 16, 63, 127, 128, 129, 225, 255, 256, 257]
    if tier.IS_FULL:
        sizes += [300, 1025]
    for number, size in enumerate(tier.sample(sizes * 4, tier.size(None, 6, 2))):
        for element_type in ("i8", "ui8", "i16"):
            dtype = np.dtype(element_type.replace("i", "int"))
            limits = np.iinfo(dtype)
            shape = (1, size + 70, 3) if number % 2 else (1, 2, size + 70)
            x = rng.integers(limits.min, limits.max + 1, shape).astype(dtype)
            x[0, 1:, 0 if number % 2 else slice(None)] = rng.choice([limits.min, limits.max])
            zero_point = int(rng.integers(limits.min, limits.max + 1)) if number % 3 == 2 else 0
            yield Case("avg_pool", shape, (size,), element_type,
                       pads_begin=(size // 2,), pads_end=(size // 2,),
                       layout="channels_last" if number % 2 else "channels_first",
                       divisor=("valid", "padded", "kernel")[number % 3],
                       integer_rounding=ROUNDINGS[int(rng.integers(3))],
                       input_zp=zero_point, output_zp=zero_point,
                       dynamic=(1, 2) if number % 4 > 1 else ()), x


def run():
    rng = np.random.default_rng(tier.seed(5))
    report = Report("quotients")
    cases = [*every_sum(), *near_ties(rng), *windows_near_ties(rng),
             *extreme_windows(rng)]
    for start in range(0, len(cases), CASES_PER_MODULE):
        jobs = [job_of(*case) for case in cases[start:start + CASES_PER_MODULE]]
        with tempfile.TemporaryDirectory() as directory:
            run_jobs(jobs, ["--path=vector", "-O1"], directory, report, "vector")
            others = [["--path=linalg"], *(["--path=vector", f"--mcpu={p}"] for p in PROCESSORS)]
            for number, options in enumerate(others):
                run_jobs(jobs[number::len(others)], [*options, "-O1"], directory, report,
                         " ".join(options))
        for job in jobs:
            check.check_job(job, report)
        report.progress(start, len(cases))
    report.expect(report.counts["vector: compared with the oracle"] == len(cases),
                  "some case was not compared")
    return report.finish()


if __name__ == "__main__":
    main(run)
