"""Random programs: their parts, their transformations, and their comparison.

`model` has values, operations and functions. `pools`, `elementwise`, `shapes` and `control`
have the operations. `facts` tracks how exactly a result is known. `generate` draws a
program, and `plan` its transformations. `execute` runs and compares it, and `reduce` makes
a failing program smaller.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
