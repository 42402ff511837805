// Two pipelines leave this loop on the host, without a diagnostic and with exit code 0:
// --gpu-lower-to-nvvm-pipeline=cubin-format=isa; and tiles of 64, which do not divide 100:
// scf-parallel-loop-tiling{parallel-loop-tile-sizes=1,64}, gpu-map-parallel-loops,
// convert-parallel-loops-to-gpu.
func.func @double(%x: memref<8x100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c100) step (%c1, %c1) {
    %a = memref.load %x[%i, %j] : memref<8x100xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %x[%i, %j] : memref<8x100xf32>
    scf.reduce
  }
  return
}
