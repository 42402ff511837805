#!/usr/bin/env python3
"""Counts habits that make sentences hard to read.

It reads comments, docstrings, descriptions in .td files, and Markdown outside of code
and tables. It is a proxy, not a judge: it misses sentences that are hard for other
reasons, and some that it names are fine. So nobody has to mend a single sentence, but
the share of hard ones must not grow.

usage: prose.py [ROOT]                  for each kind in LIMITS: number of sentences,
                                        share of hard ones, how often each habit occurs
       prose.py [ROOT] --check          fails if a share exceeds its limit
       prose.py [ROOT] --change BASE    hard sentences that the work tree adds to BASE
       prose.py [ROOT] --examples SEED  four examples of each habit, drawn by SEED

Exit code 0, 1 if a limit is exceeded, 2 for a wrong command line.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import ast
import collections
import io
import pathlib
import random
import re
import subprocess
import sys
import tokenize

# Allowed percentage of hard sentences of each kind. A folder may be a kind of its own.
# Lower a limit when the share has fallen; never raise one.
LIMITS = {"code": 3, "lib/Conversion/PoolToVector": 3, "docs": 5, "tests": 3}

HABITS = {
    "begins with Of": r"^Of\b(?! course)",
    "begins with What": r"^What(ever)?\b(?!.*\?$)",
    "begins with Those, That of, The same": r"^(Those|That of|The same)\b",
    "'what' as a noun": r"\b(of|for|from|by|with|to|is|and|than|as|on|in)\s+what\b(?!.*\?$)"
                        r"|[,;] what\b(?!.*\?$)",
    "'those that', 'that of'": r"\b(those|that) (that|which|of|who)\b",
    "of which": r"\bof which\b",
    "more than 30 words": r"^(\S+\s+){30,}\S+$",
}
# Matches data, history, and pages that tblgen writes from .td files, which are read instead.
SKIPPED = re.compile(r"test/data/|docs/Reference/(Operations|Passes)\.md|CHANGELOG|LICENSE")
FENCE = re.compile(r"^[ ]*(```|~~~).*?^[ ]*\1", re.MULTILINE | re.DOTALL)
# Matches the beginning of a paragraph: a heading, a list item, a table row, an example.
BREAK = re.compile(r"\s*([-*+]\s|\d+\.\s|#+\s|\||>>>|\$ )")
NO_PROSE = re.compile(r"\s*(\||>>>|\$ |<!--)")
C_STRING_OR_COMMENT = re.compile(
    r'\[\{.*?\}\]|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
# Lines for lit or FileCheck, and separators
DIRECTIVE = re.compile(r"\s*([A-Z][A-Z0-9_-]*(\{[A-Z]+\})?:|-{3,}|={3,}|expected-)")


def blank(match):
    """Replaces `match` by its line breaks only, so that line numbers stay."""
    return "\n" * match[0].count("\n")


def paragraphs(text, first=1):
    """Yields lists of (line number, line) without code and tables."""
    run = []
    for number, line in enumerate(FENCE.sub(blank, text).split("\n") + [""], first):
        if not line.strip() or BREAK.match(line):
            if run:
                yield run
            run = []
        if line.strip() and not NO_PROSE.match(line):
            run.append((number, line))


def joined(comments):
    """Yields paragraphs of (line number, text): comments on adjacent lines belong
    together."""
    run = []
    for number, text in [*comments, (None, "")]:
        if run and (number is None or number > run[-1][0] + 1):
            yield from paragraphs("\n".join(line for _, line in run), run[0][0])
            run = []
        if number is not None:
            run.append((number, "" if DIRECTIVE.match(text) else text))


def c_comments(text):
    """Returns a pair: (line number, text) of each comment line, and the text without
    comments."""
    found = []

    def take(match):
        if match[0][0] != "/":
            return match[0]
        number = text.count("\n", 0, match.start()) + 1
        for line in match[0].removesuffix("*/").split("\n"):
            found.append((number, re.sub(r"^\s*(//[/!]?<?|/?\*+!?)\s?", "", line)))
            number += 1
        return blank(match)

    return found, C_STRING_OR_COMMENT.sub(take, text)


def td_strings(text):
    """Yields descriptions and summaries, as [{...}] or as strings; adjacent strings are
    one."""
    for match in re.finditer(r"\[\{(.*?)\}\]", text, re.DOTALL):
        if re.search(r"[dD]escription = $|summary = $", text[: match.start()]):
            yield text.count("\n", 0, match.start(1)) + 1, match[1]
    text = re.sub(r"\[\{.*?\}\]", blank, text, flags=re.DOTALL)
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*', text):
        # Skip strings that are code: prose has four words in a row without parentheses.
        words = re.sub(r'"\s*\n\s*"', "\n", match[0])[1:-1]
        if re.match(r"[A-Z]?[a-z,'-]+( [\w,.;:'-]+){3}", words) and "::" not in words:
            yield text.count("\n", 0, match.start()) + 1, words


def python_blocks(text):
    try:
        tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, tokenize.TokenError):
        return
    yield from joined([(token.start[0], re.sub(r"^#+\s?", "", token.string))
                       for token in tokens
                       if token.type == tokenize.COMMENT and not token.string.startswith("#!")])
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(node, clean=False):
                string = node.body[0].value
                yield from paragraphs(string.value, string.lineno)


def language(name, text):
    suffix = pathlib.PurePath(name).suffix
    if suffix in (".h", ".cpp", ".c", ".td", ".mlir", ".def"):
        return "c"
    if suffix in (".py", ".pyi"):
        return "python"
    if suffix == ".md":
        return "markdown"
    if suffix in (".sh", ".cmake", ".toml", ".yml", ".yaml", ".cfg") or text.startswith("#!") or (
            pathlib.PurePath(name).name in ("CMakeLists.txt", "Makefile", "Dockerfile")):
        return "hashes"
    return None


def blocks(name, text):
    """Yields paragraphs of prose as lists of (line number, text)."""
    kind = language(name, text)
    if kind == "c":
        comments, code = c_comments(text)
        yield from joined(comments)
        if name.endswith(".td"):
            for number, string in td_strings(code):
                yield from paragraphs(string, number)
    elif kind == "python":
        yield from python_blocks(text)
    elif kind == "markdown":
        yield from paragraphs(text)
    elif kind == "hashes":
        yield from joined([(number, match[1]) for number, line in enumerate(text.split("\n"), 1)
                           if (match := re.match(r"\s*#+\s?([^!].*|)$", line))])


def sentences(block):
    """Yields (first line, last line, text) of each sentence."""
    words = [(number, word) for number, line in block
             for word in re.sub(r"^\s*([-*+]|\d+\.|#+)\s", "", line).split()]
    begin = 0
    in_code = False
    for i, (number, word) in enumerate(words):
        in_code ^= word.count("`") % 2 == 1
        last = i + 1 == len(words)
        ends = re.search(r"[.:?!][)\"'*`]*$", word) and not last and (
            re.match(r"[A-Z`*\[\"(\d-]", words[i + 1][1]))
        if last or ends and not in_code:
            yield words[begin][0], number, " ".join(w for _, w in words[begin : i + 1])
            begin = i + 1


def habits(sentence):
    """Returns the names of the sentence's habits, or None if it is no sentence."""
    if len(sentence.split()) < 3 or re.match("SPDX|usage:", sentence):
        return None
    # Inline code counts as one word.
    plain = re.sub(r"`[^`]*`", "`x`", sentence)
    return [name for name, pattern in HABITS.items() if re.search(pattern, plain)]


def kind_of(name):
    if name.endswith(".md"):
        return "docs"
    if name.startswith(("test/", "unittests/")):
        return "tests"
    folders = (kind for kind in LIMITS if name.startswith(kind + "/"))
    return next(folders, "code")


def git(root, *arguments):
    return subprocess.run(["git", *arguments], cwd=root, text=True, capture_output=True,
                          check=True).stdout


def added_lines(root, base):
    """Maps each file to the numbers of its lines that `base` does not have."""
    added = collections.defaultdict(set)
    name = None
    for line in git(root, "diff", "-U0", "--no-ext-diff", base).split("\n"):
        if line.startswith("+++ "):
            name = line[6:] if line.startswith("+++ b/") else None
        match = re.match(r"@@ .* \+(\d+)(?:,(\d+))? @@", line)
        if match and name:
            first, count = int(match[1]), int(match[2] if match[2] else 1)
            added[name].update(range(first, first + count))
    return added


class Report:
    def __init__(self):
        self.count = collections.Counter()
        self.hard = collections.Counter()
        self.by_habit = collections.Counter()
        self.found = []

    def read(self, name, text, lines=None):
        """Counts the sentences of a file; with `lines`, only sentences on one of these
        lines."""
        kind = kind_of(name)
        for block in blocks(name, text):
            for first, last, sentence in sentences(block):
                names = habits(sentence)
                if names is None or lines and not lines.intersection(range(first, last + 1)):
                    continue
                self.count[kind] += 1
                self.hard[kind] += bool(names)
                self.by_habit.update((kind, habit) for habit in names)
                if names:
                    self.found.append((f"{name}:{first}", sentence, names))

    def share(self, kind):
        return 100 * self.hard[kind] / max(1, self.count[kind])

    def summary(self):
        for kind in LIMITS:
            counts = ", ".join(f"{habit} {self.by_habit[kind, habit]}" for habit in HABITS)
            yield f"{kind}: {self.count[kind]} sentences, {self.share(kind):.1f} % hard ({counts})"

    def excess(self):
        for kind, limit in LIMITS.items():
            if self.share(kind) > limit:
                yield (f"{kind}: {self.share(kind):.1f} % of {self.count[kind]} sentences are "
                       f"hard to read, more than {limit} %")

    def changes(self):
        for where, sentence, names in self.found:
            yield f"{where}: {sentence[:160]}   [{'; '.join(names)}]"

    def examples(self, seed):
        rng = random.Random(seed)
        for habit in HABITS:
            lines = [f"  {where}: {sentence[:160]}" for where, sentence, names in self.found
                     if habit in names]
            yield "\n".join([f"## {habit}", *rng.sample(lines, min(4, len(lines)))])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("SPDX")[0], formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true")
    modes.add_argument("--change", metavar="BASE")
    modes.add_argument("--examples", metavar="SEED", type=int)
    options = parser.parse_args()
    try:
        names = git(options.root, "ls-files", "-z").split("\0")
        added = added_lines(options.root, options.change) if options.change else {}
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"prose.py: {getattr(error, 'stderr', '') or error}", file=sys.stderr)
        return 2
    report = Report()
    for name in names:
        path = options.root / name
        if SKIPPED.match(name) or not path.is_file() or path.is_symlink():
            continue
        if options.change and name not in added:
            continue
        report.read(name, path.read_text(errors="ignore"), added.get(name))
    if options.change:
        lines = report.changes()
    elif options.examples is not None:
        lines = report.examples(options.examples)
    else:
        lines = report.excess() if options.check else report.summary()
    lines = list(lines)
    print(*lines, sep="\n", end="\n" if lines else "")
    if options.check and lines:
        print("scripts/prose.py --change origin/main lists the hard sentences of a change")
    return 1 if options.check and lines else 0


if __name__ == "__main__":
    sys.exit(main())
