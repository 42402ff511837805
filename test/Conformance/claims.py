# RUN: %python %s %src_root/conformance/scripts
# UNEXPLORED: its vectors are fixed.
"""The peers of the tests' environment still have the faults that the pages claim of them: the
vector of each claim does not pass. A peer that is not installed is named and skipped."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

from pool_conformance.compare import judge
from pool_conformance.registry import find_vector
from pool_conformance.runner import CannotRun, System, system_command
from pooltest.report import Report, main

sys.path.insert(0, sys.argv[1])
from claims import CLAIMS  # noqa: E402

# Peers of the tests' environment; the others are in reports/claims.md.
PEERS = ("openvino", "onnxruntime", "onnx-reference", "litert", "litert-reference")


def run():
    report = Report("claims")
    for peer in PEERS:
        try:
            system = System(peer, system_command(peer))
        except CannotRun:
            report.missing.append(peer)
            continue
        for name, vector, claim in CLAIMS:
            if name == peer:
                status, message = judge(find_vector(vector), system.answer(find_vector(vector)))
                report.expect(status in ("differs", "refused", "crash"),
                              f"{peer} no longer shows: {claim}", status=status, message=message)
                report.count(f"{peer} shows a claim")
        system.close()
    return report.finish()


main(run)
