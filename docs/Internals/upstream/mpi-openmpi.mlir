// MPI to LLVM for Open MPI; docs/Internals/upstream/shard.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {
  func.func @split(%color: i32, %key: i32) -> i32 {
    %world = mpi.comm_world : !mpi.comm
    %new = mpi.comm_split(%world, %color, %key) : !mpi.comm
    %status, %rank = mpi.comm_rank(%new) : !mpi.retval, i32
    return %rank : i32
  }

  func.func @sum(%x: memref<5xf32>) {
    %world = mpi.comm_world : !mpi.comm
    mpi.allreduce(%x, %x, MPI_SUM, %world) : memref<5xf32>, memref<5xf32>
    return
  }

  func.func @send(%x: memref<4x5xf32>, %tag: i32, %to: i32) {
    %world = mpi.comm_world : !mpi.comm
    mpi.send(%x, %tag, %to, %world) : memref<4x5xf32>, i32, i32
    return
  }
}
