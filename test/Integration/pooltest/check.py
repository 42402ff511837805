"""Compares our answers and the peers' answers with the oracle."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass, field
from typing import Optional

import numpy as np

from . import compare, onnxruntime_values, openvino_values, oracle

PEERS = (openvino_values, onnxruntime_values)
# Reason that the report counts if a peer has no code for a case on this processor.
NO_CODE = "not asked: it has no code for this processor"


@dataclass
class Job:
    """A case with its data, and the answers so far by source."""

    case: object
    kind: str
    x: np.ndarray
    truth: object = None
    answers: dict = field(default_factory=dict)
    peers: dict = field(default_factory=dict)
    pretty: bool = False

    def text(self, name="f"):
        """Returns the case as a function, in generic or pretty form."""
        shape = self.truth.values.shape if self.case.is_extremum else self.truth.exact.shape
        return self.case.function(name, self.case.dynamic_output_shape(shape), self.pretty)

    def results(self):
        """Returns the NumPy types of the results."""
        types = [self.case.dtype]
        if self.case.index_type:
            types.append(np.dtype(f"int{self.case.index_type[1:]}"))
        return types


def ask_peers(jobs, report):
    """Fills `job.peers`. The report counts the cases that a peer does not support, by reason."""
    for peer in PEERS:
        asked, values = [], peer.Values()
        for job in jobs:
            reason = ("no peer has min_pool" if job.case.op == "min_pool"
                      else peer.why_not(job.case, job.x))
            if reason:
                report.count(f"{peer.NAME} not asked: {reason}")
            else:
                values.add(job.case, job.x)
                asked.append(job)
        for job, answer in zip(asked, values.run()):
            if answer is None:
                report.count(f"{peer.NAME} {NO_CODE}")
                continue
            job.peers[peer.NAME] = answer
            report.count(f"{peer.NAME} compared: {job.case.op} {job.case.element_type}")


def check_job(job, report):
    """Compares our answers and the peers' answers for the job with the oracle."""
    for source, arrays in job.answers.items():
        if not report.expect(arrays is not None, f"{source}: no output", job.text(),
                             data=job.x.tolist()):
            continue
        if job.case.is_extremum:
            check_maxima(job, source, arrays, report)
        else:
            check_averages(job, source, arrays, report)
        report.count(f"{source}: compared with the oracle")
    for peer in PEERS:
        if peer.NAME in job.peers:
            if job.case.is_extremum:
                check_peer_maxima(job, peer, report)
            else:
                check_peer_averages(job, peer, report)


def mismatch(job, report, title, expected, actual, **more):
    report.mismatch(f"{title}: {job.case}", job.text(), data_kind=job.kind,
                    data=repr(job.x.tolist()), expected=expected, actual=actual, **more)


def check_maxima(job, source, arrays, report):
    truth = job.truth
    good = compare.same_shape_and_type(arrays[0], truth.values.shape, job.case.dtype)
    if not good or not compare.same_values(arrays[0], truth.values).all():
        mismatch(job, report, f"{source}: values", truth.values, arrays[0])
    if truth.indices is not None and not (
            compare.same_shape_and_type(arrays[1], truth.indices.shape, truth.indices.dtype)
            and np.array_equal(arrays[1], truth.indices)):
        mismatch(job, report, f"{source}: indices", truth.indices, arrays[1])


def check_averages(job, source, arrays, report):
    truth = job.truth
    if not compare.same_shape_and_type(arrays[0], truth.exact.shape, job.case.dtype):
        mismatch(job, report, f"{source}: shape or type", truth.exact, arrays[0])
    elif not job.case.is_float:
        if not np.array_equal(arrays[0], truth.exact):
            mismatch(job, report, f"{source}: integer averages", truth.exact, arrays[0])
    else:
        bound = compare.float_bound(job.case, truth)
        if not compare.within(arrays[0], truth.exact, bound, job.case).all():
            mismatch(job, report, f"{source}: averages", truth.exact, arrays[0], bound=bound)
        what = "a norm" if job.case.op == "lp_pool" else "an average"
        report.measure(f"largest error of {what} over its bound: {source} "
                       f"{job.case.element_type}",
                       compare.share_of_bound(arrays[0], truth.exact, bound))


def check_peer_maxima(job, peer, report):
    """Compares the peer's answer with the oracle's. Our own answers were compared with the
    oracle's before."""
    truth = job.truth
    values, indices = job.peers[peer.NAME]
    forgiven, forgiven_indices = peer.known_difference(job.case, job.x, truth, values, indices)
    equal = compare.same_values(values, truth.values.astype(values.dtype))
    if not (equal | forgiven).all():
        mismatch(job, report, f"{peer.NAME}: values", truth.values, values)
    report.difference(f"{peer.KNOWN_DIFFERENCE}: values", int((forgiven & ~equal).sum()))
    if indices is None:
        return
    equal = indices == truth.indices
    if not (equal | forgiven_indices).all():
        mismatch(job, report, f"{peer.NAME}: indices", truth.indices, indices)
    report.difference(f"{peer.KNOWN_DIFFERENCE}: indices",
                      int((forgiven_indices & ~equal).sum()))


def check_peer_averages(job, peer, report):
    truth, values = job.truth, job.peers[peer.NAME][0]
    if not job.case.is_float:
        if not np.array_equal(values.astype(object), truth.exact.astype(object)):
            mismatch(job, report, f"{peer.NAME}: integer averages", truth.exact, values)
        return
    # OpenVINO, the only peer with averages of f64, computes them in f32, so apply f32's bound.
    narrowed = job.case.element_type == "f64"
    case = job.case.with_(element_type="f32") if narrowed else job.case
    bound = compare.float_bound(case, truth)
    if not compare.within(values, truth.exact, bound, case).all():
        mismatch(job, report, f"{peer.NAME}: averages", truth.exact, values, bound=bound)
