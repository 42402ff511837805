"""Runs the tools under test.

The tools are in `$POOL_BUILD_DIR/bin`. A `Batch` is one module with many functions, and its
runs are one batch of pool-run. So hundreds of cases need one process and one compilation.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import platform
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

TIMEOUT_SECONDS = 900


def tool(name):
    build = os.environ.get("POOL_BUILD_DIR")
    if not build:
        sys.exit("POOL_BUILD_DIR is not set: it names the build directory")
    path = Path(build) / "bin" / name
    if not path.exists():
        sys.exit(f"{path} does not exist: build it first")
    return str(path)


def processors():
    """Returns names of processors whose code this machine can run. Some of them differ in the
    length of their vectors."""
    names = ["native"]
    if platform.machine() == "x86_64":
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            if " avx2 " in file.read():
                names.append("x86-64-v3")
        names.append("x86-64")
    return names


def run(command, stdin=None, timeout=TIMEOUT_SECONDS):
    """Runs `command` (a list) with text as input and output. Does not raise an error if the
    command fails, only if it takes too long."""
    return subprocess.run(command, input=stdin, capture_output=True, text=True,
                          timeout=timeout, check=False)


def pool_opt(text, *options):
    # pool-opt does not register StableHLO's dialect.
    if '"stablehlo.' in text:
        options = ("--allow-unregistered-dialect", *options)
    return run([tool("pool-opt"), *options], stdin=text)


def save(path, array):
    np.save(path, array, allow_pickle=False)


def load(path, dtype):
    """Loads an .npy file as `dtype`; bf16 is stored as two opaque bytes."""
    array = np.load(path, allow_pickle=False)
    if dtype == np.dtype(ml_dtypes.bfloat16) and array.dtype == np.dtype("V2"):
        return array.view(ml_dtypes.bfloat16)
    return array


class Batch:
    """Functions of one module with their inputs; `run` returns their outputs."""

    def __init__(self, directory, name="batch"):
        self.directory = Path(directory) / name
        self.directory.mkdir(parents=True, exist_ok=True)
        self.texts = []
        self.entries = []

    def add(self, entry, text, inputs, output_types):
        """Adds a run of function `entry`, and `text`, which contains the function or is empty
        if the module has the function already. Returns the run's number."""
        number = len(self.entries)
        if text:
            self.texts.append(text)
        for i, array in enumerate(inputs):
            save(self.directory / f"{number}.in{i}.npy", array)
        self.entries.append((entry, len(inputs), list(output_types)))
        return number

    def __len__(self):
        return len(self.entries)

    def run(self, *options, timeout=TIMEOUT_SECONDS):
        """Runs everything with `options`. Returns (list of outputs, process).

        The list has an entry for each run, which is None if the run wrote no output files.
        """
        module = self.directory / "module.mlir"
        module.write_text("\n".join(self.texts))
        lines = []
        for number, (entry, inputs, types) in enumerate(self.entries):
            names = [str(self.directory / f"{number}.in{i}.npy") for i in range(inputs)]
            outs = [self._output(number, i) for i in range(len(types))]
            for out in outs:
                out.unlink(missing_ok=True)
            lines.append(" ".join([entry, *names, "->", *map(str, outs)]))
        runs = self.directory / "runs.txt"
        runs.write_text("\n".join(lines) + "\n")
        process = run([tool("pool-run"), str(module), "--batch", str(runs), *options],
                      timeout=timeout)
        outputs = []
        for number, (_, _, types) in enumerate(self.entries):
            paths = [self._output(number, i) for i in range(len(types))]
            outputs.append([load(p, t) for p, t in zip(paths, types)]
                           if all(p.exists() for p in paths) else None)
        return outputs, process

    def _output(self, number, i):
        return self.directory / f"{number}.out{i}.npy"
