"""Checks find_loops of benchmarks/groups/steady_loops.py on assembly for RISC-V. It must find the
innermost loop, .LBB0_3. The difficulty: this loop ends in an unconditional jump `j`, and `bltu`
in its middle leaves it for the outer loop, .LBB0_1. A search for backward conditional jumps would
miss it."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

sys.path.insert(0, sys.argv[1])
# pylint: disable=wrong-import-position,import-error
from groups.steady_loops import find_loops  # noqa: E402

ASSEMBLY = """
	vsetivli	zero, 4, e32, m1, ta, ma
	j	.LBB0_2
.LBB0_1:
	vfmax.vf	v8, v8, fa5
	vse32.v	v8, (a2)
	bge	s6, t5, .LBB0_4
.LBB0_2:
	li	a4, 0
.LBB0_3:
	vle32.v	v8, (a5)
	vfmax.vf	v8, v8, fa5
	vse32.v	v8, (a3)
	bltu	s7, s1, .LBB0_1
	vle32.v	v9, (a5)
	vfmax.vf	v9, v9, fa5
	vse32.v	v9, (a3)
	j	.LBB0_3
.LBB0_4:
	ret
"""

steady = max(find_loops(ASSEMBLY, "riscv64", 128), key=lambda loop: loop.rank)
assert (steady.stored, steady.loaded) == (32, 32), steady
