"""The parts of benchmarks/tune.py: problems, spaces of plans, races."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
