// mlir-opt --convert-gpu-to-spirv: the result of the loop is a variable that only the loop's
// body stores. If %n is 0, the variable is read without a value, and must be %init.
module attributes {
  gpu.container_module,
  spirv.target_env = #spirv.target_env<
    #spirv.vce<v1.3, [Shader], [SPV_KHR_storage_buffer_storage_class]>, #spirv.resource_limits<>>
} {
  gpu.module @kernels {
    gpu.func @sum(%x: memref<8xf32, #spirv.storage_class<StorageBuffer>>, %n: index, %init: f32)
        kernel attributes {spirv.entry_point_abi =
                             #spirv.entry_point_abi<workgroup_size = [1, 1, 1]>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> f32 {
        %v = memref.load %x[%i] : memref<8xf32, #spirv.storage_class<StorageBuffer>>
        %b = arith.addf %a, %v : f32
        scf.yield %b : f32
      }
      memref.store %s, %x[%c0] : memref<8xf32, #spirv.storage_class<StorageBuffer>>
      gpu.return
    }
  }
}
