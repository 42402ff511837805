# RUN: %python %s %src_root
"""Finds the places that somebody who adds an enumerant of PoolEnums.td has to change.

The C++ compiler warns of a switch that lacks the new enumerant. This test finds the rest:

- Lists of enumerants, for the enumerations in LISTED. The test prints each file in PLACES
  that has such a list. The file must spell all enumerants, unless PARTIAL has a reason.
- Comparisons with one enumerant. They treat a new enumerant like all others, which may be
  wrong. So they are errors in C++ and TableGen files, except in the folder EXEMPT. Enumerations
  in UNRESTRICTED may be compared.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys
from pathlib import Path

DEFINITIONS = Path("include/pool/Dialect/Pool/IR/PoolEnums.td")
# Enumerations whose enumerants other files list. A file lists them if it contains one of these
# words, which have no other meaning.
LISTED = {"RoundingType": ["ceil_torch"], "AutoPad": ["same_upper", "same_lower"]}
PLACES = {"python": {".py", ".pyi", ".h", ".cpp"}, "include/pool": {".td"},
          "include/pool-c": {".h"}, "lib/Import": {".h", ".cpp"},
          "docs/Reference/Semantics.md": {".md"},
          "test/Integration/pooltest/generators.py": {".py"},
          "test/Integration/pooltest/rules.py": {".py"}}
PARTIAL = {
    ("AutoPad", "include/pool/Dialect/Pool/IR/PoolOps.td"): "examples",
    ("AutoPad", "lib/Import/OpenVINO/PoolingLayers.cpp"): "OpenVINO's own words",
    ("RoundingType", "lib/Import/OpenVINO/PoolingLayers.cpp"): "OpenVINO's own words",
    ("AutoPad", "test/Integration/pooltest/rules.py"): "explicit pads need no rule",
    ("AutoPad", "python/pool_mlir/_tflite.py"): "TFLite has SAME and VALID only",
    ("RoundingType", "python/pool_mlir/onnx/windows.py"): "ONNX has floor and ceil_torch only",
    ("RoundingType", "python/pool_mlir/torch/_ops.py"): "torch has floor and ceil_torch only",
}
# Matches a comparison with an enumerant. Code must call the functions in PoolEnums.h instead,
# so that somebody who adds an enumerant has only these functions to change.
COMPARED = re.compile(r"[!=]=\s*(?:pool::)?(\w+)::\w+|(\w+)::\w+\s*[!=]=")
UNRESTRICTED = {"Reduction"}
# Folder whose code may compare enumerants: for an unknown enumerant, it takes a slower way.
EXEMPT = "lib/Conversion/PoolToVector"


def get_enumerations(root):
    text = (root / DEFINITIONS).read_text(encoding="utf-8")
    definitions = re.findall(r'Pool_Enum<"(\w+)",(.*?)\]>;', text, re.DOTALL)
    return {name: re.findall(r'<"\w+", \d+, "(\w+)"', body)
            for name, body in definitions}


def read(root, folders):
    for folder, suffixes in folders.items():
        for path in sorted([root / folder, *(root / folder).rglob("*")]):
            if path.suffix in suffixes and path.relative_to(root) != DEFINITIONS:
                yield str(path.relative_to(root)), path.read_text(encoding="utf-8")


def spells(text, word):
    return re.search(rf"(?<![\w-]){word}(?![\w-])", text)


def check_lists(root, enumerations):
    used = set()
    for name, words in LISTED.items():
        for path, text in read(root, PLACES):
            if not any(spells(text, word) for word in words):
                continue
            missing = [word for word in enumerations[name] if not spells(text, word)]
            print(f"{name}: {path}", PARTIAL.get((name, path), ""))
            if (name, path) in PARTIAL:
                used.add((name, path))
            elif missing:
                yield f"{path}: spells enumerants of {name}, but not {', '.join(missing)}"
    for name, path in sorted(set(PARTIAL) - used):
        yield f"{path}: spells no enumerant of {name}, remove it from PARTIAL"


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


if __name__ == "__main__":
    root = Path(sys.argv[1])
    enumerations = get_enumerations(root)
    assert all(set(words) < set(enumerations[name]) for name, words in LISTED.items())
    errors = [*check_lists(root, enumerations), *check_comparisons(root, enumerations)]
    if errors:
        sys.exit("\n".join(errors))
