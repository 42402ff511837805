"""Makes and runs TOSA's conformance tests of pooling, in the environment of
test/requirements-tosa.txt. test/Integration/tosa_conformance.py describes the files.

tosa_tests.py build DIRECTORY SEED TESTS BEGIN END [SHAPE]
    draws TESTS tests of types that pool operations have. Writes tests BEGIN to END of these,
    with the results of TOSA's reference model. With BEGIN = 0, also writes tests that the
    import refuses: other types, adaptive pooling, and up to TESTS / 100 of each kind of
    error. These have no results.
tosa_tests.py run DIRECTORY
    runs the modules DIRECTORY/*.back.mlir in the reference model, on the inputs of the tests.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import tosa_reference_model
from conformance import model_files
from generator import tosa_verif_build_tests
from generator.tosa_test_gen import TosaTestGen
from generator.tosa_test_select import TosaTestSelect, TosaTestSelectList

OPT = Path(sys.executable).parent / "tosa-opt"
DTYPES = {"i8": np.int8, "i16": np.int16, "f16": np.float16, "bf16": np.uint16, "f32": np.float32}


class Generator:
    def __init__(self, directory, shape):
        self.directory = directory
        options = ["-o", str(directory), *(["--target-shape", shape] if shape else [])]
        self.options = tosa_verif_build_tests.parseArgs(options)
        self.options.generate_lib_path = model_files.find_tosa_file(
            model_files.TosaFileType.GENERATE_LIBRARY, None, False)
        version = tosa_verif_build_tests._get_tosa_version(self.options.tosa_version_str)
        self.generator = TosaTestGen(self.options, version)
        (directory / "empty.mlir").write_text("module {}\n")

    def tests(self, kind):
        """Returns the tests that `tosa_verif_build_tests --list-tests` lists, by operator."""
        result = {}
        for operator, info in self.generator.TOSA_OP_LIST.items():
            name = self.generator.getOperatorNameStr(operator)
            if re.match("(max|avg)_pool2d", name):
                info.setdefault("selection", {"default": {}})
                tests = TosaTestSelectList(self.generator.TOSA_OP_LIST)
                for arguments in self.generator.genOpTestList(
                        operator, shapeFilter=self.options.target_shapes,
                        rankFilter=self.options.target_ranks,
                        dtypeFilter=self.options.target_dtypes, testType=kind):
                    tests.add(TosaTestSelect(arguments))
                result.setdefault(name, []).extend(tests.all(
                    profiles_chosen=self.options.profile, extensions_chosen=self.options.extension))
        return result

    def make(self, test):
        """Returns the directory of a test and the test's module as text. The text is None if
        tosa-opt fails."""
        self.generator.serializeTest(test)
        place = self.directory / test.opName / str(test)
        process = subprocess.run(
            [OPT, f"--tosa-deserialize=tosa-flatbuffer-filename={place / 'test.tosa'}",
             "--verify-each=0", self.directory / "empty.mlir"],
            capture_output=True, text=True, check=False)
        text = re.sub(r" \{tosa.tensor_name = [^}]*\}", "", process.stdout)
        return place, text if process.returncode == 0 else None


def results(binary, x):
    """Returns the reference model's result, of the input's type, or None if the model
    rejects the test."""
    outputs, status = tosa_reference_model.run(binary, [x])
    if status != tosa_reference_model.GraphStatus.TOSA_VALID:
        return None
    return np.frombuffer(outputs[0], x.dtype)


def function(text, name):
    """Returns the function @main of a module as @`name`."""
    body = text[text.index("  func.func"):text.rindex("}")]
    return body.replace("@main", f'@"{name}"')


def build(directory, seed, count, begin, end, shape=None):
    directory = Path(directory)
    with tempfile.TemporaryDirectory() as scratch:
        generator, errors = Generator(Path(scratch), shape), Generator(Path(scratch), None)
        good, bad = generator.tests("positive"), errors.tests("negative") if begin == 0 else {}
        plain = [test for name, tests in good.items() if "adaptive" not in name for test in tests]
        rng = random.Random(seed)
        counts = collections.Counter({f"{kind} {name}": len(tests) for kind, names in (
            ("tests", good), ("tests of errors", bad)) for name, tests in names.items()})
        ours = [test for test in plain if not re.search("_f8|_accf16", str(test))]
        drawn = rng.sample(ours, count)[begin:end]
        texts, numbers = [], {}
        for test in drawn:
            add_test(generator, test, texts, numbers)
        refused = []
        if begin == 0:
            lacking = [test for test in plain if test not in ours]
            rest = [*rng.sample(lacking, count // 20)]
            for name, tests in good.items():
                rest += rng.sample(tests, 3) if "adaptive" in name else []
            for name, tests in bad.items():
                kinds = collections.defaultdict(list)
                for test in tests:
                    kinds[test.error].append(test)
                for kind, of_kind in kinds.items():
                    if kind in ("WrongInputList", "WrongOutputList"):
                        # A list of wrong length cannot be written in MLIR's text: tosa-opt
                        # drops its extra entries.
                        counts[f"tests of wrong lists {name}"] += len(of_kind)
                    elif "adaptive" not in name:
                        rest += rng.sample(of_kind, min(len(of_kind), max(1, count // 100)))
            for test in rest:
                text = (errors if test.error else generator).make(test)[1]
                if text is None:
                    counts[f"refused by tosa-opt, error: {test.error}"] += 1
                else:
                    refused.append(f"// {test}\n{text}")
    (directory / "tests.mlir").write_text("\n".join(texts))
    (directory / "refused.mlir").write_text("\n// -----\n".join(refused))
    (directory / "counts.json").write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n")
    (np.savez_compressed if shape else np.savez)(directory / "numbers.npz", **numbers)


def add_test(generator, test, texts, numbers):
    name = str(test)
    place, text = generator.make(test)
    binary = (place / "test.tosa").read_bytes()
    [path] = place.glob("input-*.npy")
    x = np.load(path)
    element = re.search(r"-> \(?tensor<[\dx]*x(\w+)>", text)[1]
    x = x.view(DTYPES[element])
    texts.append(function(text, name))
    numbers[f"{name} x"] = x
    numbers[f"{name} y"] = results(binary, x)
    if "avg" in name and "f" in element:
        # Store the average of absolute values, for the error bound. The model's precise mode
        # has exact results, but its Python function cannot return them.
        absolute = x & 0x7FFF if element == "bf16" else np.abs(x)
        numbers[f"{name} size"] = results(binary, absolute)


def run(directory):
    directory, back = Path(directory), {}
    numbers = np.load(directory / "numbers.npz")
    binary = directory / "back.tosa"
    for path in sorted(directory.glob("*.back.mlir")):
        name = path.name.removesuffix(".back.mlir")
        process = subprocess.run([OPT, f"--tosa-serialize=tosa-flatbuffer-filename={binary}", path],
                                 capture_output=True, text=True, check=False)
        if process.returncode:
            print(f"{name}: {process.stderr}")
            continue
        y = results(binary.read_bytes(), numbers[f"{name} x"])
        if y is not None:
            back[name] = y
    np.savez(directory / "back.npz", **back)


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build(sys.argv[2], *map(int, sys.argv[3:7]), *sys.argv[7:])
    else:
        run(sys.argv[2])
