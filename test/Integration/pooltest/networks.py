"""The two networks of test/data/torch-mlir: inputs, passes that raise their pooling, and
upstream passes that lower the rest.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "data" / "torch-mlir"


@dataclass(frozen=True)
class Network:
    """A network. Its pipelines are written without the enclosing `builtin.module()`."""

    file: str
    input: str
    output: str
    raising: str
    lowering: str

    @property
    def text(self):
        return (DATA / self.file).read_text()

    @property
    def input_path(self):
        return DATA / self.input

    @property
    def output_path(self):
        return DATA / self.output


LINALG = Network("small-cnn.linalg.mlir", "input.npy", "output.npy", "convert-linalg-to-pool", "")
TOSA = Network("small-cnn.tosa.mlir", "input-tosa.npy", "output-tosa.npy", "convert-tosa-to-pool",
               "func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor)")
