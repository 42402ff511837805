// mlir-opt --convert-gpu-to-spirv: the buffer of eight bf16 becomes one of four f32, and
// element %i of it is read.
module attributes {
  gpu.container_module,
  spirv.target_env = #spirv.target_env<
    #spirv.vce<v1.3, [Shader, StorageBuffer16BitAccess],
               [SPV_KHR_storage_buffer_storage_class, SPV_KHR_16bit_storage]>,
    #spirv.resource_limits<>>
} {
  gpu.module @kernels {
    gpu.func @copy(%x: memref<8xbf16, #spirv.storage_class<StorageBuffer>>,
                   %y: memref<8xbf16, #spirv.storage_class<StorageBuffer>>, %i: index) kernel
        attributes {spirv.entry_point_abi =
                      #spirv.entry_point_abi<workgroup_size = [1, 1, 1]>} {
      %a = memref.load %x[%i] : memref<8xbf16, #spirv.storage_class<StorageBuffer>>
      memref.store %a, %y[%i] : memref<8xbf16, #spirv.storage_class<StorageBuffer>>
      gpu.return
    }
  }
}
