"""Groups of benchmarks, which run.py runs. Each module has:

- a docstring, which `--help` prints
- `rows(options)`, which returns the rows of its table by name
- `run(rows, options, report)`, which measures the chosen rows and adds them to the report
- optional: `add_options(parser)`; `plot(figures, pyplot)`, which returns a figure; `ROUNDS`, the
  default of `--rounds`, which a group without it refuses; `TAKES_FILES`, if its rows come from
  `options.files`; `KIND`, a word for a row; and `work(rows, options)`, which runs in place of `run`
  if `--worker` is given. `options.command` is the group's own command line, to start itself
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
