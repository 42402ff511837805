// Creates LLVM's target machines from the names of users.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Target/TargetMachine.h"

#include "mlir/Support/LLVM.h"
#include "pool/Support/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/RISCVISAInfo.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns features that Linux distributions require but LLVM does not enable
/// by default. Without these features, code for RISC-V passes floats in integer
/// registers, and cannot be linked with the libraries of a distribution.
static StringRef getBaselineFeatures(const llvm::Triple &triple) {
  return triple.isRISCV64() ? "+m,+a,+f,+d,+c" : "";
}

/// Returns the features of the host. They are queried, because a virtual
/// machine may hide features that LLVM would derive from the name of the
/// processor. A query takes 0.1 ms.
static StringRef getHostFeatures() {
  static const std::string host = [] {
    llvm::SubtargetFeatures features;
    for (auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
    return features.getString();
  }();
  return host;
}

/// Fails if `cpu` or one of `features` is unknown. LLVM would only warn and
/// ignore such a name.
static llvm::Error checkNames(const llvm::Target &target,
                              const llvm::Triple &triple, StringRef cpu,
                              StringRef features) {
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target.createMCSubtargetInfo(triple, "", ""));
  if (!known)
    return llvm::createStringError("'" + triple.str() +
                                   "' is no target for machine code");
  if (!cpu.empty() && !known->isCPUStringValid(cpu)) {
    auto names = llvm::map_to_vector(
        known->getAllProcessorDescriptions(),
        [](const auto &entry) { return StringRef(entry.Key); });
    // LLVM's name of AMD's Zen 4 is znver4.
    std::string meant = cpu.lower();
    if (triple.isX86() && StringRef(meant).starts_with("zen"))
      meant.replace(0, 3, "znver");
    StringRef nearest = getNearest(meant, names);
    return llvm::createStringError(
        "unknown cpu '" + cpu + "' for target '" + triple.str() + "'" +
        (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }
  llvm::SubtargetFeatures list(features);
  for (const std::string &feature : list.getFeatures()) {
    StringRef name = feature;
    bool isKnown =
        (name.consume_front("+") || name.consume_front("-")) &&
        llvm::any_of(known->getAllProcessorFeatures(),
                     [&](const auto &entry) { return name == entry.Key; });
    if (!isKnown)
      return llvm::createStringError(
          "unknown feature '" + feature + "' for target '" + triple.str() +
          "': expected +NAME or -NAME, separated by commas");
  }
  return llvm::Error::success();
}

/// Fails if known names contradict each other or the triple. LLVM would end the
/// process in this case. `cpu` and `features` are derived from `names`.
static llvm::Error checkFeatures(const llvm::Target &target,
                                 const llvm::Triple &triple, StringRef cpu,
                                 StringRef features, const TargetNames &names) {
  std::unique_ptr<llvm::MCSubtargetInfo> described(
      target.createMCSubtargetInfo(triple, cpu, features));
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError("target '" + triple.str() + "' with cpu '" +
                                   names.cpu + "' and features '" +
                                   names.features + "': " + why);
  };
  if ((triple.isX86() || triple.isRISCV64()) &&
      !described->checkFeatures("+64bit"))
    return fail("there is no 64-bit code");
  if (triple.isX86() && (!described->checkFeatures("+sse2") ||
                         described->checkFeatures("+soft-float")))
    return fail("there are no registers for floats");
  if (!triple.isRISCV64())
    return llvm::Error::success();
  if (described->checkFeatures("+32bit"))
    return fail("code of 32 and of 64 bits cannot be combined");
  std::vector<std::string> extensions;
  for (const auto &entry : described->getEnabledProcessorFeatures())
    if (llvm::RISCVISAInfo::isSupportedExtensionFeature(entry.Key))
      extensions.push_back("+" + std::string(entry.Key));
  auto parsed = llvm::RISCVISAInfo::parseFeatures(/*XLen=*/64, extensions);
  return parsed ? llvm::Error::success()
                : fail(llvm::toString(parsed.takeError()));
}

/// Returns a feature that only tunes code, and that LLVM's description of the
/// processor may lack. AVX-512VL has an instruction that shuffles two vectors
/// of 256 bits by indices in a register. Without the feature, LLVM 22 considers
/// such shuffles slow on AMD's processors, and emits several other shuffles
/// instead. They are fast on a Zen 4 (docs/Internals/Rationale.md).
static StringRef getTuning(const llvm::TargetMachine &machine) {
  bool hasShuffles = machine.getTargetTriple().isX86() &&
                     machine.getMCSubtargetInfo()->checkFeatures("+avx512vl");
  return hasShuffles ? "+fast-variable-crosslane-shuffle" : "";
}

void mlir::pool::initializeTargets() {
  static const bool initialized = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    return true;
  }();
  (void)initialized;
}

llvm::Error mlir::pool::checkTargetNames(const TargetNames &names) {
  initializeTargets();
  llvm::Triple triple(names.triple);
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError("unknown target '" + names.triple + "'");
  return checkNames(*target, triple, names.cpu, names.features);
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::pool::createTargetMachine(const TargetNames &names, unsigned optLevel) {
  initializeTargets();
  llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  llvm::Triple triple = host;
  if (!names.triple.empty())
    triple = llvm::Triple(llvm::Triple::normalize(names.triple));
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target || triple.getArch() == llvm::Triple::UnknownArch)
    return llvm::createStringError("unknown target '" + names.triple + "'");
  auto failOnAddresses = [&] {
    return llvm::createStringError("target '" + triple.str() +
                                   "' has no C programs with 64-bit addresses");
  };
  if (!triple.isArch64Bit() || triple.isGPU() || triple.isBPF() ||
      triple.isWasm() || !target->hasTargetMachine())
    return failOnAddresses();

  bool isNative = names.cpu == "native";
  if (isNative && triple.getArch() != host.getArch())
    return llvm::createStringError("cpu 'native' is this machine's, which is "
                                   "none of target '" +
                                   triple.str() + "'");
  if (llvm::Error error = checkNames(*target, triple, isNative ? "" : names.cpu,
                                     names.features))
    return std::move(error);
  // Add the given features last, because later features override earlier ones.
  llvm::SubtargetFeatures features(isNative ? getHostFeatures()
                                   : names.cpu.empty()
                                       ? getBaselineFeatures(triple)
                                       : "");
  features.addFeaturesVector(
      llvm::SubtargetFeatures(names.features).getFeatures());
  std::string cpu = isNative ? llvm::sys::getHostCPUName().str() : names.cpu;

  if (llvm::Error error =
          checkFeatures(*target, triple, cpu, features.getString(), names))
    return std::move(error);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features.getString(), llvm::TargetOptions(),
      llvm::Reloc::PIC_, /*CM=*/std::nullopt,
      static_cast<llvm::CodeGenOptLevel>(optLevel)));
  if (!machine)
    return llvm::createStringError("no machine code for target '" +
                                   triple.str() + "'");
  // Reject x32 and similar ABIs, which the environment of the triple selects.
  if (machine->getPointerSizeInBits(/*AS=*/0) != 64)
    return failOnAddresses();
  // Add the given features again, so that they can disable the tuning.
  llvm::SubtargetFeatures tuned(getTuning(*machine));
  tuned.addFeaturesVector(features.getFeatures());
  machine->setTargetFeatureString(tuned.getString());
  return std::move(machine);
}
