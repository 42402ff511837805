"""Prints a module for tiling-long-chain.mlir: a chain of 20 max_unpool, and a transform that
fuses it into a loop over the batch.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

LENGTH = 20
VALUES = "tensor<?x?x?xf32>"
INDICES = "tensor<?x?x?xi64>"

indices = "".join(f", %i{i}: {INDICES}" for i in range(LENGTH))
print(f"func.func @chain(%x0: {VALUES}, %y{LENGTH}: {VALUES}{indices}) -> {VALUES} {{")
for d in range(3):
    print(f"  %c{d} = arith.constant {d} : index")
for i in range(LENGTH):
    print(f"  %x{i + 1} = pool.max_pool %x{i} kernel [3] pads_begin [1] pads_end [1] : {VALUES} -> {VALUES}")
    for d in range(3):
        print(f"  %d{i}_{d} = tensor.dim %x{i}, %c{d} : {VALUES}")
for i in reversed(range(LENGTH)):
    extents = ", ".join(f"%d{i}_{d}" for d in range(3))
    print(f"  %y{i} = pool.max_unpool %y{i + 1}, %i{i} extents({extents}) axis 1 : {VALUES}, {INDICES} -> {VALUES}")
print(f"""  return %y0 : {VALUES}
}}
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %return = transform.structured.match ops{{["func.return"]}} in %root : (!transform.any_op) -> !transform.any_op
    %op = transform.get_producer_of_operand %return[0] : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }}
}}""")
