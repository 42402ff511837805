"""Random programs: what they are made of, what is done to them, how they are judged.

`model` has values, operations and functions; `pools`, `elementwise`, `shapes` and
`control` have the operations; `facts` says how exactly a result is known; `generate`
draws a program and `plan` what is done to it; `execute` runs and compares it, and
`reduce` makes a failure small.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
