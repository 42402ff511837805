"""Tensors of a vector: element types, and their form in JSON.

A tensor in JSON has a `type`, a `shape` and `data`, a flat list in row-major order. Floats of
32 and 64 bits are numbers, or the strings "nan", "inf", "-inf" and "-0". Narrower floats are
their bits as hexadecimal strings, such as "0x3c00". Integers beyond 2^53 are decimal strings.

A large input has `generate` in place of `data`. Element i of the flat list is then
`start + step * (i mod modulo)`, and each pair [position, value] of `set` replaces one element.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

# Types that NumPy has
PLAIN = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
         "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64,
         "f16": np.float16, "f32": np.float32, "f64": np.float64}
# Types that NumPy lacks, and the type of their bits
BITS = {"bf16": np.uint16, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8}
# Types whose elements are hexadecimal bits in JSON
HEX_DIGITS = {"f16": 4, "bf16": 4, "f8E4M3FN": 2, "f8E5M2": 2}
TYPES = tuple(PLAIN) + tuple(BITS)
# Names that the package ml_dtypes has for types of BITS
ML_DTYPES = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
# Largest integer that every reader of JSON keeps exactly
LARGEST_NUMBER = 2 ** 53


def is_float(type_name: str) -> bool:
    """True if the elements of this type are floats."""
    return "f" in type_name


def storage(type_name: str) -> np.dtype:
    """Returns NumPy's type of the elements, or of their bits for types that NumPy lacks."""
    return np.dtype(PLAIN.get(type_name) or BITS[type_name])


def _f8_values(exponent_bits: int, has_infinity: bool) -> np.ndarray:
    """Returns the values of the 256 numbers of an 8-bit float."""
    mantissa_bits = 7 - exponent_bits
    bias = 2 ** (exponent_bits - 1) - 1
    values = []
    for bits in range(256):
        sign = -1.0 if bits & 128 else 1.0
        exponent = (bits & 127) >> mantissa_bits
        mantissa = bits & (2 ** mantissa_bits - 1)
        if has_infinity and exponent == 2 ** exponent_bits - 1:
            value = math.nan if mantissa else math.inf
        elif not has_infinity and bits & 127 == 127:
            value = math.nan
        elif exponent == 0:
            value = math.ldexp(mantissa, 1 - bias - mantissa_bits)
        else:
            value = math.ldexp(mantissa + 2 ** mantissa_bits, exponent - bias - mantissa_bits)
        values.append(sign * value)
    return np.array(values, np.float64)


F8_VALUES = {"f8E4M3FN": _f8_values(4, False), "f8E5M2": _f8_values(5, True)}


def decode(type_name: str, stored: np.ndarray) -> np.ndarray:
    """Returns the values of stored elements: floats as float64, integers as they are."""
    if type_name == "bf16":
        return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if type_name in F8_VALUES:
        return F8_VALUES[type_name][stored]
    return stored.astype(np.float64) if is_float(type_name) else stored


def _round_bf16(values: np.ndarray) -> np.ndarray:
    single = np.asarray(values, np.float32)
    bits = single.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(single), 0x7FC0, rounded).astype(np.uint16)


def _round_f8(type_name: str, values: np.ndarray) -> np.ndarray:
    """Rounds to nearest even. Overflow is NaN in f8E4M3FN and infinity in f8E5M2."""
    table = F8_VALUES[type_name][:128]
    last = 126 if type_name == "f8E4M3FN" else 123
    step = table[last] - table[last - 1]
    result = np.empty(np.shape(values), np.uint8)
    for where, value in np.ndenumerate(values):
        size = abs(float(value))
        if math.isnan(size):
            code = 127
        elif size > table[last] + step / 2 or (size == table[last] + step / 2 and last % 2):
            code = 127 if type_name == "f8E4M3FN" else 124
        else:
            distances = np.abs(table[:last + 1] - size)
            near = np.flatnonzero(distances == distances.min())
            code = int(near[0] if near[0] % 2 == 0 else near[-1])
        result[where] = code | (128 if math.copysign(1.0, float(value)) < 0 else 0)
    return result


def encode(type_name: str, values: Any) -> np.ndarray:
    """Returns the stored elements of values, rounded to nearest even. bf16 rounds from f32."""
    if type_name == "bf16":
        return _round_bf16(np.asarray(values))
    if type_name in F8_VALUES:
        return _round_f8(type_name, np.asarray(values, np.float64))
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(PLAIN[type_name])


def _read(type_name: str, item: Any) -> Any:
    if type_name in HEX_DIGITS:
        return int(item, 16)
    if is_float(type_name):
        return float(item)
    return int(item)


def _write(type_name: str, item: Any) -> Any:
    if type_name in HEX_DIGITS:
        return f"0x{int(item):0{HEX_DIGITS[type_name]}x}"
    if not is_float(type_name):
        return int(item) if abs(int(item)) <= LARGEST_NUMBER else str(int(item))
    # The shortest decimal of the element's own type reads back as the same element.
    value = float(np.format_float_scientific(item)) if np.isfinite(item) else float(item)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value == 0 and math.copysign(1.0, value) < 0:
        return "-0"
    return int(value) if value == int(value) and abs(value) < LARGEST_NUMBER else value


@dataclass
class Tensor:
    """A tensor of one of TYPES.

    `array` has the elements as NumPy stores them. For bf16 and the 8-bit floats, which NumPy
    lacks, `array` has the bits as unsigned integers. `array` is None if only the shape is known
    (see `Vector.shape_only`).
    """

    type: str
    shape: tuple[int, ...]
    array: np.ndarray | None

    @staticmethod
    def of(array: Any, type_name: str | None = None) -> Tensor:
        """Makes a tensor of an array. With `type_name`, `array` has that type's storage: bits
        for bf16 and 8-bit floats. Without it, the array's own type decides; the types of the
        package ml_dtypes are known by their names."""
        if isinstance(array, Tensor):
            return array
        array = np.asarray(array)
        if type_name is None:
            names = {np.dtype(dtype): name for name, dtype in PLAIN.items()}
            type_name = names.get(array.dtype)
            for name, other in ML_DTYPES.items():
                if array.dtype.name == other:
                    type_name, array = name, array.view(BITS[name])
            if type_name is None:
                raise TypeError(f"no element type for NumPy's {array.dtype}")
        elif array.dtype != storage(type_name):
            raise TypeError(f"{type_name} is stored as {storage(type_name)}, not {array.dtype}")
        return Tensor(type_name, array.shape, array)

    @staticmethod
    def from_values(type_name: str, values: Any) -> Tensor:
        """Makes a tensor of numbers, which are rounded to the type."""
        return Tensor.of(encode(type_name, values), type_name)

    def values(self) -> np.ndarray:
        """Returns the numbers: floats as float64, integers in their own type."""
        assert self.array is not None, "the tensor has only a shape"
        return decode(self.type, self.array)

    def ml_dtypes(self) -> np.ndarray:
        """Returns the elements as NumPy and the package ml_dtypes know them."""
        assert self.array is not None, "the tensor has only a shape"
        if self.type not in ML_DTYPES:
            return self.array
        import ml_dtypes
        return self.array.view(getattr(ml_dtypes, ML_DTYPES[self.type]))

    @staticmethod
    def from_json(data: dict[str, Any]) -> Tensor:
        """Reads the form that the module's documentation describes."""
        type_name, shape = data["type"], tuple(data["shape"])
        if "generate" in data:
            return Tensor(type_name, shape, generate(type_name, shape, data["generate"]))
        if "data" not in data:
            return Tensor(type_name, shape, None)
        items = [_read(type_name, item) for item in data["data"]]
        if type_name == "f16":
            return Tensor(type_name, shape, np.array(items, np.uint16).view(np.float16)
                          .reshape(shape))
        return Tensor(type_name, shape, np.array(items, storage(type_name)).reshape(shape))

    def to_json(self) -> dict[str, Any]:
        """Writes the form that the module's documentation describes, never with `generate`."""
        result: dict[str, Any] = {"type": self.type, "shape": [int(d) for d in self.shape]}
        if self.array is not None:
            stored = np.ascontiguousarray(self.array).reshape(-1)
            if self.type == "f16":
                stored = stored.view(np.uint16)
            result["data"] = [_write(self.type, item) for item in stored]
        return result


def generate(type_name: str, shape: tuple[int, ...], rule: dict[str, Any]) -> np.ndarray:
    """Returns the elements of an input that is given by a rule, see the module's text."""
    count = math.prod(shape)
    period = int(rule.get("modulo", max(count, 1)))
    one = np.float64 if is_float(type_name) else np.int64
    base = one(rule.get("start", 0)) + one(rule.get("step", 0)) * np.arange(period).astype(one)
    stored = encode(type_name, base)
    flat = np.resize(stored, count) if count else stored[:0]
    for position, value in rule.get("set", []):
        flat[position] = encode(type_name, np.array(_number(type_name, value)))
    return flat.reshape(shape)


def _number(type_name: str, value: Any) -> Any:
    return float(value) if is_float(type_name) else int(value)
