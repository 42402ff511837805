// Replaces masked stores of one lane, which LLVM 22's X86 backend stores too
// wide. Reproducer: docs/Internals/upstream/one-lane-store.ll.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/LLVMRepairs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace mlir;

/// Returns the only lane that `mask` sets. Returns none if `mask` is not
/// constant or sets no lane or several lanes.
static std::optional<unsigned> getOnlyLane(const llvm::Value *mask) {
  auto *type = dyn_cast<llvm::FixedVectorType>(mask->getType());
  auto *constant = dyn_cast<llvm::Constant>(mask);
  if (!type || !constant)
    return std::nullopt;
  std::optional<unsigned> only;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    llvm::Constant *bit = constant->getAggregateElement(lane);
    if (bit && bit->isNullValue())
      continue;
    if (!bit || !bit->isOneValue() || only)
      return std::nullopt;
    only = lane;
  }
  return only;
}

void mlir::pool::storeOnlyLanes(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *store = dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store)
        continue;
      std::optional<unsigned> lane = getOnlyLane(store->getArgOperand(2));
      if (!lane)
        continue;
      llvm::IRBuilder<> b(store);
      llvm::Value *element =
          b.CreateExtractElement(store->getArgOperand(0), *lane);
      llvm::Type *type = element->getType();
      llvm::Value *address =
          b.CreateConstInBoundsGEP1_64(type, store->getArgOperand(1), *lane);
      llvm::Align alignment = llvm::commonAlignment(
          store->getParamAlign(1).valueOrOne(),
          *lane * module.getDataLayout().getTypeAllocSize(type));
      b.CreateAlignedStore(element, address, alignment)->copyMetadata(*store);
      store->eraseFromParent();
    }
}
