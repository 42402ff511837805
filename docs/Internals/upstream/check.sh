#!/bin/sh
# Says of each reproducer in this directory whether the fault is there.
#
# usage: check.sh [DIRECTORY OF llc, opt AND mlir-opt]   (default: /usr/lib/llvm-22/bin)
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -u
llvm=${1:-/usr/lib/llvm-22/bin}
here=$(cd "$(dirname "$0")" && pwd)
for tool in llc opt mlir-opt; do
  [ -x "$llvm/$tool" ] || {
    echo "$0: no $tool in $llvm" >&2
    exit 1
  }
done

# say FAULT STATUS: 0 says that the fault is gone.
say() {
  if [ "$2" = 0 ]; then echo "gone     $1"; else echo "present  $1"; fi
}

# It depends on where memory lies.
crashed=0
for run in 1 2 3 4 5 6 7 8 9 10; do
  LLVM_DISABLE_CRASH_REPORT=$run "$llvm/llc" -O3 "$here/two-address.ll" \
    -o /dev/null 2>/dev/null || crashed=1
done
say two-address $crashed

"$llvm/llc" -O2 "$here/one-lane-store.ll" -o - |
  grep -Eq '(vmovss|vmovd|vmovlps|vmovq|movl|movq)[[:space:]]+%[a-z0-9]+, \(%rdi\)'
[ $? = 1 ]
say one-lane-store $?

timeout 10 "$llvm/opt" -passes='loop(loop-idiom)' "$here/selection-chain.ll" \
  -o /dev/null
say selection-chain $?

partition() {
  "$llvm/mlir-opt" --pass-pipeline='builtin.module(func.func(shard-partition))' "$1" \
    2>/dev/null
}
partition "$here/shard-halo.mlir" | grep -q 'tosa.abs.*tensor<4x11xf32>'
say shard-halo $?
partition "$here/shard-silent.mlir" | grep -q 'func @columns.*-> tensor<4x4x11xf32>'
say shard-silent-halo $?
! partition "$here/shard-silent.mlir" | grep -q 'func @uneven.*: tensor<2xf32>'
say shard-uneven $?
lowered=$("$llvm/mlir-opt" --convert-to-llvm "$here/mpi-openmpi.mlir")
! echo "$lowered" | grep -A1 'call @MPI_Comm_split' | grep -q 'load .* -> i32'
say mpi-comm-split $?
! echo "$lowered" | grep -q '@ompi_mpi_sum'
say mpi-sum $?
echo "$lowered" | sed -n '/@send/,/MPI_Send/p' | grep -q 'llvm.mul'
say mpi-count $?

"$llvm/mlir-opt" --one-shot-bufferize="bufferize-function-boundaries \
function-boundary-type-conversion=identity-layout-map" "$here/strided-cast.mlir" |
  grep -q 'memref.cast.*strided<.*to memref<?x?xf32>$'
[ $? = 1 ]
say strided-cast $?
LLVM_DISABLE_CRASH_REPORT=1 "$llvm/mlir-opt" --buffer-deallocation-simplification \
  "$here/stale-origins.mlir" >/dev/null 2>&1
say stale-origins $?

! "$llvm/llc" -mattr=+avx512bf16,+avx512vl "$here/bf16-blocks.ll" -o - |
  grep -q vcvtneps2bf16
say bf16-blocks $?

export LLVM_DISABLE_CRASH_REPORT=1
! "$llvm/mlir-opt" --remove-dead-values "$here/dead-values.mlir" | grep -q ub.poison
say dead-values $?
"$llvm/mlir-opt" --allow-unregistered-dialect --inline "$here/inline-region.mlir" \
  >/dev/null 2>&1
say inline-region $?
"$llvm/mlir-opt" --allow-unregistered-dialect --int-range-optimizations \
  "$here/integer-ranges.mlir" >/dev/null 2>&1
say integer-ranges $?
"$llvm/mlir-opt" \
  --one-shot-bufferize="bufferize-function-boundaries must-infer-memory-space" \
  "$here/memory-space.mlir" >/dev/null 2>&1
# An error is as good as buffers.
[ $? -lt 128 ]
say memory-space $?
"$llvm/mlir-opt" --convert-cf-to-llvm "$here/gpu-assert.mlir" >/dev/null 2>&1
say gpu-assert $?
"$llvm/mlir-opt" --eliminate-empty-tensors "$here/empty-in-own-result.mlir" \
  >/dev/null 2>&1
say empty-in-own-result $?
"$llvm/mlir-opt" --one-shot-bufferize=bufferize-function-boundaries \
  "$here/unknown-strides.mlir" >/dev/null 2>&1
say unknown-strides $?
"$llvm/mlir-opt" --canonicalize "$here/rank-reduced-insert.mlir" >/dev/null 2>&1
say rank-reduced-insert $?
"$llvm/mlir-opt" --canonicalize "$here/rank-reduced-view.mlir" >/dev/null 2>&1
say rank-reduced-view $?
"$llvm/mlir-opt" --canonicalize "$here/rank-reduced-silent.mlir" |
  grep -q 'to tensor<1x1x8xi8>'
say rank-reduced-silent $?
"$llvm/mlir-opt" --canonicalize "$here/rank-reduced-crash.mlir" >/dev/null 2>&1
say rank-reduced-crash $?
"$llvm/mlir-opt" --one-shot-bufferize=bufferize-function-boundaries \
  "$here/empty-slice.mlir" >/dev/null 2>&1
say empty-slice $?
"$llvm/mlir-opt" --canonicalize "$here/affine-bounds.mlir" >/dev/null 2>&1
say affine-bounds $?
"$llvm/mlir-opt" --affine-loop-fusion "$here/affine-fusion.mlir" >/dev/null 2>&1
say affine-fusion $?
"$llvm/mlir-opt" --one-shot-bufferize=allow-unknown-ops \
  "$here/tensor-arithmetic.mlir" >/dev/null 2>&1
say tensor-arithmetic $?
! "$llvm/mlir-opt" --pass-pipeline='builtin.module(func.func(tosa-to-linalg))' \
  "$here/clamp-unsigned.mlir" | grep -q 'arith.constant 0 : i8'
say clamp-unsigned $?

"$llvm/mlir-opt" --allow-unregistered-dialect --math-extend-to-supported-types \
  "$here/math-extend.mlir" >/dev/null 2>&1
say math-extend $?

! "$llvm/llc" "$here/gpu-maximum.ll" -o - | grep -q fmax
say gpu-maximum $?
"$llvm/mlir-opt" --gpu-lower-to-nvvm-pipeline=cubin-format=isa "$here/gpu-host-loop.mlir" \
  2>/dev/null | grep -q llvm.fadd
[ $? = 1 ]
say gpu-nvvm-host-loop $?
"$llvm/mlir-opt" --pass-pipeline='builtin.module(func.func(
    scf-parallel-loop-tiling{parallel-loop-tile-sizes=1,64}, gpu-map-parallel-loops,
    convert-parallel-loops-to-gpu))' "$here/gpu-host-loop.mlir" 2>/dev/null |
  grep -q scf.parallel
[ $? = 1 ]
say gpu-tiled-host-loop $?
! "$llvm/mlir-opt" --convert-gpu-to-spirv "$here/gpu-narrow-floats.mlir" 2>/dev/null |
  grep -q 'array<4 x f32'
say gpu-narrow-floats $?
"$llvm/mlir-opt" --convert-gpu-to-spirv "$here/gpu-empty-loop.mlir" 2>/dev/null |
  grep -q 'spirv.Variable :'
[ $? = 1 ]
say gpu-empty-loop $?
! env -u CUDA_ROOT -u CUDA_HOME -u CUDA_PATH "$llvm/mlir-opt" \
  --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm),
    gpu-module-to-binary{format=isa})' "$here/gpu-power.mlir" 2>/dev/null |
  grep -q 'extern .func.*__nv_powf'
say gpu-power $?
