"""Runs every function of a module on path=linalg and on path=vector, with a random array.

The results must be equal byte by byte. Each function has one argument, of a known shape.
The caller may name transform sequences. Path=vector also runs each module that one of these
sequences tiles.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

FUNCTION = re.compile(r"^func\.func @(\w+)\(%\w+: tensor<([\dx]+)x(\w+)>\)\s*-> (.*?) {$",
                      re.MULTILINE)
TYPES = {"f32": "f4", "f16": "f2", "i8": "i1", "i32": "i4", "i64": "i8"}


def run(path, module, folder, functions, *options):
    lines = []
    for name, shape, element, results in functions:
        files = [str(folder / f"{path}.{name}.{i}.npy") for i in range(results.count("tensor<"))]
        lines.append(" ".join([name, str(folder / f"{name}.npy"), "->", *files]))
    batch = folder / f"{path}.txt"
    batch.write_text("\n".join(lines))
    subprocess.run(["pool-run", str(module), f"--path={path}", f"--batch={batch}", *options],
                   check=True)
    return [[Path(file).read_bytes() for file in line.split("-> ")[1].split()] for line in lines]


def main():
    module, folder = Path(sys.argv[1]), Path(sys.argv[2])
    text = module.read_text(encoding="utf-8")
    functions = FUNCTION.findall(text)
    assert len(functions) == text.count("\nfunc.func "), "a function has another form"
    rng = np.random.default_rng(5)
    for name, shape, element, _ in functions:
        x = rng.integers(-100, 100, [int(extent) for extent in shape.split("x")])
        np.save(folder / f"{name}.npy", x.astype(TYPES[element]))
    expected = run("linalg", module, folder, functions)
    modules = [module]
    for route in sys.argv[4:]:
        tiled = folder / f"{route}.mlir"
        subprocess.run(["pool-opt", str(module), "-o", str(tiled),
                        f"--transform-preload-library=transform-library-paths={sys.argv[3]}",
                        f"--transform-interpreter=entry-point={route}"], check=True)
        assert "scf.for" in tiled.read_text(encoding="utf-8"), f"{route} tiles nothing"
        modules.append(tiled)
    for tried in modules:
        actual = run("vector", tried, folder, functions)
        for (name, *_), a, b in zip(functions, expected, actual):
            assert a == b, f"{tried.name}: @{name} differs from path=linalg"


if __name__ == "__main__":
    main()
