# UNSUPPORTED: sanitizer
# RUN: env POOL_BUILD_DIR=%build_dir %python %s %src_root --cc=%host_cc --cxx=%cxx --mlir-include=%mlir_include
"""Every example on the pages must work, or a list must say why it is not run.

The fenced blocks of the pages (Inputs/blocks.py finds the pages) are handled by language:

- `mlir`: parses, verifies, and prints to text that parses back to the same. A fragment becomes
  a function that has its undefined values as arguments. In docs/Reference/Passes.md, each pass
  runs on the first block of its section. The result must have the kinds of operations that the
  second block shows, and equal pooling operations.
- `console`: the commands run one after the other in a folder of their page. Each prints the
  output that the page shows.
- `c`, `cpp`: compiles.
- `diff`: applies to the tree, and the sources that it changes compile. The quick tier leaves
  out `c`, `cpp` and `diff`.
- `json`: is a file of workloads for the benchmarks.
- `pycon`, `python`: runs (with `--python`, which python-examples.test gives).

A block of `cmake` or `cpp` whose first line is a comment with a file's name becomes this file.
The page's commands then build it. Such pages need an installed package, so they run only with
`--package`, which test/Package/pages.test gives.

Inputs/recipes.py lists what examples need, and the examples that are not run, with the
reason. A block of any other language, or without a language, is an error.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import doctest
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "Inputs"), str(HERE.parent / "Integration")]
# pylint: disable=wrong-import-position
import recipes  # noqa: E402
from blocks import blocks, commands, pages  # noqa: E402
from fragments import complete  # noqa: E402
from pooltest import tier  # noqa: E402
from pooltest.report import Report, main  # noqa: E402
from pooltest.tools import pool_opt  # noqa: E402

TIMEOUT_SECONDS = 300
OPERATION = re.compile(r'"([a-z_]+\.[\w.]+)"\(')
# Matches operations that must equal those on the page, except for the names of values.
COMPARED = re.compile(r'"(?:pool|tosa)\.\w+"\(.*')
BENCHMARK_NOTE = "workloads read"
# Matches the first line of a block that is a whole file.
FILE_NAME = re.compile(r"(?:#|//) (CMakeLists\.txt|[\w-]+\.cpp)")
# Matches what pool-run prints during a long measurement, and on a busy machine during a short one.
PROGRESS = re.compile(r"^pool-run: \d+ of \d+ calls\n", re.MULTILINE)
# Languages whose blocks take seconds each
SLOW = ("c", "cpp", "diff")


@functools.cache
def get_help(script, *groups):
    return subprocess.run([sys.executable, script, *groups, "--help"], text=True,
                          capture_output=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
                          check=False).stdout


class Examples:
    def __init__(self, options):
        self.root = options.root
        self.options = options
        self.report = Report("examples")
        self.used = set()
        self.sessions = {}

    def find(self, table, page, text):
        """Returns the entry of `table` for this page whose key is a prefix of `text`, or None."""
        for key, value in table.items():
            if key[0] == page and text.startswith(key[1]):
                self.used.add((id(table), key))
                return value
        return None

    def is_elsewhere(self, block):
        for (page, language), test in recipes.ELSEWHERE.items():
            if re.fullmatch(page, block.page) and re.fullmatch(language, block.language):
                self.report.expect((self.root / test).exists(), f"{block.where}: no {test}")
                self.report.count(f"blocks of {test}")
                self.used.add((id(recipes.ELSEWHERE), (page, language)))
                return True
        return False

    def check_unused(self):
        for table in (recipes.ELSEWHERE, recipes.NOT_RUN, recipes.COMMANDS_NOT_RUN,
                      recipes.SAVED, recipes.SHOWN, recipes.AROUND, recipes.FILES):
            for key in table:
                if self.is_taken(key[0]):
                    self.report.expect((id(table), key) in self.used or self.options.python,
                                       f"recipes.py: nothing is like {key}")

    def is_taken(self, page):
        return (page in recipes.PACKAGE_PAGES) == bool(self.options.package)

    def run_page(self, page):
        found = collections.defaultdict(list)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for source in ("benchmarks", "docs", "examples", "include", "scripts", "test"):
                (folder / source).symlink_to(self.root / source)
            (folder / "build").symlink_to(Path(os.environ["POOL_BUILD_DIR"]).resolve())
            model = next(b.text for b in blocks(self.root, "docs/Guides/ImportOpenVINO.md")
                         if b.language == "xml")
            recipes.prepare(page, folder, self.root, model)
            self.add_tools(folder)
            self.write_files(page, folder)
            for block in blocks(self.root, page):
                if self.is_elsewhere(block):
                    continue
                if self.find(recipes.NOT_RUN, page, block.first_line) or (
                        page == "docs/Reference/Passes.md" and recipes.STATISTIC.match(block.first_line)):
                    self.report.count("blocks that are not run")
                    continue
                if block.language == "mlir":
                    found["mlir"].append(block)
                    continue
                self.run_block(block, folder)
        if found["mlir"] and not self.options.python:
            self.run_mlir(page, found["mlir"])

    def write_files(self, page, folder):
        """Writes the blocks that are whole files, before any command builds them."""
        for block in blocks(self.root, page):
            name = FILE_NAME.fullmatch(block.first_line)
            if name:
                (folder / name.group(1)).write_text(block.text)
                self.report.count("files written")

    def add_tools(self, folder):
        """Links tools under the names that the pages use, where this machine has other
        names."""
        (folder / "tools").mkdir()
        for name, other in (("cc", self.options.cc), ("readelf", "llvm-readelf"),
                            ("mlir-opt-22", "mlir-opt"), ("mlir-translate-22", "mlir-translate")):
            found = shutil.which(other)
            if found and not shutil.which(name):
                (folder / "tools" / name).symlink_to(found)

    def run_block(self, block, folder):
        if FILE_NAME.fullmatch(block.first_line):
            return
        saved = self.find(recipes.SAVED, block.page, block.first_line)
        if saved:
            (folder / saved).write_text(block.text)
            (folder / saved).chmod(0o755)
            self.report.count("blocks that a command takes")
            return
        runners = {"console": self.run_console, "c": self.compile, "cpp": self.compile,
                   "diff": self.apply, "json": self.read_workloads, "pycon": self.run_session,
                   "python": self.run_python}
        runner = runners.get(block.language)
        if tier.NAME == "quick" and block.language in SLOW:
            self.report.count("blocks left to higher tiers")
            for table in (recipes.SHOWN, recipes.AROUND):
                self.find(table, block.page, block.first_line)
        elif runner:
            runner(block, folder)
        else:
            self.report.mismatch(f"{block.where}: a block of the language '{block.language}' "
                                 "is neither run nor listed", block.text)

    # MLIR

    def run_mlir(self, page, found):
        fragments = complete([block.text for block in found], pool_opt)
        modules = []
        for block, fragment in zip(found, fragments):
            module = fragment.get_module()
            modules.append(module)
            if not self.report.expect(not fragment.error, f"{block.where}: refused", module,
                                      error=fragment.error):
                return
            self.report.count("modules parsed and verified")
        for block, module in zip(found, modules):
            once = pool_opt(module).stdout
            self.report.expect(pool_opt(once).stdout == once, f"{block.where}: no round trip", once)
        if page == "docs/Reference/Passes.md":
            self.run_passes(found, modules)

    def run_passes(self, found, modules):
        """Runs each pass on the first of the two blocks in its section, and compares the result
        with the second."""
        lines = (self.root / "docs/Reference/Passes.md").read_text().splitlines()
        sections = collections.defaultdict(list)
        for block, module in zip(found, modules):
            heading = next(line for line in reversed(lines[:block.line]) if line.startswith("## "))
            sections[heading.strip("#` -")].append((block, module))
        for name, pair in sections.items():
            if not self.report.expect(len(pair) == 2, f"{name}: not one block before, one after"):
                continue
            self.run_pass(name, *pair[0], pair[1][1])

    def run_pass(self, name, block, before, after):
        options = recipes.PASS_OPTIONS.get(name)
        made = pool_opt(before, f"--{name}" + (f"={options}" if options else ""),
                        "--mlir-print-op-generic",
                        *(["--allow-unregistered-dialect"] if "stablehlo" in name
                          and '"stablehlo.' not in before else []))
        shown = pool_opt(after, "--mlir-print-op-generic").stdout
        names = [set(OPERATION.findall(text)) for text in (made.stdout, shown)]
        self.report.expect(
            made.returncode == 0 and names[0] == names[1],
            f"{block.where}: not what {name} gives", made.stdout, shown=shown, error=made.stderr)
        pooling = [sorted(re.sub(r"%[\w:#]+", "%", line) for line in COMPARED.findall(text))
                   for text in (made.stdout, shown)]
        self.report.expect(pooling[0] == pooling[1], f"{block.where}: not what {name} gives",
                           "\n".join(pooling[0]), shown="\n".join(pooling[1]))
        self.report.count("passes run on their examples")

    # Commands

    def run_console(self, block, folder):
        python = block.text.startswith("$ python ")
        for name, text in (self.find(recipes.FILES, block.page, block.text[2:]) or {}).items():
            (folder / name).write_text(text)
        for command in commands(block.text):
            if command.text.startswith("cat "):
                (folder / command.text.split()[1]).write_text(command.output)
            elif self.find(recipes.COMMANDS_NOT_RUN, block.page, command.text):
                if not self.options.python:
                    self.check_program(block.where, command.text)
                self.report.count("commands that are not run")
            elif python == self.options.python:
                self.run_command(block, command, folder)

    def check_program(self, where, command):
        """Checks a Python command without running it: the script must exist and have the
        command's options."""
        words = [word for word in shlex.split(command, comments=True) if "=" not in word
                 or word.startswith("-")]
        if words[0].endswith("/python"):
            words = words[1:]
        if not words[0].endswith(".py"):
            return
        script = self.root / words[0]
        if not self.report.expect(script.exists(), f"{where}: no {words[0]}"):
            return
        # A group of benchmarks has options of its own.
        groups = words[1:2] if script.match("benchmarks/run.py") else []
        text = get_help(script, *groups)
        for word in words[1:]:
            option = word.split("=")[0]
            self.report.expect(not word.startswith("--") or re.search(rf"{option}\b", text),
                               f"{where}: {words[0]} has no {option}")
        self.report.count("programs that have the options")

    def check_table(self, page):
        """Checks the Python commands that a page has in backticks."""
        for code in re.findall(r"`([^`\n]+)`", (self.root / page).read_text()):
            if re.search(r"/python \S+\.py", code):
                self.check_program(page, code)

    def run_command(self, block, command, folder):
        path = [folder / "build/bin", folder / "tools", Path(sys.executable).parent, os.environ["PATH"]]
        environment = {**os.environ, "PATH": os.pathsep.join(map(str, path)),
                       "PKG_CONFIG_PATH": str(folder)}
        if self.options.package:
            environment.update(HOME=str(self.options.package.resolve()), CC=self.options.cc,
                               CXX=self.options.cxx, LDFLAGS="-fuse-ld=lld")
        process = subprocess.run(["bash", "-e", "-c", command.text], cwd=folder, env=environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 timeout=TIMEOUT_SECONDS, check=False)
        actual = PROGRESS.sub("", process.stdout).strip()
        expected = command.output.strip()
        figures = self.find(recipes.FIGURES, block.page, command.text)
        if figures:
            actual, expected = (
                re.sub(" +", " ", re.sub(figures, "#", text, flags=re.MULTILINE))
                for text in (actual, expected))
        same = not expected or actual == expected
        self.report.expect(process.returncode == 0 and same, f"{block.where}: {command.text}",
                           actual, expected=expected, exit_code=process.returncode)
        self.report.count("commands run")

    # C and C++

    def compile(self, block, folder):
        if self.options.python:
            return
        shown = self.find(recipes.SHOWN, block.page, block.first_line)
        if shown:
            self.report.expect(block.text in (folder / shown).read_text(),
                               f"{block.where}: not in {shown}", block.text)
            self.report.count("blocks that stand in what was made")
            return
        text = block.text
        around = self.find(recipes.AROUND, block.page, block.first_line)
        if around:
            text = around % recipes.STATEMENTS.sub(
                lambda match: "void f(mlir::DialectRegistry &registry) {\n"
                f"{match.group()}}}\n", text)
        self.check_syntax(block, text)

    def check_syntax(self, block, text, includes=()):
        """Checks that `text` compiles; `includes` are searched before the tree's
        folders."""
        folders = [*includes, f"{self.root}/include", f"{os.environ['POOL_BUILD_DIR']}/include"]
        compiler = ([self.options.cc, "-std=c99", "-xc"] if block.language == "c" else
                    [self.options.cxx, "-std=c++17", "-xc++"])
        process = subprocess.run([*compiler, "-fsyntax-only", "-Wall", "-Werror",
                                  *(f"-I{folder}" for folder in folders),
                                  "-isystem", self.options.mlir_include, "-"],
                                 input=text, text=True, capture_output=True, check=False)
        self.report.expect(process.returncode == 0, f"{block.where}: does not compile", text,
                           error=process.stderr)
        self.report.count("blocks compiled")

    def apply(self, block, _):
        """Applies a diff that changes passes, generates the passes' declarations again, and
        compiles the changed sources."""
        if self.options.python:
            return
        names = re.findall(r"^\+\+\+ b/(.*)$", block.text, re.MULTILINE)
        with tempfile.TemporaryDirectory() as directory:
            copy = Path(directory)
            for name in names:
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.root / name, copy / name)
            process = subprocess.run(["git", "apply", "-"], input=block.text, cwd=copy, text=True,
                                     capture_output=True, check=False)
            if not self.report.expect(process.returncode == 0, f"{block.where}: does not apply",
                                      block.text, error=process.stderr):
                return
            for passes in copy.rglob("Passes.td"):
                made = re.sub(r".*-name (\w+).*", r"\1", next(
                    line for line in (self.root / passes.relative_to(copy)).with_name(
                        "CMakeLists.txt").read_text().splitlines() if "-gen-pass-decls" in line))
                subprocess.run(["mlir-tblgen", "-gen-pass-decls", f"-name={made}",
                                f"-I{self.options.mlir_include}", f"-I{self.root}/include", passes,
                                "-o", passes.with_suffix(".h.inc")], check=True)
            for source in copy.rglob("*.cpp"):
                self.check_syntax(block, source.read_text(), [copy / "include"])

    # Data and Python

    def read_workloads(self, block, folder):
        if self.options.python:
            return
        (folder / "mine.json").write_text(block.text)
        json.loads(block.text)
        program = ("import sys; from pathlib import Path; sys.path[:0] = ['benchmarks']; "
                   "import measure; from measure.workloads import read_workloads; "
                   "print(len(read_workloads(Path('mine.json'))))")
        process = subprocess.run([sys.executable, "-c", program], cwd=folder, text=True,
                                 capture_output=True, check=False)
        self.report.expect(process.returncode == 0, f"{block.where}: no workloads", block.text,
                           error=process.stderr)
        self.report.count(BENCHMARK_NOTE)

    def run_session(self, block, folder):
        if not self.options.python:
            return
        # The blocks of a page share one session.
        names = self.sessions.setdefault(block.page, {})
        test = doctest.DocTestParser().get_doctest(block.text, names, block.where, block.page,
                                                   block.line)
        output = []
        runner = doctest.DocTestRunner(verbose=False)
        os.chdir(folder)
        runner.run(test, out=output.append, clear_globs=False)
        names.update(test.globs)
        self.report.expect(runner.failures == 0 and runner.tries > 0,
                           f"{block.where}: not as it says", "".join(output))
        self.report.count("lines of sessions run", runner.tries)

    def run_python(self, block, folder):
        if not self.options.python:
            return
        os.chdir(folder)
        try:
            exec(compile(block.text, block.where, "exec"),  # pylint: disable=exec-used
                 recipes.namespace(block.page))
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.report.mismatch(f"{block.where}: {type(error).__name__}", block.text, error=error)
        self.report.count("blocks of Python run")


def run():
    parser = argparse.ArgumentParser(description="Runs the examples of the documentation.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--mlir-include", default="/usr/include")
    parser.add_argument("--python", action="store_true",
                        help="only examples that need the Python module")
    parser.add_argument("--package", type=Path, metavar="HOME",
                        help="only pages that need an installed package; HOME/pool has it")
    options = parser.parse_args()
    options.root = options.root.resolve()
    examples = Examples(options)
    for page in pages(options.root):
        if not examples.is_taken(page):
            examples.report.count("pages that another test runs")
            continue
        examples.run_page(page)
        if not options.python:
            examples.check_table(page)
    examples.check_unused()
    report = examples.report
    if options.package:
        report.require_counted("files written", "commands run")
    elif options.python:
        report.require_counted("lines of sessions run", "blocks of Python run", "commands run")
    else:
        compiled = ("blocks left to higher tiers" if tier.NAME == "quick" else "blocks compiled")
        report.require_counted("modules parsed and verified", "passes run on their examples",
                               "commands run", compiled, BENCHMARK_NOTE)
    return report.finish()


if __name__ == "__main__":
    main(run)
