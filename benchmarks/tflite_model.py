#!/usr/bin/env python3
"""Writes the models that docs/Guides/ImportTFLite.md times: float32.tflite, int8.tflite and
uint8.tflite, of a maximum with RELU6 and a global average."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from pathlib import Path

from pooltest.tflite_models import Writer

for dtype, quantization in (("float32", None), ("int8", (0.02, -5)), ("uint8", (0.02, 100))):
    writer = Writer()
    x, pool, average = (
        writer.tensor(name, shape, dtype, quantization) for name, shape in (
            ("x", (1, 112, 112, 64)), ("pool", (1, 56, 56, 64)),
            ("average", (1, 1, 1, 64))))
    writer.pool("MAX_POOL_2D", x, pool, "SAME", (3, 3), (2, 2), "RELU6")
    writer.pool("AVERAGE_POOL_2D", pool, average, "VALID", (56, 56), (1, 1))
    Path(f"{dtype}.tflite").write_bytes(writer.finish([x], [average]))
