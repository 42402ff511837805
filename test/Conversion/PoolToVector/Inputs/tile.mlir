// Named transform sequences that tile pooling operations. tiles.mlir and tests
// in test/Integration select one by its name.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

module attributes {transform.with_named_sequence} {
  transform.named_sequence @match(%root: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %op = transform.structured.match ops{["pool.max_pool", "pool.avg_pool", "pool.window_reduce", "pool.adaptive_max_pool"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @channels(%root: !transform.any_op) {
    %op = transform.include @match failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @rows(%root: !transform.any_op) {
    %op = transform.include @match failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 28]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @channels_and_rows(%root: !transform.any_op) {
    %op = transform.include @match failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [0, 16, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  // The tile sizes do not divide the extents, so the last tiles are smaller.
  transform.named_sequence @remainders(%root: !transform.any_op) {
    %op = transform.include @match failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [0, 5, 3]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @parallel(%root: !transform.any_op) {
    %op = transform.include @match failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @threads(%root: !transform.any_op) {
    %op = transform.include @match failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op num_threads [0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  // Tiles the last elementwise operation and fuses the pooling and the first
  // elementwise operation into its loop.
  transform.named_sequence @fused(%root: !transform.any_op) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %last = transform.split_handle %generic : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled, %loop = transform.structured.tile_using_forall %last tile_sizes [0, 16, 28]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %op = transform.include @match failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    %pool, %loop2 = transform.structured.fuse_into_containing_op %op into %loop
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %producer, %loop3 = transform.structured.fuse_into_containing_op %first into %loop2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
