# RUN: %mpirun -n 1 %doors_python -m mpi4py %s %src_root/docs/Guides/ScaleOverMPI.md
# RUN: %mpirun -n 4 %doors_python -m mpi4py %s %src_root/docs/Guides/ScaleOverMPI.md
# RUN: %doors_python %src_root/benchmarks/run.py mpi --build %build_dir --megabytes 1 \
# RUN:   --seconds 0 | FileCheck %s
"""Runs the program of docs/Guides/ScaleOverMPI.md, and its benchmark once at a small size."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# CHECK:      2-D, 3x3, a block of 1x16x128x128 f32 on each rank
# CHECK:      between two ranks here: {{.*}} us, {{.*}} GB/s
# CHECK-NEXT: ranks  grid
# CHECK-NEXT: 1  1x1  0.0 KiB  0
# CHECK-NEXT: 2  2x1  8.0 KiB  1
# CHECK:      4096  64x64 {{.*}} 8
# CHECK:      3-D, 3x3x3 / 2, a block of 1x1x64x64x64 f32 on each rank
# CHECK:      4096  16x16x16 {{.*}} 7

import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as page:
        programs = re.findall(r"```python\n(.*?)```", page.read(), re.DOTALL)
    assert programs
    for program in programs:
        exec(compile(program, sys.argv[1], "exec"), {})


if __name__ == "__main__":
    main()
