"""What benchmarks/tune.py is made of: problems, spaces of plans, races."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
