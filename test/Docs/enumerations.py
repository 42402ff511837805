# RUN: %python %s %src_root
"""A new enumerant in PoolEnums.td must be added to every file that lists the enumeration. This
test fails until it is.

The C++ compiler warns of a switch that lacks the new enumerant. This test finds the rest:

- Lists of enumerants, for every enumeration. The test prints each file in PLACES that has
  such a list. The file must spell all enumerants, unless OMITTED has a reason.
- Comparisons with one enumerant. They treat a new enumerant like all others, which may be
  wrong. So they are errors in C++ and TableGen files, except in the folder EXEMPT. Enumerations
  in UNRESTRICTED may be compared.

The test begins with itself: it adds an enumerant to each enumeration in a copy of the text, and
every list of that enumeration must be reported.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
from pathlib import Path

DEFINITIONS = Path("include/pool/Dialect/Pool/IR/PoolEnums.td")
HEADER = "include/pool-c/Dialect.h"
GENERATORS = "test/Integration/pooltest/generators.py"
PLACES = {"python": {".py", ".pyi", ".h", ".cpp"}, "include/pool": {".td"},
          "include/pool-c": {".h"}, "lib/Import": {".h", ".cpp"},
          "docs/Reference/Semantics.md": {".md"}, GENERATORS: {".py"},
          "test/Integration/pooltest/oracle.py": {".py"},
          "test/Integration/pooltest/fast_oracle.py": {".py"},
          "test/Integration/pooltest/rules.py": {".py"}}
# Enumerants that are also ordinary words. They do not show that a file lists an enumeration.
COMMON = {"floor", "ceil", "explicit", "valid", "input", "ignore", "kernel", "max", "min", "sum"}
# Enumerants that are also names of attributes and operands.
NAMES = {"input", "kernel"}
# Enumerants that a place leaves out, and the reason.
OMITTED = {
    ("AutoPad", "include/pool/Dialect/Pool/IR/PoolOps.td"): (
        ["explicit", "same_lower"], "examples"),
    ("AutoPad", "python/pool_mlir/_tflite.py"): (
        ["explicit", "same_lower"], "TFLite has SAME and VALID only"),
    ("AutoPad", "test/Integration/pooltest/rules.py"): (
        ["explicit"], "explicit pads need no rule"),
    ("IntegerRounding", "test/Integration/pooltest/oracle.py"): (
        ["half_up"], "the last line of round_quotient"),
    ("NanMode", GENERATORS): (["ignore"], "the default"),
    ("PadValue", GENERATORS): (["neg_inf", "pos_inf"], "never chosen, which is the default"),
    ("PadValue", "python/pool_mlir/dask/_functions.py"): (["zero"], "no default"),
    ("RoundingType", "python/pool_mlir/onnx/windows.py"): (["ceil"], "no ceil_mode of ONNX"),
}
# Matches a comparison with an enumerant. Code must call the functions in PoolEnums.h instead,
# so that somebody who adds an enumerant has only these functions to change.
COMPARED = re.compile(r"[!=]=\s*(?:pool::)?(\w+)::\w+|(\w+)::\w+\s*[!=]=")
UNRESTRICTED = {"Reduction"}
# Folder whose code may compare enumerants: for an unknown enumerant, it takes a slower way.
EXEMPT = "lib/Conversion/PoolToVector"


def get_enumerations(definitions):
    return {name: re.findall(r'<"\w+", \d+, "(\w+)"', body)
            for name, body in re.findall(r'Pool_Enum<"(\w+)",(.*?)\]>;', definitions, re.DOTALL)}


def read(root, folders):
    for folder, suffixes in folders.items():
        for path in sorted([root / folder, *(root / folder).rglob("*")]):
            if path.suffix in suffixes and path.relative_to(root) != DEFINITIONS:
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def spells(text, word):
    return re.search(rf"(?<![\w-]){word}(?![\w-])", text)


def get_values(text, name, words):
    """Returns the words that `text` uses as values of the enumeration `name`: after the
    attribute's name, in a row with another value, or in quotes if they are no NAMES."""
    attribute = re.sub(r"(?<=.)([A-Z])", r"_\1", name).lower()
    value = "|".join(words)
    return {word for word in words
            if re.search(rf"\b(?:{attribute}\W{{1,6}}|(?:{value})\W{{1,4}}){word}\b"
                         rf"|\b{word}\W{{1,4}}(?:{value})\b", text)
            or (word not in NAMES and re.search(rf"""['"`]{word}['"`]""", text))}


def is_list(path, values):
    # The generator of cases spells only values that differ from the default.
    return values - COMMON and (len(values) > 1 or path == GENERATORS)


def find_lists(files, enumerations):
    """Returns the places that list enumerants, as pairs of enumeration and path."""
    return [(name, path) for name, words in enumerations.items() for path, text in files.items()
            if is_list(path, get_values(text, name, words))]


def check_lists(files, enumerations, lists):
    for name, path in lists:
        omitted, _ = OMITTED.get((name, path), ((), ""))
        missing = [word for word in enumerations[name] if not spells(files[path], word)]
        unexplained = [word for word in missing if word not in omitted]
        if unexplained:
            yield f"{path}: spells enumerants of {name}, but not {', '.join(unexplained)}"
        for word in omitted:
            if word not in missing:
                yield f"{path}: spells {word} of {name}, remove it from OMITTED"
    for name, path in sorted(set(OMITTED) - set(lists)):
        yield f"{path}: lists no enumerants of {name}, remove it from OMITTED"


def check_comparisons(root, enumerations):
    sources = {".h", ".cpp", ".td"}
    for path, text in read(root, {folder: sources
                                  for folder in ("include", "lib", "tools", "python")}):
        if path.startswith(EXEMPT):
            continue
        for match in COMPARED.finditer(text):
            name = match[1] or match[2]
            if name in enumerations and name not in UNRESTRICTED:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: compares with an enumerant of {name}"


def test_itself(definitions, files, lists):
    """Adds an enumerant to each enumeration, and requires an error for each of its lists."""
    for name in get_enumerations(definitions):
        extended, count = re.subn(
            rf'(Pool_Enum<"{name}",.*?)\]>;',
            r'\1, Pool_Case<"Added", 99, "added_case", "for this test">]>;',
            definitions, count=1, flags=re.DOTALL)
        assert count == 1, name
        errors = list(check_lists(files, get_enumerations(extended), lists))
        expected = [path for listed, path in lists if listed == name]
        assert HEADER in expected, f"{name}: {HEADER} has no list of it"
        assert errors == [f"{path}: spells enumerants of {name}, but not added_case"
                          for path in expected], (name, errors)


if __name__ == "__main__":
    root = Path(sys.argv[1])
    definitions = (root / DEFINITIONS).read_text(encoding="utf-8")
    enumerations = get_enumerations(definitions)
    files = dict(read(root, PLACES))
    lists = find_lists(files, enumerations)
    for name, path in lists:
        print(f"{name}: {path}", *OMITTED.get((name, path), ("", ""))[1:])
    errors = [*check_lists(files, enumerations, lists), *check_comparisons(root, enumerations)]
    if errors:
        sys.exit("\n".join(errors))
    test_itself(definitions, files, lists)
