# RUN: %python %s pool-run %t
"""pool-run must read and write .npy files as NumPy does, and reject malformed ones.

Files from NumPy and ml_dtypes must arrive unchanged: versions 1 to 3, either byte order, C and
Fortran order, scalars, empty arrays. Malformed files must be rejected with their name. They are a
list of known faults and a few thousand random mutations. One process of pool-run must read the
whole list, and another all mutations.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import ml_dtypes
import numpy as np

from pooltest import tier

POOL_RUN = sys.argv[1]
DIR = Path(sys.argv[2])

TYPES = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "si8": np.int8, "si16": np.int16, "si32": np.int32, "si64": np.int64,
    "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
}


def run(*arguments, stdin=None):
    """Returns pool-run's exit code and standard error, run in the test's directory."""
    process = subprocess.run([POOL_RUN, *arguments], cwd=DIR, capture_output=True, text=True,
                             input=stdin, check=False)
    assert process.returncode in (0, 1, 2), (process.returncode, process.stderr)
    return process.returncode, process.stderr


def run_batch(module, lines, *options):
    """Runs a batch. Returns a dictionary from line number, from 0, to error message."""
    (DIR / "module.mlir").write_text(module)
    (DIR / "runs.txt").write_text("\n".join(lines))
    code, stderr = run("module.mlir", "--batch", "runs.txt", "-O0", *options)
    messages = {}
    for line in stderr.splitlines():
        prefix = "pool-run: error: runs.txt:"
        assert line.startswith(prefix), line
        number, message = line[len(prefix):].split(": ", 1)
        messages[int(number) - 1] = message
    assert code == (1 if messages else 0), stderr
    return messages


def identity(name, mlir_type):
    """Returns the text of a function that returns its argument."""
    return (f"func.func @{name}(%x: {mlir_type}) -> {mlir_type} {{\n"
            f"  return %x : {mlir_type}\n}}\n")


def same(got, expected):
    """True if shape, type and every bit are equal. pool-run writes bf16 as V2."""
    if expected.dtype == ml_dtypes.bfloat16:
        assert got.dtype == "V2", got.dtype
        got = got.view(ml_dtypes.bfloat16)
    return (got.dtype == expected.dtype and got.shape == expected.shape
            and got.tobytes() == np.ascontiguousarray(expected).tobytes())


def sample(dtype, shape):
    """Returns random bits as values of the type, so that floats may be NaN."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return np.random.default_rng(1).integers(0, 2, shape).astype(dtype)
    count = int(np.prod(shape)) * dtype.itemsize
    return np.random.default_rng(1).integers(0, 256, count, np.uint8).view(dtype).reshape(shape)


def check_types():
    """Checks all types with static, dynamic, empty and scalar shapes, with and without guard
    pages."""
    module, lines, expected = "", [], []
    for mlir_type, dtype in TYPES.items():
        for i, (shape, extents) in enumerate([
                ((2, 3, 5), (2, 3, 5)), ((2, 3, 5), ("?", 3, "?")), ((0, 4), (0, 4)),
                ((0, 4), ("?", 4)), ((), ()), ((1,) * 7, ("?",) * 7)]):
            name = f"{mlir_type}_{i}"
            dims = "".join(f"{extent}x" for extent in extents)
            module += identity(name, f"tensor<{dims}{mlir_type}>")
            np.save(DIR / f"{name}.npy", sample(dtype, shape))
            lines.append(f"{name} {name}.npy -> {name}.out.npy")
            expected.append(sample(dtype, shape))
        name = f"{mlir_type}_scalar"
        if mlir_type[:2] not in ("si", "ui"):
            module += identity(name, mlir_type)
            np.save(DIR / f"{name}.npy", sample(dtype, ()))
            lines.append(f"{name} {name}.npy -> {name}.out.npy")
            expected.append(sample(dtype, ()))
    module += identity("index", "index")
    np.save(DIR / "index.npy", np.int64(-7))
    lines.append("index index.npy -> index.out.npy")
    expected.append(np.array(-7, np.int64))
    for options in ([], ["--guard-pages=begin"], ["--guard-pages=end"]):
        assert not run_batch(module, lines, *options)
        for line, array in zip(lines, expected):
            out = DIR / line.split()[-1]
            assert same(np.load(out), array), line
            # pool-run must write the same bytes as NumPy, including the header.
            name = DIR / line.split()[1]
            assert out.read_bytes() == name.read_bytes(), line
            out.unlink()

    # Each function rejects arrays of all other element types.
    lines = [f"{t}_0 {u}_0.npy -> no.npy" for t in TYPES for u in TYPES if TYPES[t] != TYPES[u]]
    messages = run_batch(module, lines)
    for i, line in enumerate(lines):
        given = line.split()[1]
        assert messages[i].startswith(f"argument 0 ({given}): expected tensor<2x3x5x"), messages[i]
    assert not (DIR / "no.npy").exists()


def check_formats():
    """Checks other versions and orders in which NumPy may write an array."""
    array = np.arange(24, dtype=np.float64).reshape(2, 3, 4)
    module = (identity("f64", "tensor<2x3x4xf64>") + identity("u1", "tensor<2x3x4xui8>")
              + identity("bf16", "tensor<3xbf16>"))
    writers = {
        "v1": lambda f: np.lib.format.write_array(f, array, (1, 0)),
        "v2": lambda f: np.lib.format.write_array(f, array, (2, 0)),
        "v3": lambda f: np.lib.format.write_array(f, array, (3, 0)),
        "fortran": lambda f: np.save(f, np.asfortranarray(array)),
        "big": lambda f: np.save(f, array.astype(">f8")),
        "fortran_big": lambda f: np.save(f, np.asfortranarray(array.astype(">f8"))),
    }
    lines = []
    for name, write in writers.items():
        with open(DIR / f"{name}.npy", "wb") as file:
            write(file)
        lines.append(f"f64 {name}.npy -> {name}.out.npy")
    np.save(DIR / "bytes.npy", np.asfortranarray(array.astype(np.uint8)))
    lines.append("u1 bytes.npy -> bytes.out.npy")
    bf16 = np.array([1.5, -0.0, np.nan], ml_dtypes.bfloat16)
    np.save(DIR / "void.npy", bf16.view("V2"))
    assert b"'|V2'" in (DIR / "void.npy").read_bytes()
    lines.append("bf16 void.npy -> void.out.npy")
    assert not run_batch(module, lines)
    for name in writers:
        assert same(np.load(DIR / f"{name}.out.npy"), array), name
    assert same(np.load(DIR / "bytes.out.npy"), array.astype(np.uint8))
    assert same(np.load(DIR / "void.out.npy"), bf16)


def file_with(header, data=b"\0" * 12, version=(1, 0)):
    """Returns the bytes of an .npy file with the given header."""
    text = header.encode("latin1")
    length = len(text).to_bytes(2 if version[0] == 1 else 4, "little")
    return b"\x93NUMPY" + bytes(version) + length + text + data


def described(descr="'<f4'", order="False", shape="(3,)"):
    """Returns the dictionary that is the text of a header."""
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


LIES = {
    "not an .npy file": [b"", b"PK\x03\x04", b"\x93NUMP", b"x" * 200],
    "the file ends within the .npy header": [
        b"\x93NUMPY", b"\x93NUMPY\x01", b"\x93NUMPY\x01\x00\x76", file_with(described())[:60],
        b"\x93NUMPY\x02\x00\x76\x00\x00"],
    "is not supported": [
        file_with(described(), version=(4, 0)), file_with(described(), version=(1, 1)),
        file_with(described("'|O'")), file_with(described("'<f16'")), file_with(described("'<f3'")),
        file_with(described("'<c8'")), file_with(described("'<U3'")), file_with(described("'V4'")),
        file_with(described("'>V2'")), file_with(described("''")), file_with(described("'<'")),
        file_with(described("'<f4"))],
    "structured element types": [file_with(described("[('a', '<f4')]"))],
    "bytes is too large": [
        file_with(described(), version=(2, 0))[:8] + b"\xff\xff\xff\xff" + b"x" * 99],
    "no newline": [file_with(described()[:-1]), file_with("")],
    "malformed header": [
        file_with("\n"), file_with("{}\n"), file_with("[]\n"), file_with("{'descr': '<f4'}\n"),
        file_with(described() + described()), file_with(described(order="Maybe")),
        file_with(described(order="1")), file_with(described(shape="(-1,)")),
        file_with(described(shape="(3)")), file_with(described(shape="3")),
        file_with(described(shape="(3.0,)")), file_with(described(shape="(3,,)")),
        file_with(described(shape="(3 3)")), file_with(described(shape="((3,),)")),
        file_with(described(shape="[3]")), file_with(described(shape="(3")),
        file_with(described(descr="None")), file_with("{'descr\n"),
        file_with("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}\n"),
        file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}\n"),
        file_with(described().replace("}", "")), file_with(described().replace(":", ""))],
    "is too large": [
        file_with(described(shape="(99999999999999999999,)")),
        file_with(described(shape="(9223372036854775807, 2)")),
        file_with(described(shape="(4294967296, 4294967296, 4)"))],
    "dimensions": [file_with(described(shape="(" + "1," * 65 + ")"))],
    "after its header": [
        file_with(described(), b""), file_with(described(), b"\0" * 11),
        file_with(described(), b"\0" * 13), file_with(described(shape="(1000000000000,)"))],
    "expected tensor<3xf32>": [
        file_with(described(shape="(3, 1)")), file_with(described(shape="()"), b"\0" * 4),
        file_with(described(shape="(0, 9223372036854775807)"), b""),
        file_with(described(shape="(4,)"), b"\0" * 16)],
}


def check_lies():
    """Checks that each malformed file is rejected with its reason."""
    lines, reasons = [], []
    for reason, contents in LIES.items():
        for content in contents:
            name = f"lie{len(lines)}.npy"
            (DIR / name).write_bytes(content)
            lines.append(f"f {name} -> no.npy")
            reasons.append(reason)
    (DIR / "directory.npy").mkdir()
    lines.append("f directory.npy -> no.npy")
    reasons.append("")
    (DIR / "bool.npy").write_bytes(file_with(described("'|b1'"), b"\0\1\2"))
    lines.append("b bool.npy -> no.npy")
    reasons.append("neither 0 nor 1")
    messages = run_batch(identity("f", "tensor<3xf32>") + identity("b", "tensor<3xi1>"), lines)
    for i, (line, reason) in enumerate(zip(lines, reasons)):
        assert line.split()[1] in messages[i] and reason in messages[i], (line, messages.get(i))
    assert not (DIR / "no.npy").exists()


def mutate(content, rng):
    """Returns a copy of `content` with random damage."""
    data = bytearray(content)
    tokens = [b"(", b")", b",", b"'", b"{", b"}", b"-", b"9" * 19, b"'<V2'", b"True", b"\n", b"\0",
              b"(0, 9223372036854775807)", b"[", b"1,"]
    for _ in range(rng.randint(1, 3)):
        position = rng.randrange(min(len(data), 140) + 1)
        kind = rng.randrange(4)
        if kind == 0 and position < len(data):
            data[position] = rng.randrange(256)
        elif kind == 1:
            data[position:position] = rng.choice(tokens)
        elif kind == 2:
            del data[position:position + rng.randint(1, 9)]
        else:
            del data[max(position, 10):]
    end = data.find(b"\n", 10)
    if end >= 0 and rng.random() < 0.7:
        # Correct the header's length, so that only the dictionary is damaged.
        data[8:10] = (end - 9).to_bytes(2, "little")
    return bytes(data)


def check_mutations():
    """Runs pool-run on a few thousand damaged files. It must reject or read each."""
    rng = random.Random(tier.seed(20240229))
    seeds = [file_with(described()), file_with(described("'>f4'")),
             file_with(described(order="True", shape="(3, 1)")),
             file_with(described("'<V2'"), b"\0" * 6)]
    lines = []
    for i in range(3000):
        (DIR / f"m{i}.npy").write_bytes(mutate(rng.choice(seeds), rng))
        lines.append(f"f m{i}.npy -> m{i}.out.npy")
    messages = run_batch(identity("f", "tensor<3xf32>"), lines)
    accepted = 0
    for i in range(3000):
        if i in messages:
            assert f"m{i}.npy" in messages[i], messages[i]
            assert messages[i].isprintable(), messages[i]
            assert not (DIR / f"m{i}.out.npy").exists()
            continue
        # NumPy must also read each file that pool-run accepts, and get the same array.
        assert same(np.load(DIR / f"m{i}.out.npy"), np.load(DIR / f"m{i}.npy").astype("<f4")), i
        accepted += 1
    assert 0 < accepted < 1500, accepted


def check_writing():
    """Checks that pool-run writes all results or none, and replaces only regular files."""
    module = "func.func @two(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {\n" \
             "  return %x, %x : tensor<3xf32>, tensor<3xf32>\n}\n"
    (DIR / "two.mlir").write_text(module)
    array = np.array([1, 2, 3], np.float32)
    np.save(DIR / "x.npy", array)
    common = ("two.mlir", "--input", "x.npy", "--output")

    code, stderr = run(*common, "a.npy", "missing/b.npy")
    assert code == 1 and "cannot write missing/b.npy" in stderr, stderr
    assert not (DIR / "a.npy").exists()
    assert not list(DIR.glob("*.tmp*")), "a temporary file is left"

    # A symbolic link stays a link, and an output may replace an input.
    (DIR / "target.npy").write_bytes(b"old")
    (DIR / "link.npy").symlink_to("target.npy")
    assert run(*common, "link.npy", "x.npy") == (0, "")
    assert (DIR / "link.npy").is_symlink()
    assert same(np.load(DIR / "target.npy"), array) and same(np.load(DIR / "x.npy"), array)

    # An output may be a device, which must not be replaced by a file, or a pipe, which
    # receives the array.
    assert run(*common, "/dev/null", "--output", "/dev/null") == (0, "")
    assert not Path("/dev/null").is_file()
    os.mkfifo(DIR / "pipe.npy")
    received = []
    reader = threading.Thread(target=lambda: received.append((DIR / "pipe.npy").read_bytes()))
    reader.start()
    assert run(*common, "pipe.npy", "y.npy") == (0, "")
    reader.join()
    assert received[0] == (DIR / "y.npy").read_bytes()

    # An input may be a pipe. Its size is checked like a file's.
    content = (DIR / "x.npy").read_bytes()
    for sent, message in ((content, ""), (content[:-1], "the file ends after 11 of 12 bytes"),
                          (content + b"x", "the file goes on after the array")):
        writer = threading.Thread(target=(DIR / "pipe.npy").write_bytes, args=(sent,))
        writer.start()
        code, stderr = run("two.mlir", "--input", "pipe.npy", "--output", "p.npy", "q.npy")
        writer.join()
        assert (code == 0) == (message == "") and message in stderr, stderr


def main():
    shutil.rmtree(DIR, ignore_errors=True)
    DIR.mkdir(parents=True)
    check_types()
    check_formats()
    check_lies()
    check_mutations()
    check_writing()


main()
