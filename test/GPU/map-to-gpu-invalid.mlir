// pool-map-to-gpu must reject code that would stay on the host, where it cannot
// use the kernels' buffers. Upstream's passes leave such code on the host
// without a message.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-map-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: not pool-opt %s --pool-map-to-gpu=block=2000 2>&1 | FileCheck %s

// CHECK: block=2000 is not between 1 and 1024 threads

func.func @carried(%x: memref<8xf32>, %zero: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{this loop would stay on the host: make it an 'scf.parallel' loop}}
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  return %s : f32
}

// -----

func.func @kernels_in_loop(%y: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{this loop would stay on the host}}
  scf.for %i = %c0 to %c8 step %c1 {
    scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
      memref.store %v, %y[%j] : memref<8xf32>
    }
  }
  return
}

// -----

func.func @affine_loop(%y: memref<8xf32>, %v: f32) {
  // expected-error@+1 {{this loop would stay on the host}}
  affine.for %i = 0 to 8 {
    affine.store %v, %y[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @while(%go: i1) {
  // expected-error@+1 {{this loop would stay on the host}}
  scf.while : () -> () {
    scf.condition(%go)
  } do {
    scf.yield
  }
  return
}

// -----

func.func @reduction(%x: memref<8xf32>, %zero: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{a reduction over parallel iterations has no kernel}}
  %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return %s : f32
}

// -----

func.func @access(%x: memref<f32>) -> f32 {
  // expected-error@+1 {{this access would stay on the host, but its buffer is on the device}}
  %v = memref.load %x[] : memref<f32>
  return %v : f32
}

// -----

// No upper bound of the extent is known.
func.func @allocation(%y: memref<?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %rest = arith.addi %n, %i : index
    // expected-error@+1 {{a kernel cannot allocate: move this out of the loop, or let the loop store into a buffer outside of it}}
    %t = memref.alloc(%rest) : memref<?xf32>
    memref.store %v, %t[%c0] : memref<?xf32>
    %w = memref.load %t[%c1] : memref<?xf32>
    memref.store %w, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// The maximum of an integer type does not count as an upper bound.
func.func @loaded_extent(%sizes: memref<8xi32>, %y: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %loaded = memref.load %sizes[%i] : memref<8xi32>
    %size = arith.index_cast %loaded : i32 to index
    // expected-error@+1 {{a kernel cannot allocate}}
    %t = memref.alloc(%size) : memref<?xf32>
    memref.store %v, %t[%c0] : memref<?xf32>
    %w = memref.load %t[%c1] : memref<?xf32>
    memref.store %w, %y[%i] : memref<8xf32>
  }
  return
}

// -----

// The buffer itself is stored.
func.func @stored_buffer(%z: memref<8xmemref<2xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-error@+1 {{a kernel cannot allocate}}
    %t = memref.alloc() : memref<2xf32>
    memref.store %t, %z[%i] : memref<8xmemref<2xf32>>
  }
  return
}

// -----

func.func @memory_space(%y: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-error@+1 {{a kernel cannot allocate}}
    %t = memref.alloc() : memref<2xf32, #gpu.address_space<workgroup>>
    memref.store %v, %t[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
    %w = memref.load %t[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%i] : memref<8xf32>
  }
  return
}

// -----

// All threads of the subgroup would need the stores of the first.
func.func @allocation_of_subgroup(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %distance = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-error@+1 {{a kernel cannot allocate}}
    %t = memref.alloc() : memref<2xi32>
    %v = memref.load %x[%i] : memref<8xi32>
    %other, %valid = gpu.shuffle xor %v, %distance, %width : i32
    memref.store %other, %t[%c0] : memref<2xi32>
    %w = memref.load %t[%c1] : memref<2xi32>
    memref.store %w, %y[%i] : memref<8xi32>
  }
  return
}

// -----

func.func @stack(%y: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-error@+1 {{a kernel cannot allocate: move this out of the loop}}
    %t = memref.alloca() : memref<8xf32>
    memref.store %v, %t[%c0] : memref<8xf32>
    %w = memref.load %t[%i] : memref<8xf32>
    memref.store %w, %y[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @endless(%y: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000000000 : index
  // expected-error@+1 {{this loop has more iterations than a grid of 65535 by 65535 by 65535 blocks has threads}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %y[%c0] : memref<8xf32>
  }
  return
}

// -----

// Indices into the whole tensor: nothing is independent.
func.func @one_thread(%x: memref<8xf32>, %at: memref<8xindex>, %y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-warning@+1 {{these loops run in one thread}}
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %x[%i] : memref<8xf32>
    %p = memref.load %at[%i] : memref<8xindex>
    memref.store %v, %y[%p] : memref<32xf32>
  }
  return
}

// -----

module {
  // expected-error@+1 {{functions of a nested module would stay on the host}}
  module @inner {
    func.func @f() {
      return
    }
  }
}

// -----

func.func @fill(%y: memref<8xf32>, %v: f32) {
  // expected-error@+1 {{this access would stay on the host}}
  linalg.fill ins(%v : f32) outs(%y : memref<8xf32>)
  return
}

// -----

func.func private @get_value(f32) -> f32
func.func @call(%y: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-error@+1 {{a kernel cannot call functions of the host: inline this}}
    %w = func.call @get_value(%v) : (f32) -> f32
    memref.store %w, %y[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @unranked_copy(%x: memref<*xf32>, %y: memref<*xf32>) {
  // expected-error@+1 {{this access would stay on the host}}
  memref.copy %x, %y : memref<*xf32> to memref<*xf32>
  return
}

// -----

func.func @odd_width(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %distance = arith.constant 1 : i32
  %width = arith.constant 24 : i32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %x[%i] : memref<8xi32>
    // expected-error@+1 {{block=256 is not a multiple of the 24 threads of a subgroup: let it be one, or give the pooling the plan #pool.plan<"gpu-output">}}
    %w, %valid = gpu.shuffle xor %v, %distance, %width : i32
    memref.store %w, %y[%i] : memref<8xi32>
  }
  return
}

// -----

func.func @two_widths(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %distance = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %x[%i] : memref<8xi32>
    %w, %valid = gpu.shuffle xor %v, %distance, %c16 : i32
    // expected-error@+1 {{all shuffles of a kernel must have one known width}}
    %z, %also = gpu.shuffle xor %w, %distance, %c32 : i32
    memref.store %z, %y[%i] : memref<8xi32>
  }
  return
}
