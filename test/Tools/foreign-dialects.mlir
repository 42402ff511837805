// The tools do not lower dialects of other front ends, such as TOSA and
// StableHLO. The error must name the operation of such a dialect, and the pass
// that raises it.

// RUN: split-file %s %t
// RUN: not pool-compile %t/tosa.mlir -o %t/tosa.o 2>&1 | FileCheck %s --check-prefix=TOSA
// RUN: not pool-opt %t/tosa.mlir --pool-to-llvm 2>&1 | FileCheck %s --check-prefix=TOSA
// RUN: not pool-run %t/stablehlo.mlir 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not pool-compile %t/generic.mlir -o %t/generic.o 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not pool-opt %t/generic.mlir --allow-unregistered-dialect --pool-to-llvm 2>&1 | FileCheck %s --check-prefix=RAISE
// RUN: not pool-run %t/result.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT

// TOSA: tosa.mlir:3:8: error: 'tosa.max_pool2d' op is not lowered: the pipeline takes the pool dialect and operations on tensors that bufferize; --convert-tosa-to-pool raises TOSA's pooling, --tosa-to-linalg lowers the rest
// FOREIGN: error:
// FOREIGN: note: this tool lowers the pool dialect and upstream's dialects; StableHLO in the generic form is raised by pool-opt --allow-unregistered-dialect --convert-stablehlo-to-pool, jaxlib's stablehlo-legalize-to-linalg lowers the rest, models of PyTorch, JAX and ONNX are read by the Python package
// RAISE: error: 'stablehlo.add' op is not lowered: {{.*}}; --convert-stablehlo-to-pool raises StableHLO's pooling, jaxlib's stablehlo-legalize-to-linalg lowers the rest
// OUTPUT: pool-run: error: 'f' has 1 result(s), but 0 output file(s) given; --output takes one for each result

//--- tosa.mlir
func.func @f(%x: tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> {
  // A pool of TOSA
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>,
         pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
     : (tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32>
  return %0 : tensor<1x3x3x2xf32>
}

//--- stablehlo.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- generic.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- result.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
