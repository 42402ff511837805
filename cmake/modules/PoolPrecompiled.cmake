# The target PoolPrecompiled: upstream's headers that most sources include,
# compiled once. A target takes part with
#   target_precompile_headers(<target> REUSE_FROM PoolPrecompiled)
#
# None of these headers is generated from this project's .td files: an edit of such a file
# would compile the precompiled header, and then everything, again. Sources still include
# what they use, and clang-tidy compiles them without the precompiled header
# (scripts/compile-commands.py).
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# CMake requires a source.
set(source ${PROJECT_BINARY_DIR}/Precompiled.cpp)
file(CONFIGURE OUTPUT ${source} CONTENT "")
add_library(PoolPrecompiled OBJECT ${source})
target_precompile_headers(PoolPrecompiled PRIVATE
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Arith/Utils/Utils.h>
  <mlir/Dialect/Bufferization/IR/Bufferization.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/PatternMatch.h>
  <mlir/Interfaces/TilingInterface.h>
  <mlir/Interfaces/ValueBoundsOpInterface.h>
)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Without this option, the precompiled header contains the time at which CMake wrote its
  # source. In a new build folder, ccache would then find none of the code that uses the
  # header.
  target_compile_options(PoolPrecompiled PRIVATE
    "SHELL:-Xclang -fno-pch-timestamp"
  )
endif()
