"""Finds the randomised scripts of a suite of lit, and the command of each.

A script is explored if it takes its seed or its sample from pooltest/tier.py. Its
command is its RUN line, with lit's own substitutions, environment and features. A
script that uses random numbers in another way has a line `UNEXPLORED: reason`.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ast
import os
import pathlib
import re
import runpy
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDED = re.compile(r"\btier\.(seed|sample)\(")
RANDOM = re.compile(r"\b(default_rng|random\.Random|RandomState|manual_seed|random\.seed|PRNGKey)\(")
UNEXPLORED = re.compile(r"^# UNEXPLORED: (.+)", re.MULTILINE)
# Stands for the directory of temporary files, which differs between runs.
TEMPORARY = "/explore-temporary"
UNNAMED = "it draws random numbers without pooltest/tier.py, and no reason is given"
# The position of a tier's size among the arguments of tier.size().
POSITION = {"land": 1, "quick": 2}
# Variables of lit's environment that a repetition by hand does not need
NOT_SHOWN = {"FILECHECK_OPTS", "HOME", "LLVM_DISABLE_CRASH_REPORT", "PATH",
             "PYTHONDONTWRITEBYTECODE", "POOL_TEST_TIER", "POOL_TEST_SEED", "TERM", "TMPDIR"}


class Script:
    """A test script: `commands`, one for each RUN line that starts it. If it is not
    explored, `reason` says why."""

    def __init__(self, name, source, reason=None, commands=(), environment=None, limits=None):
        self.name = name
        self.source = source
        self.reason = reason
        self.commands = list(commands)
        self.environment = environment or {}
        # Tier -> seconds after which lit ends the script
        self.limits = limits or {}

    def counts(self, tier):
        """Returns the options that set the script's number of cases, with the tier's
        numbers. These are options whose default is a call of tier.size()."""
        found = {}
        tree = ast.parse(self.source)
        constants = {target.id: node.value for node in tree.body if isinstance(node, ast.Assign)
                     for target in node.targets if isinstance(target, ast.Name)}
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call)
                    and getattr(node.func, "attr", "") == "add_argument"):
                continue
            for keyword in node.keywords:
                if keyword.arg != "default" or "tier.size(" not in ast.unparse(keyword.value):
                    continue
                try:
                    size = keyword.value.args[POSITION[tier]]
                    number = ast.literal_eval(constants.get(getattr(size, "id", None), size))
                    option = ast.literal_eval(node.args[0])
                except (ValueError, AttributeError, IndexError):
                    continue
                if isinstance(number, int):
                    found[option] = number
        return found

    def command(self, tier, seed):
        """Returns the command of a run, as one line that works in any shell at the root
        of the source tree. The seed chooses one of several RUN lines."""
        shown = {name: value for name, value in sorted(self.environment.items())
                 if name not in NOT_SHOWN and os.environ.get(name) != value}
        return " ".join([f"POOL_TEST_TIER={tier}", f"POOL_TEST_SEED={seed}",
                         *(f"{name}={shorten(value)}" for name, value in shown.items()),
                         self.commands[seed % len(self.commands)]])


def load_lit(executable):
    """Imports lit's modules. Lit's executable adds their folder to sys.path, so it runs
    first."""
    sys.path.insert(1, os.path.dirname(os.path.realpath(executable)))
    runpy.run_path(str(executable))
    # pylint: disable=import-outside-toplevel
    import lit.discovery
    import lit.LitConfig
    import lit.TestRunner
    return lit


def find_scripts(executable, directory):
    """Returns all scripts of the suite in `directory` of the build that use random
    numbers, sorted by name."""
    lit = load_lit(executable)
    # Enable the features of every tier, because the explorer sets sizes itself.
    config = lit.LitConfig.LitConfig(
        progname="explore", path=[], diagnostic_level="error", useValgrind=False,
        valgrindLeakCheck=False, valgrindArgs=[], noExecute=False, debug=False,
        isWindows=False, order="lexical", params={"tier": "all"})
    scripts = []
    for test in lit.discovery.find_tests_for_inputs(config, [str(directory)]):
        path = pathlib.Path(test.getSourcePath())
        if path.suffix == ".py":
            source = path.read_text(encoding="utf-8")
            if SEEDED.search(source) or RANDOM.search(source):
                scripts.append(read_script(lit.TestRunner, test, source))
    return sorted(scripts, key=lambda script: script.name)


def read_script(runner, test, source):
    name, path = "/".join(test.path_in_suite), test.getSourcePath()
    given = UNEXPLORED.search(source)
    if given:
        return Script(name, source, given[1])
    if not SEEDED.search(source):
        return Script(name, source, UNNAMED)
    test.requires += getattr(test.config, "required_features", [])
    lines = runner.parseIntegratedTestScript(test)
    if not isinstance(lines, list):
        return Script(name, source, lines.output)
    lines = runner.applySubstitutions(
        lines, runner.getDefaultSubstitutions(test, TEMPORARY, f"{TEMPORARY}/test"))
    commands = [tidy(line) for line in lines if path in line]
    return Script(name, source, None if commands else "no RUN line starts it", commands,
                  test.config.environment, test.config.pool_time_limits)


def tidy(line):
    """Drops lit's mark of the line, and `env`, which a shell does not need. Arguments
    keep absolute paths, since scripts change their directory."""
    line = shorten(re.sub(r"^%dbg\([^)]*\)\s*(env (?=\w+=))?", "", line).strip())
    line = re.sub(r"(?<= )\$PWD/(?=\S*(python|\.py)( |$))", "", f" {line}")
    return line.strip().replace(TEMPORARY, "${TMPDIR:-/tmp}")


def shorten(value):
    return value.replace(str(ROOT), "$PWD")
