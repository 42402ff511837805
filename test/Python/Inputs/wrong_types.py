"""Input of types.test, which never runs. It has calls that mypy must refuse, and types that mypy
must know."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import numpy.typing as npt
import torch

import pool_mlir
import pool_mlir.torch

x: npt.NDArray[np.float32] = np.ones((1, 1, 4, 4), np.float32)
flag = bool(x[0, 0, 0, 0])
# CHECK: [[@LINE+1]]: error: No overload variant of "max_pool"
pool_mlir.max_pool(x, 2, rounding_type="up")
# CHECK: [[@LINE+1]]: error: No overload variant of "max_pool"
pool_mlir.max_pool(x, {2, 3})
# CHECK: [[@LINE+1]]: error: Module has no attribute "max_pool2d"
pool_mlir.max_pool2d(x, 2)
# CHECK: [[@LINE+1]]: note: Revealed type is "{{.*}}ndarray{{.*}} | tuple[{{.*}}ndarray{{.*}}, Any]"
reveal_type(pool_mlir.max_pool(x, 2, return_indices=flag))
# CHECK: [[@LINE+1]]: note: Revealed type is "{{.*}}ndarray{{.*}} | Any"
reveal_type(pool_mlir.compile("m.mlir")(x))
# CHECK: [[@LINE+1]]: note: Revealed type is "torch.{{.*}}Tensor"
reveal_type(pool_mlir.torch.max_pool2d(torch.ones(1, 1, 4, 4), 2))
# CHECK: [[@LINE+1]]: error: Argument "kernel" to "partition" has incompatible type "str"
pool_mlir.partition("max_pool", x.shape, kernel="2", output_cuts=[None, None, 2, 2])
# CHECK: Found 4 errors
