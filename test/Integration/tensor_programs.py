# RUN: env POOL_BUILD_DIR=%build_dir %python %s
# UNEXPLORED: its programs are fixed, and any data shows their faults.
"""Programs that pass tensors between functions, loops and branches around pooling must compute
NumPy's results, and must not leak memory.

Functions return and receive slices, and loops carry slices. Other programs have arithmetic and
upstream's operations on shapes. Each program runs on every path, also with `--guard-pages`, which
reports allocations that are not freed.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import tempfile

import numpy as np

from pooltest.report import Report, main
from pooltest.tools import Batch

PATHS = ("linalg", "affine", "vector")
X = np.random.default_rng(5).integers(-99, 99, (1, 1, 4, 6)).astype(np.float32)
S = np.random.default_rng(6).integers(-99, 99, (1, 1, 4, 4)).astype(np.float32)
D = "tensor<1x1x?x?xf32>"
STATIC = "tensor<1x1x4x4xf32>"
Q = np.random.default_rng(7).integers(-99, 99, (1, 2, 8)).astype(np.int16)
INPUTS = {D: X, STATIC: S, "tensor<1x2x8x!q>": Q}

# Functions that the cases call
CALLED = f"""
!q = !quant.uniform<i16:f32, 0.5>
func.func private @pool(%x: {D}) -> {D} {{
  %y = pool.max_pool %x kernel [1, 2] : {D} -> {D}
  return %y : {D}
}}
func.func private @same(%x: {D}) -> {D} {{
  return %x : {D}
}}
func.func private @columns(%x: {D}, %n: index) -> {D} {{
  %c2 = arith.constant 2 : index
  %h = tensor.dim %x, %c2 : {D}
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, %h, %n] [1, 1, 1, 1] : {D} to {D}
  return %s : {D}
}}
func.func private @negate(%x: {D}) -> {D} {{
  %y = arith.negf %x : {D}
  return %y : {D}
}}
func.func private @pool_static(%x: {STATIC}) -> tensor<1x1x4x3xf32> {{
  %y = pool.max_pool %x kernel [1, 2] : {STATIC} -> tensor<1x1x4x3xf32>
  return %y : tensor<1x1x4x3xf32>
}}
"""


def pool(x):
    return np.maximum(x[..., :-1], x[..., 1:])


# (name, type of the argument, type of the result, body, expected result)
CASES = []


def case(name, argument, result, body, expected):
    CASES.append((name, argument, result, body, expected))


CONSTANTS = "".join(f"  %c{i} = arith.constant {i} : index\n" for i in range(5))
DIMS = f"  %h = tensor.dim %x, %c2 : {D}\n  %w = tensor.dim %x, %c3 : {D}\n"
COLUMNS = (f"  %y = func.call @pool(%x) : ({D}) -> {D}\n"
           f"  %s = tensor.extract_slice %y[0, 0, 0, 1] [1, 1, %h, %c3] [1, 1, 1, 1] : {D} to {D}\n")

case("slice", D, D, COLUMNS + f"  return %s : {D}", pool(X)[..., 1:4])
case("strided_slice", D, D, f"""
  %s = tensor.extract_slice %x[0, 0, 1, 0] [1, 1, %c2, %c3] [1, 1, 2, 2] : {D} to {D}
  return %s : {D}""", X[..., 1::2, 0::2])
case("slice_of_argument", D, D, f"""
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, %h, %c2] [1, 1, 1, 1] : {D} to {D}
  return %s : {D}""", X[..., :2])
case("rows_of_argument", D, D, f"""
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, %c2, %w] [1, 1, 1, 1] : {D} to {D}
  return %s : {D}""", X[..., :2, :])
case("slice_without_a_dimension", D, "tensor<?x?xf32>", f"""
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, %h, %c2] [1, 1, 1, 1] : {D} to tensor<?x?xf32>
  return %s : tensor<?x?xf32>""", X[0, 0, :, :2])
case("column", D, "tensor<?xf32>", f"""
  %s = tensor.extract_slice %x[0, 0, 0, 1] [1, 1, %h, 1] [1, 1, 1, 1] : {D} to tensor<?xf32>
  return %s : tensor<?xf32>""", X[0, 0, :, 1])
case("slice_to_call", D, D, COLUMNS + f"""
  %r = func.call @pool(%s) : ({D}) -> {D}
  return %r : {D}""", pool(pool(X)[..., 1:4]))
case("slice_through_call", D, D, COLUMNS + f"""
  %r = func.call @same(%s) : ({D}) -> {D}
  return %r : {D}""", pool(X)[..., 1:4])
case("slice_from_call", D, D, f"""
  %r = func.call @columns(%x, %c3) : ({D}, index) -> {D}
  %y = pool.max_pool %r kernel [1, 2] : {D} -> {D}
  return %y : {D}""", pool(X[..., :3]))
case("slices_of_slices", D, D, f"""
  %r = func.call @columns(%x, %c4) : ({D}, index) -> {D}
  %t = func.call @columns(%r, %c2) : ({D}, index) -> {D}
  %n = func.call @negate(%t) : ({D}) -> {D}
  return %n : {D}""", -X[..., :2])
case("slice_and_whole", D, f"{D}, {D}", COLUMNS + f"  return %s, %y : {D}, {D}",
     (pool(X)[..., 1:4], pool(X)))
case("argument_twice", D, f"{D}, {D}", f"  return %x, %x : {D}, {D}", (X, X))
case("written_slice", D, f"{D}, {D}", COLUMNS + f"""
  %n = func.call @negate(%s) : ({D}) -> {D}
  return %n, %s : {D}, {D}""", (-pool(X)[..., 1:4], pool(X)[..., 1:4]))
case("inserted", D, D, COLUMNS + f"""
  %n = func.call @negate(%s) : ({D}) -> {D}
  %i = tensor.insert_slice %n into %y[0, 0, 0, 1] [1, 1, %h, %c3] [1, 1, 1, 1] : {D} into {D}
  return %i : {D}""",
     np.concatenate([pool(X)[..., :1], -pool(X)[..., 1:4], pool(X)[..., 4:]], axis=3))
case("filled_slice", D, D, COLUMNS + f"""
  %z = arith.constant 7.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%s : {D}) -> {D}
  return %f : {D}""", np.full((1, 1, 4, 3), 7, np.float32))
case("cast_slice", D, D, f"""
  %s = tensor.extract_slice %x[0, 0, 0, 1] [1, 1, %h, 2] [1, 1, 1, 1] : {D} to tensor<1x1x?x2xf32>
  %t = tensor.cast %s : tensor<1x1x?x2xf32> to {D}
  %y = pool.max_pool %t kernel [1, 2] : {D} -> {D}
  return %y : {D}""", pool(X[..., 1:3]))
case("static_slice", STATIC, "tensor<1x1x4x2xf32>", f"""
  %y = func.call @pool_static(%x) : ({STATIC}) -> tensor<1x1x4x3xf32>
  %s = tensor.extract_slice %y[0, 0, 0, 1] [1, 1, 4, 2] [1, 1, 1, 1]
      : tensor<1x1x4x3xf32> to tensor<1x1x4x2xf32>
  return %s : tensor<1x1x4x2xf32>""", pool(S)[..., 1:])

# Loops and branches
ONES = "pads_begin [1, 1] pads_end [1, 1]"


def dilate(x, times=1):
    for _ in range(times):
        p = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
        x = np.max([p[:, :, i:i + x.shape[2], j:j + x.shape[3]]
                    for i in range(3) for j in range(3)], axis=0)
    return x


case("loop", D, D, f"""
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> {D} {{
    %q = pool.max_pool %a kernel [3, 3] {ONES} : {D} -> {D}
    scf.yield %q : {D}
  }}
  return %l : {D}""", dilate(X, 3))
case("static_loop", STATIC, STATIC, f"""
  %l = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> {STATIC} {{
    %q = pool.max_pool %a kernel [3, 3] {ONES} : {STATIC} -> {STATIC}
    scf.yield %q : {STATIC}
  }}
  return %l : {STATIC}""", dilate(S, 2))
case("loop_without_iterations", D, D, f"""
  %l = scf.for %i = %c3 to %c0 step %c1 iter_args(%a = %x) -> {D} {{
    %q = pool.max_pool %a kernel [3, 3] {ONES} : {D} -> {D}
    scf.yield %q : {D}
  }}
  return %l : {D}""", X)
case("loop_over_slice", D, D, COLUMNS + f"""
  %l = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %s) -> {D} {{
    %q = pool.max_pool %a kernel [3, 3] {ONES} : {D} -> {D}
    scf.yield %q : {D}
  }}
  return %l : {D}""", dilate(pool(X)[..., 1:4], 2))
case("loop_that_shrinks", D, D, f"""
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> {D} {{
    %v = tensor.dim %a, %c3 : {D}
    %m = arith.subi %v, %c1 : index
    %s = tensor.extract_slice %a[0, 0, 0, 1] [1, 1, %h, %m] [1, 1, 1, 1] : {D} to {D}
    scf.yield %s : {D}
  }}
  return %l : {D}""", X[..., 3:])
case("loop_that_swaps", D, f"{D}, {D}", f"""
  %n = arith.negf %x : {D}
  %l:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %n) -> ({D}, {D}) {{
    scf.yield %b, %a : {D}, {D}
  }}
  return %l#0, %l#1 : {D}, {D}""", (-X, X))
case("loop_of_calls", D, D, f"""
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> {D} {{
    %q = func.call @pool(%a) : ({D}) -> {D}
    scf.yield %q : {D}
  }}
  %r = func.call @pool(%l) : ({D}) -> {D}
  return %r : {D}""", pool(pool(pool(pool(X)))))
case("loop_of_loops", D, D, f"""
  %l = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> {D} {{
    %m = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> {D} {{
      %q = pool.max_pool %b kernel [1, 2] : {D} -> {D}
      scf.yield %q : {D}
    }}
    %n = arith.negf %m : {D}
    scf.yield %n : {D}
  }}
  return %l : {D}""", -pool(pool(-pool(pool(X)))))
case("while", D, D, f"""
  %l = scf.while (%a = %x) : ({D}) -> {D} {{
    %v = tensor.dim %a, %c3 : {D}
    %go = arith.cmpi ugt, %v, %c3 : index
    scf.condition(%go) %a : {D}
  }} do {{
  ^bb0(%a: {D}):
    %q = pool.max_pool %a kernel [1, 2] : {D} -> {D}
    scf.yield %q : {D}
  }}
  return %l : {D}""", pool(pool(pool(X))))
case("branches", D, D, COLUMNS + f"""
  %go = arith.cmpi ugt, %h, %c3 : index
  %l = scf.if %go -> {D} {{
    scf.yield %s : {D}
  }} else {{
    %q = pool.max_pool %x kernel [1, 2] : {D} -> {D}
    scf.yield %q : {D}
  }}
  return %l : {D}""", pool(X)[..., 1:4])
case("branch_of_argument", D, D, f"""
  %go = arith.cmpi ult, %h, %c3 : index
  %l = scf.if %go -> {D} {{
    %q = pool.max_pool %x kernel [1, 2] : {D} -> {D}
    scf.yield %q : {D}
  }} else {{
    scf.yield %x : {D}
  }}
  return %l : {D}""", X)
case("blocks", D, D, COLUMNS + f"""
  %go = arith.cmpi ugt, %h, %c3 : index
  cf.cond_br %go, ^end(%s : {D}), ^end(%x : {D})
^end(%r: {D}):
  %q = pool.max_pool %r kernel [1, 2] : {D} -> {D}
  return %q : {D}""", pool(pool(X)[..., 1:4]))
case("selected", D, D, COLUMNS + f"""
  %go = arith.cmpi ugt, %h, %c3 : index
  %r = arith.select %go, %s, %y : {D}
  return %r : {D}""", pool(X)[..., 1:4])
case("switch", D, D, COLUMNS + f"""
  %r = scf.index_switch %h -> {D}
  case 4 {{
    scf.yield %s : {D}
  }}
  default {{
    scf.yield %x : {D}
  }}
  return %r : {D}""", pool(X)[..., 1:4])
case("forall", STATIC, STATIC, f"""
  %e = tensor.empty() : {STATIC}
  %r = scf.forall (%i) in (2) shared_outs(%o = %e) -> ({STATIC}) {{
    %j = affine.apply affine_map<(i) -> (2 * i)>(%i)
    %s = tensor.extract_slice %x[0, 0, %j, 0] [1, 1, 2, 4] [1, 1, 1, 1] : {STATIC} to tensor<1x1x2x4xf32>
    %n = arith.negf %s : tensor<1x1x2x4xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %n into %o[0, 0, %j, 0] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x4xf32> into {STATIC}
    }}
  }}
  return %r : {STATIC}""", -S)

# Arithmetic and shapes
case("arithmetic", D, D, f"""
  %y = pool.max_pool %x kernel [1, 1] : {D} -> {D}
  %a = arith.addf %y, %x : {D}
  %b = math.absf %a : {D}
  %c = arith.cmpf ogt, %b, %x : {D}
  %r = arith.select %c, %b, %x : tensor<1x1x?x?xi1>, {D}
  return %r : {D}""", np.maximum(np.abs(2 * X), X))
case("constant", STATIC, STATIC, f"""
  %k = arith.constant dense<2.0> : {STATIC}
  %y = pool.max_pool %x kernel [1, 1] : {STATIC} -> {STATIC}
  %r = arith.mulf %y, %k : {STATIC}
  return %r : {STATIC}""", 2 * S)
case("constant_returned", D, "tensor<2x2xf32>", """
  %k = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  return %k : tensor<2x2xf32>""", np.array([[1, 2], [3, 4]], np.float32))
case("concat", D, D, f"""
  %y = pool.max_pool %x kernel [1, 2] : {D} -> {D}
  %r = tensor.concat dim(3) %x, %y : ({D}, {D}) -> {D}
  return %r : {D}""", np.concatenate([X, pool(X)], axis=3))
case("reshape", STATIC, STATIC, f"""
  %k = tensor.collapse_shape %x [[0, 1, 2, 3]] : {STATIC} into tensor<16xf32>
  %n = arith.negf %k : tensor<16xf32>
  %r = tensor.expand_shape %n [[0, 1, 2, 3]] output_shape [1, 1, 4, 4] : tensor<16xf32> into {STATIC}
  return %r : {STATIC}""", -S)
case("collapsed_slice", D, "tensor<?xf32>", COLUMNS + f"""
  %k = tensor.collapse_shape %s [[0, 1, 2, 3]] : {D} into tensor<?xf32>
  return %k : tensor<?xf32>""", pool(X)[..., 1:4].ravel())
case("pad", D, D, f"""
  %z = arith.constant 3.0 : f32
  %r = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 2] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  }} : {D} to {D}
  %y = pool.max_pool %r kernel [1, 2] : {D} -> {D}
  return %y : {D}""",
     pool(np.pad(X, ((0, 0), (0, 0), (1, 0), (0, 2)), constant_values=3)))
case("splat", D, D, f"""
  %z = arith.constant 3.0 : f32
  %k = tensor.splat %z[%h, %w] : {D}
  %r = arith.addf %x, %k : {D}
  return %r : {D}""", X + 3)
case("generate", D, D, f"""
  %k = tensor.generate %h, %w {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %v = tensor.extract %x[%c0, %c0, %k, %c0] : {D}
    tensor.yield %v : f32
  }} : {D}
  return %k : {D}""", np.broadcast_to(X[..., :1], X.shape))
case("elements", D, "tensor<2xf32>", f"""
  %a = tensor.extract %x[%c0, %c0, %c0, %c1] : {D}
  %b = tensor.extract %x[%c0, %c0, %c1, %c0] : {D}
  %r = tensor.from_elements %a, %b : tensor<2xf32>
  return %r : tensor<2xf32>""", np.array([X[0, 0, 0, 1], X[0, 0, 1, 0]]))
case("linalg", D, D, f"""
  %e = tensor.empty(%w, %h) : {D}
  %t = linalg.transpose ins(%x : {D}) outs(%e : {D}) permutation = [0, 1, 3, 2]
  %y = pool.max_pool %t kernel [1, 2] : {D} -> {D}
  return %y : {D}""", pool(np.swapaxes(X, 2, 3)))

# Quantised tensors: tiles of a pooling, and a loop that carries a quantised tensor
case("quantised_tiles", "tensor<1x2x8x!q>", "tensor<1x2x7x!q>", """
  %e = tensor.empty() : tensor<1x2x7x!q>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%o = %e) -> tensor<1x2x7x!q> {
    %s = tensor.extract_slice %x[0, %i, 0] [1, 1, 8] [1, 1, 1] : tensor<1x2x8x!q> to tensor<1x1x8x!q>
    %y = pool.max_pool %s kernel [2] : tensor<1x1x8x!q> -> tensor<1x1x7x!q>
    %n = tensor.insert_slice %y into %o[0, %i, 0] [1, 1, 7] [1, 1, 1] : tensor<1x1x7x!q> into tensor<1x2x7x!q>
    scf.yield %n : tensor<1x2x7x!q>
  }
  return %r : tensor<1x2x7x!q>""", pool(Q))
case("quantised_loop", "tensor<1x2x8x!q>", "tensor<1x2x8xi16>", """
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> tensor<1x2x8x!q> {
    %y = pool.max_pool %a kernel [3] pads_begin [1] pads_end [1] : tensor<1x2x8x!q> -> tensor<1x2x8x!q>
    scf.yield %y : tensor<1x2x8x!q>
  }
  %s = quant.scast %r : tensor<1x2x8x!q> to tensor<1x2x8xi16>
  return %s : tensor<1x2x8xi16>""",
     np.max([np.pad(Q, ((0, 0), (0, 0), (2, 2)), constant_values=-99)[..., i:i + 8]
             for i in range(5)], axis=0))
case("quantised_blocks", "tensor<1x2x8x!q>", "tensor<1x2x7x!q>", """
  %true = arith.constant true
  cf.cond_br %true, ^next(%x : tensor<1x2x8x!q>), ^next(%x : tensor<1x2x8x!q>)
^next(%b: tensor<1x2x8x!q>):
  %y = pool.avg_pool %b kernel [2] divisor_override 1 : tensor<1x2x8x!q> -> tensor<1x2x7x!q>
  return %y : tensor<1x2x7x!q>""", Q[..., 1:] + Q[..., :-1])


def get_text(name, argument, result, body):
    dims = DIMS if argument == D else ""
    return f"func.func @{name}(%x: {argument}) -> ({result}) {{\n{CONSTANTS}{dims}{body}\n}}\n"


def check():
    report = Report("tensor programs")
    with tempfile.TemporaryDirectory() as directory:
        batch = Batch(directory)
        batch.texts.append(CALLED)
        runs = []
        for name, argument, result, body, expected in CASES:
            arrays = expected if isinstance(expected, tuple) else (expected,)
            text = get_text(name, argument, result, body)
            batch.add(name, text, [INPUTS[argument]], [array.dtype for array in arrays])
            runs.append((name, text, arrays))
        for options in ([f"--path={path}", f"--guard-pages={guard}"]
                        for path in PATHS for guard in ("none", "end")):
            results, process = batch.run(*options)
            report.expect(process.returncode == 0, f"{options}", process.stderr)
            for (name, text, arrays), got in zip(runs, results):
                report.count(options[0])
                equal = got is not None and all(
                    g.shape == a.shape and np.array_equal(g, a) for g, a in zip(got, arrays))
                report.expect(equal, f"{name} {options}", text, expected=arrays, got=got)
    return report.finish()


if __name__ == "__main__":
    main(check)
