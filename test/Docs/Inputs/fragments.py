"""Completes fragments of MLIR to modules; pool-opt's errors say what is missing.

A fragment uses values that it does not define. It becomes a function with these values as
arguments. In a first run, pool-opt reports each undeclared value with its place, and the
value gets a guessed type. In the next run, pool-opt reports the type that the value's use
expects. All fragments of a page go to pool-opt together, until pool-opt reports nothing more
to add.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

MAX_ROUNDS = 24
UNDECLARED = re.compile(r"^<stdin>:(\d+):(\d+): error: use of undeclared SSA value name",
                        re.MULTILINE)
MISTYPED = re.compile(r"^<stdin>:(\d+):\d+: error: use of value '(%[\w.$-]+)' expects different "
                      r"type than prior uses: '(.*)' vs '(.*)'$", re.MULTILINE)
ERROR = re.compile(r"^<stdin>:(\d+):\d+: error: .*$", re.MULTILINE)
CONSTANT = re.compile(r"%c\d+")
NAME = re.compile(r"%[\w.$-]+")
SEPARATOR = "// -----\n"


class Fragment:
    def __init__(self, text):
        self.arguments = {}
        self.error = None
        lines = text.splitlines(keepends=True)
        self.aliases = "".join(line for line in lines if re.match(r"[#!]\w+ = ", line))
        self.body = "".join(line for line in lines if not re.match(r"[#!]\w+ = ", line))
        # The text is complete if it begins with a module or a function, perhaps after comments.
        self.is_module = re.match(r"(?:\s*//.*\n)*\s*((gpu\.)?module|\S*func(\.func)?|llvm\.func)\b",
                                  self.body) is not None
        self.is_llvm = "llvm." in self.body
        self.guess = "!llvm.ptr" if self.is_llvm else "none"

    def is_constant(self, name):
        return CONSTANT.fullmatch(name) and self.arguments[name] == "index"

    @property
    def constants(self):
        """Returns definitions of constants such as %c2, whose names contain their values."""
        return "".join(f"{name} = arith.constant {name[2:]} : index\n"
                       for name in self.arguments if self.is_constant(name))

    def get_module(self):
        if self.is_module:
            return self.aliases + self.body
        arguments = ", ".join(f"{name}: {type_}" for name, type_ in self.arguments.items()
                              if not self.is_constant(name))
        kind, end = ("llvm.func", "llvm.return") if self.is_llvm else ("func.func", "return")
        end = "" if re.search(rf"^\s*{end}\b", self.body, re.MULTILINE) else end + "\n"
        return (f"{self.aliases}{kind} @example({arguments}) {{\n"
                f"{self.constants}{self.body}{end}}}\n")


def complete(texts, pool_opt):
    """Returns each text as a Fragment. The Fragment's module parses and verifies, or the
    Fragment has an error.

    `pool_opt(text, *options)` runs pool-opt and returns the finished process.
    """
    fragments = [Fragment(text) for text in texts]
    for _ in range(MAX_ROUNDS):
        modules = [fragment.get_module() for fragment in fragments]
        errors = pool_opt(SEPARATOR.join(modules), "--split-input-file").stderr
        first_lines = []
        line = 1
        for module in modules:
            first_lines.append(line)
            line += module.count("\n") + 1
        if not improve(fragments, modules, first_lines, errors):
            break
    return fragments


def improve(fragments, modules, first_lines, errors):
    """Adds the arguments and types that `errors` asks for. Returns False if it added none."""
    def find(line):
        return max(i for i, first in enumerate(first_lines) if first <= line)

    improved = False
    for line, column in UNDECLARED.findall(errors):
        i = find(int(line))
        text = modules[i].splitlines()[int(line) - first_lines[i]]
        name = NAME.match(text, int(column) - 1).group()
        if not fragments[i].is_module:
            improved |= name not in fragments[i].arguments
            fragments[i].arguments.setdefault(name, fragments[i].guess)
    for line, name, type_, prior in MISTYPED.findall(errors):
        fragment = fragments[find(int(line))]
        if fragment.arguments.get(name) == fragment.guess == prior:
            fragment.arguments[name] = type_
            improved = True
    for fragment in fragments:
        fragment.error = None
    for match in ERROR.finditer(errors):
        fragment = fragments[find(int(match.group(1)))]
        fragment.error = fragment.error or match.group()
    return improved
