// C API of partitions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool-c/Partition.h"

#include "mlir/CAPI/IR.h"
#include "pool/Partition/Partition.h"

using namespace mlir;
using namespace mlir::pool;

struct PoolPartition {
  Partition partition;
};

PoolPartition *poolPartitionCreate(MlirOperation operation, intptr_t numDims,
                                   const intptr_t *numParts,
                                   const int64_t *sizes) {
  SmallVector<SmallVector<int64_t>> lists;
  for (intptr_t count : llvm::ArrayRef(numParts, numDims)) {
    lists.emplace_back(sizes, sizes + count);
    sizes += count;
  }
  FailureOr<Partition> result = pool::partition(unwrap(operation), lists);
  if (failed(result))
    return nullptr;
  return new PoolPartition{std::move(*result)};
}

void poolPartitionDestroy(PoolPartition *partition) { delete partition; }

PoolPartDim poolPartitionGetPart(const PoolPartition *partition, intptr_t dim,
                                 intptr_t part) {
  const PartDim &given = partition->partition.dims[dim].parts[part];
  auto convert = [](const PartRange &range) -> PoolPartRange {
    return {range.offset, range.size};
  };
  return {convert(given.result), convert(given.input), convert(given.windows),
          given.padBegin, given.padEnd};
}

int64_t poolPartitionGetBase(const PoolPartition *partition) {
  return partition->partition.base;
}

int64_t poolPartitionGetWeight(const PoolPartition *partition, intptr_t dim) {
  return partition->partition.dims[dim].indexStride;
}

bool poolPartitionNeedsAll(const PoolPartition *partition) {
  return partition->partition.readsWholeOperands;
}

bool poolPartitionHasExplicitPads(const PoolPartition *partition) {
  return partition->partition.hasExplicitPads;
}
