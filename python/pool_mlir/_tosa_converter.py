"""Runs tosa-converter-for-tflite, which turns TFLite models into TOSA."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.util
import subprocess
import sys

from ._writer import quoted


def convert(data, path):
    """Returns the TOSA of the model whose bytes are `data`. Messages and locations name the model
    by `path`. The converter runs in a process of its own, because it prints its errors and may
    crash. Raises ValueError if it fails, and ModuleNotFoundError if it is not installed."""
    if importlib.util.find_spec("tosa_converter_for_tflite") is None:
        raise ModuleNotFoundError(
            "whole TFLite graphs need the package tosa-converter-for-tflite: "
            "pip install tosa-converter-for-tflite", name="tosa_converter_for_tflite")
    process = subprocess.run(
        [sys.executable, "-m", "tosa_converter_for_tflite.cli", "--text", "--emit-debug-info"],
        input=data, capture_output=True, check=False)
    errors, text = (
        stream.decode(errors="replace").replace('"<stdin>":0:0', quoted(path))
        for stream in (process.stderr, process.stdout))
    if process.returncode != 0:
        lines = [line for line in errors.splitlines() if ": error: " in line] or [
            f"exit code {process.returncode}"]
        raise ValueError("tosa-converter-for-tflite does not convert this model: "
                         + "\n".join(lines))
    return text
