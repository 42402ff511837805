"""Prints a module for large-position.mlir: a search for the position of a maximum. Its position
is a product of 38 factors, each a sum of a loop's variable and 1.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

LOOPS = "n, c, o, p, q, t, u, v"
OUTPUTS = f"affine_map<({LOOPS}) -> (n, c, o, p, q)>"
TAPS = f"affine_map<({LOOPS}) -> (t, u, v)>"
ITERATORS = '["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]'

print("""
func.func @large_position(%x: tensor<9x9x9x9x9xf32>) -> tensor<9x9x8x8x8xi64> {
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : i64
  %init = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<9x9x8x8x8xf32>
  %inits = linalg.fill ins(%init : f32) outs(%empty : tensor<9x9x8x8x8xf32>) -> tensor<9x9x8x8x8xf32>
  %taps = tensor.empty() : tensor<2x2x2xf32>""")
print(f"""
  %values = linalg.generic {{
      indexing_maps = [affine_map<({LOOPS}) -> (n, c, o + t, p + u, q + v)>, {TAPS}, {OUTPUTS}],
      iterator_types = {ITERATORS}}}
      ins(%x, %taps : tensor<9x9x9x9x9xf32>, tensor<2x2x2xf32>) outs(%inits : tensor<9x9x8x8x8xf32>) {{
  ^bb0(%in: f32, %tap: f32, %most: f32):
    %more = arith.maximumf %in, %most : f32
    linalg.yield %more : f32
  }} -> tensor<9x9x8x8x8xf32>
  %first = arith.constant dense<-1> : tensor<9x9x8x8x8xi64>
  %indices = linalg.generic {{
      indexing_maps = [{OUTPUTS}, {TAPS}, {OUTPUTS}],
      iterator_types = {ITERATORS}}}
      ins(%values, %taps : tensor<9x9x8x8x8xf32>, tensor<2x2x2xf32>) outs(%first : tensor<9x9x8x8x8xi64>) {{
  ^bb0(%in: f32, %tap: f32, %found: i64):""")
for loop in range(8):
    print(f"    %l{loop} = linalg.index {loop} : index")
for i in range(3):
    print(f"    %at{i} = arith.addi %l{2 + i}, %l{5 + i} : index")
product = "%c1"
for factor in range(38):
    print(f"    %s{factor} = arith.addi %l{factor % 8}, %c1 : index")
    print(f"    %p{factor} = arith.muli {product}, %s{factor} : index")
    product = f"%p{factor}"
print(f"""
    %element = tensor.extract %x[%l0, %l1, %at0, %at1, %at2] : tensor<9x9x9x9x9xf32>
    %equal = arith.cmpf oeq, %element, %in : f32
    %position = arith.index_cast {product} : index to i64
    %taken = arith.select %equal, %position, %found : i64
    %isFirst = arith.cmpi eq, %found, %none : i64
    %kept = arith.select %isFirst, %taken, %found : i64
    linalg.yield %kept : i64
  }} -> tensor<9x9x8x8x8xi64>
  return %indices : tensor<9x9x8x8x8xi64>
}}""")
