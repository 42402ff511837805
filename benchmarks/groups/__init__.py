"""Groups of benchmarks, which run.py runs. Each module has:

- a docstring, which `--help` prints
- `rows(options)`, which returns the rows of its table by name
- `run(rows, options, report)`, which measures the chosen rows and adds them to the report
- optional: `add_options(parser)`; `plot(figures, pyplot)`, which returns a figure; `ROUNDS`, the
  default of `--rounds`; `KIND`, a word for a row; and `work(options)`, which runs in place of `run`
  if `--worker` is given
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
