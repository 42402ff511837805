# RUN: %python %src_root/conformance/scripts/make_status.py --check
# RUN: %python %s %src_root/conformance/scripts
# UNEXPLORED: it runs no problem.
"""The status page is that of its data, which has every path and door and today's vectors. Each
fault that the pages claim of others names a system and a vector that exist."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

from pool_conformance.registry import adapters, vectors

sys.path.insert(0, sys.argv[1])
import claims  # noqa: E402

names = {vector.name for vector in vectors()}
known = adapters()
for system, vector, claim in claims.CLAIMS:
    assert system in known, system
    assert vector in names, vector
