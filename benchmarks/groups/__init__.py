"""Groups of benchmarks, which run.py runs. Each module has:

- A docstring, which `--help` prints.
- `rows(options)`. Returns the rows of its table by name.
- `run(rows, options, report)`. Measures the chosen rows and adds them to the report.

A module may also have:

- `add_options(parser)`. Adds the group's own options.
- `plot(figures, pyplot)`. Returns a figure.
- `work(rows, options)`. Runs in place of `run` if `--worker` is given. The group starts itself by
  `options.command`, its own command line.
- `ROUNDS`, the default of `--rounds`. A group without it refuses that option.
- `TAKES_FILES`, if its rows come from `options.files`.
- `KIND`, a word for a row.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
