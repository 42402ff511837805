"""Random programs: their parts, their transformations, and their comparison.

`model` has the classes of values, operations and functions. `pools`, `elementwise`, `shapes`
and `control` have the kinds of operations. `facts` tracks how exactly a result is known.
`generate` draws a program, and `plan` draws the program's transformations. `execute` runs the
program and compares its results, and `reduce` makes a failing program smaller.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
