// Derives properties of target machines from LLVM's descriptions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Target/Target.h"

#include "pool/Target/TargetMachine.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/TargetParser/RISCVTargetParser.h"

using namespace mlir::pool;

/// Smallest register width in bits. If LLVM reports less, this value is used.
/// It is also used for machines without vector registers, for which LLVM
/// compiles vector code to scalar code.
static constexpr int64_t kLeastBits = 128;

/// The lane width that means "no fast masks", because no lane is that wide.
static constexpr int64_t kNoMasks = 128;

Target Target::getGeneric(int64_t vectorBits) {
  Target target;
  target.vectorBits = vectorBits;
  target.numVectorRegisters = vectorBits < 512 ? 16 : 32;
  if (vectorBits < 512) {
    target.followsMaskedLoads = false;
    target.leastMaskedLoadBits = vectorBits < 256 ? kNoMasks : 32;
    target.leastMaskedStoreBits = kNoMasks;
    target.leastMaskRegisterBits = kNoMasks;
  }
  return target;
}

/// Returns the properties of an x86-64 machine. LLVM reports the width that its
/// vectorizer prefers, which is 256 bits for many processors with AVX-512. Our
/// kernels are faster with the full width. A smaller width is used only if the
/// features ask for it.
static Target getX86(const llvm::TargetMachine &machine) {
  const llvm::MCSubtargetInfo &known = *machine.getMCSubtargetInfo();
  // Require AVX512BW and AVX2: AVX512F without AVX512BW has no vectors of small
  // integers, and AVX without AVX2 has no vectors of integers.
  Target target =
      Target::getGeneric(known.checkFeatures("+avx512f,+avx512bw") ? 512
                         : known.checkFeatures("+avx2") ? 256
                                                        : kLeastBits);
  llvm::StringRef features = machine.getTargetFeatureString();
  for (int64_t bits : {256, 128})
    if (features.contains("+prefer-" + std::to_string(bits) + "-bit"))
      target.vectorBits = std::min(target.vectorBits, bits);
  return target;
}

Target Target::get(const llvm::TargetMachine &machine, int64_t vectorBits) {
  using Info = llvm::TargetTransformInfo;
  llvm::LLVMContext context;
  llvm::Module module("", context);
  module.setDataLayout(machine.createDataLayout());
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                              /*isVarArg=*/false),
      llvm::Function::ExternalLinkage, "", module);
  Info info = machine.getTargetTransformInfo(*function);
  const llvm::Triple &triple = machine.getTargetTriple();

  // Width of fixed-length vectors in bits. On a machine with SVE, this is
  // NEON's width.
  int64_t bits =
      info.getRegisterBitWidth(Info::RGK_FixedWidthVector).getFixedValue();
  Target target = getGeneric(kLeastBits);
  if (triple.isX86()) {
    target = getX86(machine);
  } else if (bits != 0) {
    auto *type = llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), 4);
    int64_t count = info.getNumberOfRegisters(
        info.getRegisterClassForType(/*Vector=*/true, type));
    // On RISC-V, LLVM reports the width of a group of two registers, but the
    // number of single registers. So use the width of a single register.
    if (std::optional<unsigned> scale = info.getVScaleForTuning();
        scale && triple.isRISCV())
      bits = int64_t(llvm::RISCV::RVVBitsPerBlock) * *scale;
    target.vectorBits = std::max(bits, kLeastBits);
    // If registers have 64 bits, two of them count as one of 128 bits.
    target.numVectorRegisters = count * bits / target.vectorBits;
    if (triple.isRISCV())
      target.leastMaskRegisterBits = 8;
  }
  if (vectorBits != 0)
    target.vectorBits = vectorBits;
  auto getLeastBits = [&](auto isLegal) {
    int64_t least = kNoMasks;
    for (int64_t laneBits : {64, 32, 16, 8}) {
      auto *type =
          llvm::FixedVectorType::get(llvm::Type::getIntNTy(context, laneBits),
                                     target.vectorBits / laneBits);
      if (!isLegal(type, llvm::Align(laneBits / 8)))
        break;
      least = laneBits;
    }
    return least;
  };
  target.leastMaskedLoadBits =
      getLeastBits([&](llvm::Type *type, llvm::Align alignment) {
        return info.isLegalMaskedLoad(type, alignment, /*AddressSpace=*/0);
      });
  // Ask LLVM about two more cases. Masked loads of bf16 may need bf16
  // instructions. On ARM, a vector that is wider than a register cannot be
  // masked.
  auto *shorts = llvm::FixedVectorType::get(llvm::Type::getBFloatTy(context),
                                            target.vectorBits / 16);
  auto *pair = llvm::FixedVectorType::get(llvm::Type::getInt64Ty(context),
                                          2 * target.vectorBits / 64);
  target.masksBF16 =
      info.isLegalMaskedLoad(shorts, llvm::Align(2), /*AddressSpace=*/0);
  target.masksPairs =
      info.isLegalMaskedLoad(pair, llvm::Align(8), /*AddressSpace=*/0);
  // On x86 without AVX-512, do not use masked stores: on AMD's processors, a
  // masked store of AVX takes about 20 micro-operations.
  bool hasStores = !triple.isX86() ||
                   machine.getMCSubtargetInfo()->checkFeatures("+avx512vl");
  target.followsMaskedLoads = hasStores;
  target.leastMaskedStoreBits =
      hasStores ? getLeastBits([&](llvm::Type *type, llvm::Align alignment) {
        return info.isLegalMaskedStore(type, alignment, /*AddressSpace=*/0);
      })
                : kNoMasks;
  if (unsigned bytes = info.getCacheLineSize())
    target.cacheLineBytes = bytes;
  using Level = Info::CacheLevel;
  auto update = [](int64_t &field, std::optional<unsigned> known) {
    if (known.value_or(0) != 0)
      field = *known;
  };
  update(target.firstCacheBytes, info.getCacheSize(Level::L1D));
  update(target.firstCacheWays, info.getCacheAssociativity(Level::L1D));
  update(target.secondCacheBytes, info.getCacheSize(Level::L2D));
  return target;
}

llvm::Expected<Target> Target::get(const TargetNames &names,
                                   int64_t vectorBits) {
  if (names.cpu == "native" && names.triple.empty() && names.features.empty() &&
      vectorBits == 0)
    return getHost();
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(names);
  if (!machine)
    return machine.takeError();
  return get(**machine, vectorBits);
}

const Target &Target::getHost() {
  static const Target host = [] {
    TargetNames names;
    names.cpu = "native";
    llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
        createTargetMachine(names);
    if (machine)
      return get(**machine);
    // LLVM has no code generator for the host. Ignore this error here, because
    // it is reported when code is compiled.
    llvm::consumeError(machine.takeError());
    return getGeneric(kLeastBits);
  }();
  return host;
}
