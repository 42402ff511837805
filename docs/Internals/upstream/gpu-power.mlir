// gpu.module(convert-gpu-to-nvvm), gpu-module-to-binary{format=isa}, where no CUDA toolkit is
// found: the PTX calls __nv_powf, which nothing defines, and nothing is reported.
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90", features = "+ptx80">] {
    gpu.func @square(%x: memref<8xf32>, %p: f32, %i: index) kernel {
      %a = memref.load %x[%i] : memref<8xf32>
      %b = math.powf %a, %p : f32
      memref.store %b, %x[%i] : memref<8xf32>
      gpu.return
    }
  }
}
