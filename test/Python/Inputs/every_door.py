"""Input of types.test, which never runs. It calls every function of the package with types, which
`mypy --strict` checks. Each assignment with a type is a check: mypy reports a result of another
type."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

from typing import Any

import dask.array as da
import jax
import numpy as np
import numpy.typing as npt
import torch

import pool_mlir
import pool_mlir.dask
import pool_mlir.jax
import pool_mlir.mpi
import pool_mlir.ops
import pool_mlir.torch as pool_torch
from pool_mlir import Compiled, Part, Partition, Source, import_onnx, max_pool, partition

Floats = npt.NDArray[np.float32]


def use_numpy(x: Floats, has_indices: bool) -> Floats:
    y: Floats = max_pool(x, 2, strides=[2, 2], rounding_type="ceil")
    values, indices = pool_mlir.max_pool(x, 2, return_indices=True, index_element_type="i32")
    either: Floats | tuple[Floats, Any] = pool_mlir.min_pool(x, 2, return_indices=has_indices)
    if isinstance(either, tuple):
        y = either[0]
    y = pool_mlir.avg_pool(x, (3, 3), pads_begin=1, pads_end=1, divisor="padded", out=y)
    y = pool_mlir.lp_pool(x, 2, p=3)
    y = pool_mlir.adaptive_avg_pool(x, 1)
    y = pool_mlir.adaptive_max_pool(x, [2, 2])
    y = pool_mlir.max_unpool(values, indices, x.shape)
    y = pool_mlir.max_pool_grad(x, values, 2, indices=indices)
    return pool_mlir.avg_pool_grad(y, x.shape, 2)


def use_torch(x: torch.Tensor, model: torch.nn.Sequential, has_indices: bool) -> torch.Tensor:
    y: torch.Tensor = pool_mlir.max_pool(x, 2)
    y = pool_torch.max_pool2d(x, 2, stride=2, ceil_mode=True)
    values, indices = pool_torch.max_pool2d(x, 2, return_indices=True)
    either: torch.Tensor | tuple[torch.Tensor, torch.Tensor] = pool_torch.max_pool3d(
        x, 2, return_indices=has_indices)
    y = either if isinstance(either, torch.Tensor) else either[0]
    y = pool_torch.avg_pool2d(x, (2, 2), divisor_override=3)
    y = pool_torch.lp_pool1d(x, 2.0, 3)
    y = pool_torch.adaptive_avg_pool2d(x, (None, 7))
    y = pool_torch.max_unpool2d(values, indices, 2, output_size=[4, 4])
    layer: torch.nn.MaxPool2d = pool_torch.MaxPool2d(2, stride=2)
    converted: torch.nn.Sequential = pool_torch.unconvert(pool_torch.convert(model))
    with pool_torch.patch():
        converted(layer(y))
    print(pool_torch.fallbacks.most_common(1))
    return y


def use_jax(x: jax.Array) -> jax.Array:
    y: jax.Array = pool_mlir.jax.max_pool(x, 2, layout="channels_last")
    values, indices = pool_mlir.jax.max_pool(x, 2, return_indices=True)
    y = pool_mlir.jax.max_unpool(values, indices, x.shape)
    y = pool_mlir.jax.adaptive_avg_pool(x, 1)
    text: str = pool_mlir.import_jax(pool_mlir.jax.avg_pool, x, pool_layers=True)
    print(text, pool_mlir.jax.TARGET)
    return pool_mlir.jax.avg_pool(y, kernel=(2, 2), divisor="valid")


def use_dask(x: da.Array) -> da.Array:
    y: da.Array = pool_mlir.dask.max_pool(x, {"lat": 2, "lon": 3}, chunks="auto")
    values, indices = pool_mlir.dask.min_pool(x, 2, return_indices=True)
    y = pool_mlir.dask.max_unpool(values, indices, [1, 1, 4, 4], kernel=2)
    pool_mlir.dask.to_zarr(y, "y.zarr", overwrite=True)
    y = pool_mlir.dask.open_zarr("y.zarr")
    return pool_mlir.dask.avg_pool(y, 2, uniform_sums=True)


def use_mpi(block: Floats) -> Floats:
    print(pool_mlir.mpi.get_block((1, 1, 8, 8), (1, 1, 2, 2)))
    return pool_mlir.mpi.avg_pool(block, (1, 1, 2, 2), (1, 1, 8, 8), 3, strides=2)


def use_models(x: Floats) -> Floats:
    text: str = import_onnx("model.onnx", pool_layers=True)
    text = pool_mlir.import_tflite("model.tflite")
    text = pool_mlir.import_openvino("model.xml", weights="model.bin")
    compiled: Compiled = pool_mlir.compile(text, ["main"], cpu="x86-64-v3", threads=2)
    names: tuple[str, ...] = compiled.entries
    for plan in compiled.plan:
        print(plan["plan"], plan["cycles"], names, compiled.compile_times["linking"])
    compiled["main"].save_object("model.o", header="model.h", target="aarch64-linux-gnu")
    y: Floats = compiled(x)
    y = compiled["main"](x, out=y)
    first, second = compiled(x)
    print(first.shape, second.shape, compiled.mlir, compiled.llvm)
    return compiled(x)


def use_partition(x: Floats) -> list[Source]:
    plan: Partition = partition("max_pool", x.shape, 2, output_cuts=[None, None, 2, [3, 4]],
                                input_cuts={"x": [None, None, 2, 2]}, dtype=np.float32)
    for part in plan:
        print(part.run(x[part.inputs["x"]]), part.output, part.pads_begin, part.nbytes)
    first: Part = plan[0, 0, 1, 1]
    return first.sources("x")


def use_rest(ir: Any, operand: Any) -> None:
    pool_mlir.ops.max_pool(ir, operand, kernel=[2, 2])
    pool_mlir.set_num_threads(2 * pool_mlir.get_num_threads())
    pool_mlir.set_cache_size(10)
    pool_mlir.cache_clear(disk=True)
    print(pool_mlir.__version__, pool_mlir.cache_info()["hits"])
