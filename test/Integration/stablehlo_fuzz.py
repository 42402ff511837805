# RUN: env POOL_BUILD_DIR=%build_dir %python %s
"""The passes that raise StableHLO must survive mutated output of JAX: dropped attributes, changed
numbers and types, other operations, swapped operands. StableHLO's dialect is not registered, so
no verifier rejects the mutations. Each operation must become valid IR or stay as it is, and
nothing may crash.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gzip
import json
import random
import re
from pathlib import Path

from pooltest import tier
from pooltest.report import Report, main
from pooltest.tools import pool_opt

TESTS = Path(__file__).resolve().parent.parent
VECTORS = TESTS / "data" / "jax" / "stablehlo.json.gz"
# Modules with unknown extents, which test/data/jax lacks.
SYMBOLIC = (TESTS / "Conversion" / "StablehloExtents" / "extents.mlir",
            TESTS / "Conversion" / "StablehloToPool" / "symbolic.mlir")
RUNS = tier.size(200, 30, 5)
CHUNK = 20
NUMBERS = ("0", "1", "-1", "2", "3", "7", "2147483647", "-2147483648", "4294967296",
           "9223372036854775807", "-9223372036854775808")
TYPES = ("tensor<f32>", "tensor<f64>", "tensor<i32>", "tensor<*xf32>", "tensor<2x2xf32>",
         "tensor<0x1xf32>", "tensor<?x3xf32>", "f32", "tensor<1xi1>", "none")
WORDS = ("maximum", "minimum", "add", "multiply", "divide", "compare", "select", "pad",
         "slice", "reshape", "broadcast_in_dim", "constant", "iota", "return", "convert",
         "reduce_window", "select_and_scatter", "dynamic_broadcast_in_dim", "transpose",
         "get_dimension_size", "concatenate", "custom_call", "clamp", "dynamic_pad",
         "real_dynamic_slice", "sign", "remainder")
PASSES = ("--convert-stablehlo-to-pool", "--lower-stablehlo-extents")


def replace(rng, text, pattern, make):
    """Returns `text` with one random match of `pattern` replaced."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    return text[:match.start()] + make(match) + text[match.end():]


def mutate(rng, text):
    for _ in range(rng.choice((1, 1, 2, 4))):
        way = rng.randrange(7)
        if way == 0:
            text = replace(rng, text, r"\w+ = (array<[^>]*>|dense<[^=]*?> : tensor<[^>]*>)(, )?",
                           lambda m: "")
        elif way == 1:
            text = replace(rng, text, r"(?<=[\[ ,<])-?\d+(?=[\],>])",
                           lambda m: rng.choice(NUMBERS))
        elif way == 2:
            text = replace(rng, text, r"tensor<[^<>]*>", lambda m: rng.choice(TYPES))
        elif way == 3:
            text = replace(rng, text, r'(?<="stablehlo\.)\w+(?=")', lambda m: rng.choice(WORDS))
        elif way == 4:
            names = re.findall(r"%\w+", text)
            text = replace(rng, text, r"(?<=[(,] )%\w+|(?<=\()%\w+", lambda m: rng.choice(names))
        elif way == 5:
            text = replace(rng, text, r"array<i64: ", lambda m: "array<i32: ")
        else:
            text = replace(rng, text, r"array<i64: [^>]*>",
                           lambda m: m[0][:-1] + rng.choice((", 1>", ">", ", 0, 0>")))
    return text


def run():
    report = Report("stablehlo_fuzz")
    rng = random.Random(tier.seed(37))
    texts = [case["text"] for case in json.loads(gzip.decompress(VECTORS.read_bytes()))["cases"]]
    for file in SYMBOLIC:
        texts += re.findall(r"^func\.func .*?^}\n", file.read_text(), re.DOTALL | re.MULTILINE) * 3
    for _ in range(RUNS):
        chunk = [mutate(rng, rng.choice(texts)) for _ in range(CHUNK)]
        process = pool_opt("// -----\n".join(chunk), "--split-input-file", *PASSES)
        report.count("modules", CHUNK)
        # A signal gives a negative code, and a crash in LLVM prints a stack trace.
        crashed = process.returncode not in (0, 1) or "Stack dump" in process.stderr
        if not report.expect(not crashed, "a crash", process.stderr[-3000:]):
            for text in chunk:
                alone = pool_opt(text, *PASSES)
                report.expect(alone.returncode in (0, 1), "a crash", text)
        refused = re.findall(r"error: 'pool\.\w+' op .*", process.stderr)
        report.expect(not refused, "an operation that does not verify", "\n".join(refused[:5]))
        report.count("parsed", CHUNK - len(re.findall(r"error: ", process.stderr)))
    return report.finish()


if __name__ == "__main__":
    main(run)
