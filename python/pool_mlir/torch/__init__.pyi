"""Types of pool_mlir.torch."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from collections import Counter
from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar, overload

from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

_Size = int | Sequence[int]
_Sizes = int | Sequence[int | None]
_Model = TypeVar("_Model", bound=nn.Module)

__all__ = ["convert", "fallbacks", "patch", "unconvert", "max_pool1d", "max_pool2d", "max_pool3d",
    "avg_pool1d", "avg_pool2d", "avg_pool3d", "lp_pool1d", "lp_pool2d", "lp_pool3d",
    "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d", "adaptive_avg_pool1d",
    "adaptive_avg_pool2d", "adaptive_avg_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d",
    "MaxPool1d", "MaxPool2d", "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d",
    "LPPool2d", "LPPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d", "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d"]

class _MaxPool(Protocol):
    @overload
    def __call__(
        self, input: Tensor, kernel_size: _Size, stride: _Size | None = None, padding: _Size = 0,
        dilation: _Size = 1, ceil_mode: bool = False, return_indices: Literal[False] = False
    ) -> Tensor: ...
    @overload
    def __call__(
        self, input: Tensor, kernel_size: _Size, stride: _Size | None = None, padding: _Size = 0,
        dilation: _Size = 1, ceil_mode: bool = False, *, return_indices: Literal[True]
    ) -> tuple[Tensor, Tensor]: ...
    @overload
    def __call__(
        self, input: Tensor, kernel_size: _Size, stride: _Size | None = None, padding: _Size = 0,
        dilation: _Size = 1, ceil_mode: bool = False, *, return_indices: bool
    ) -> Tensor | tuple[Tensor, Tensor]: ...

class _AvgPool1d(Protocol):
    def __call__(
        self, input: Tensor, kernel_size: _Size, stride: _Size | None = None, padding: _Size = 0,
        ceil_mode: bool = False, count_include_pad: bool = True
    ) -> Tensor: ...

class _AvgPool(Protocol):
    def __call__(
        self, input: Tensor, kernel_size: _Size, stride: _Size | None = None, padding: _Size = 0,
        ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None
    ) -> Tensor: ...

class _LPPool(Protocol):
    def __call__(
        self, input: Tensor, norm_type: float, kernel_size: _Size, stride: _Size | None = None,
        ceil_mode: bool = False
    ) -> Tensor: ...

class _AdaptiveMaxPool(Protocol):
    @overload
    def __call__(
        self, input: Tensor, output_size: _Sizes, return_indices: Literal[False] = False
    ) -> Tensor: ...
    @overload
    def __call__(
        self, input: Tensor, output_size: _Sizes, *, return_indices: Literal[True]
    ) -> tuple[Tensor, Tensor]: ...
    @overload
    def __call__(
        self, input: Tensor, output_size: _Sizes, *, return_indices: bool
    ) -> Tensor | tuple[Tensor, Tensor]: ...

class _AdaptiveAvgPool(Protocol):
    def __call__(self, input: Tensor, output_size: _Sizes) -> Tensor: ...

class _MaxUnpool(Protocol):
    def __call__(
        self, input: Tensor, indices: Tensor, kernel_size: _Size, stride: _Size | None = None,
        padding: _Size = 0, output_size: Sequence[int] | None = None
    ) -> Tensor: ...

max_pool1d: _MaxPool
max_pool2d: _MaxPool
max_pool3d: _MaxPool
avg_pool1d: _AvgPool1d
avg_pool2d: _AvgPool
avg_pool3d: _AvgPool
lp_pool1d: _LPPool
lp_pool2d: _LPPool
lp_pool3d: _LPPool
adaptive_max_pool1d: _AdaptiveMaxPool
adaptive_max_pool2d: _AdaptiveMaxPool
adaptive_max_pool3d: _AdaptiveMaxPool
adaptive_avg_pool1d: _AdaptiveAvgPool
adaptive_avg_pool2d: _AdaptiveAvgPool
adaptive_avg_pool3d: _AdaptiveAvgPool
max_unpool1d: _MaxUnpool
max_unpool2d: _MaxUnpool
max_unpool3d: _MaxUnpool

class MaxPool1d(nn.MaxPool1d): ...
class MaxPool2d(nn.MaxPool2d): ...
class MaxPool3d(nn.MaxPool3d): ...
class AvgPool1d(nn.AvgPool1d): ...
class AvgPool2d(nn.AvgPool2d): ...
class AvgPool3d(nn.AvgPool3d): ...
class LPPool1d(nn.LPPool1d): ...
class LPPool2d(nn.LPPool2d): ...
class LPPool3d(nn.LPPool3d): ...
class MaxUnpool1d(nn.MaxUnpool1d): ...
class MaxUnpool2d(nn.MaxUnpool2d): ...
class MaxUnpool3d(nn.MaxUnpool3d): ...
class AdaptiveMaxPool1d(nn.AdaptiveMaxPool1d): ...
class AdaptiveMaxPool2d(nn.AdaptiveMaxPool2d): ...
class AdaptiveMaxPool3d(nn.AdaptiveMaxPool3d): ...
class AdaptiveAvgPool1d(nn.AdaptiveAvgPool1d): ...
class AdaptiveAvgPool2d(nn.AdaptiveAvgPool2d): ...
class AdaptiveAvgPool3d(nn.AdaptiveAvgPool3d): ...

# Calls that went to torch's own functions, by "function: reason".
fallbacks: Counter[str]

def convert(model: _Model) -> _Model: ...
def unconvert(model: _Model) -> _Model: ...

class patch(TorchFunctionMode): ...
