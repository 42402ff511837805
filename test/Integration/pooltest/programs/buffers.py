"""Bufferises a program before its windows become loops.

Arguments and results of functions become buffers. Each public function gets a wrapper on
tensors, which takes over the function's name, so that pool-run calls the wrapper.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
from dataclasses import dataclass

# Without `affine-loop-fusion`, which crashes (docs/Internals/upstream/passes.md).
AFFINE = ("affine-scalrep", "affine-loop-invariant-code-motion", "affine-loop-normalize",
          "affine-loop-unroll{unroll-factor=2}", "affine-simplify-min-max", "lower-affine")


@dataclass(frozen=True)
class Buffers:
    """The last step of a program: bufferisation, a conversion of windows on buffers, and
    further passes."""

    conversion: str
    passes: tuple = ()

    def pipeline(self):
        return ["pool-legalize-slices", "pool-decompose", "convert-elementwise-to-linalg",
                "convert-pool-to-linalg{keep-windows}",
                "pool-bufferize", self.conversion, "convert-pool-to-loops",
                *(name if name.startswith("lower") else f"func.func({name})"
                  for name in self.passes)]

    def __str__(self):
        return f"buffers by {self.conversion} {' '.join(self.passes)}"


def split(types):
    """Splits a list of types, which themselves contain commas."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(types):
        depth += (letter in "<([{") - (letter in ">)]}" and types[place - 1:place] != "-")
        if letter == "," and depth == 0:
            found.append(types[start:place].strip())
            start = place + 1
    return [t for t in [*found, types[start:].strip()] if t]


def tensor(kind):
    """Returns the tensor type for a buffer's type."""
    return re.sub(r", strided<.*", ">", kind).replace("memref", "tensor", 1)


def wrap(module, name):
    """Adds a function `name` on tensors, and makes the function on buffers private."""
    signature = re.search(rf"func\.func @{name}\((.*)\) -> (.*?) (?:attributes .*)?{{$", module,
                          re.MULTILINE)
    args = [arg.split(": ", 1)[1] for arg in split(signature[1])]
    results = split(signature[2].removeprefix("(").removesuffix(")")
                    if signature[2].startswith("(") else signature[2])
    module = module.replace(f"@{name}(", f"@{name}_on_buffers(")
    module = module.replace(f"func.func @{name}_on_buffers(",
                            f"func.func private @{name}_on_buffers(")
    is_buffer = [kind.startswith("memref") for kind in args]
    lines = [f"%m{i} = bufferization.to_buffer %x{i} read_only : {tensor(kind)} to {kind}"
             for i, kind in enumerate(args) if is_buffer[i]]
    given = ", ".join(f"%m{i}" if buffer else f"%x{i}" for i, buffer in enumerate(is_buffer))
    names = ", ".join(f"%r{i}" for i in range(len(results)))
    lines.append(f"{names} = func.call @{name}_on_buffers({given}) : ({', '.join(args)}) -> "
                 f"({', '.join(results)})")
    lines += [f"%t{i} = bufferization.to_tensor %r{i} restrict : {kind} to {tensor(kind)}"
              for i, kind in enumerate(results)]
    outer = ", ".join(map(tensor, results))
    lines.append(f"return {', '.join(f'%t{i}' for i in range(len(results)))} : {outer}")
    typed = ", ".join(f"%x{i}: {tensor(kind) if is_buffer[i] else kind}"
                      for i, kind in enumerate(args))
    body = "\n  ".join(lines)
    function = f"func.func @{name}({typed}) -> ({outer}) {{\n  {body}\n}}\n"
    place = module.rindex("}")
    return module[:place] + function + module[place:]
