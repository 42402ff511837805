"""Runs many jobs as one module; runs failing jobs one by one, to name them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import tempfile

from .tools import Batch


def run_jobs(jobs, options, directory, report, name):
    """Fills `job.answers[name]` with the results of pool-run with `options`.

    A module that fails as a whole is halved until each failing function is alone. Each failing
    function is reported as a mismatch.
    """
    with tempfile.TemporaryDirectory(dir=directory) as own:
        batch = Batch(own)
        for number, job in enumerate(jobs):
            entry = f"f{number}"
            batch.add(entry, job.text(entry), [job.x], job.results())
        outputs, process = batch.run(*options)
    if process.returncode != 0 and len(jobs) > 1:
        middle = len(jobs) // 2
        run_jobs(jobs[:middle], options, directory, report, name)
        run_jobs(jobs[middle:], options, directory, report, name)
        return
    for job, arrays in zip(jobs, outputs):
        job.answers[name] = arrays
    if process.returncode != 0:
        report.mismatch(f"pool-run {' '.join(options)}: exit code {process.returncode}",
                        jobs[0].text(), stderr=process.stderr[:2000])
