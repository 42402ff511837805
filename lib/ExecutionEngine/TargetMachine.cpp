// Finds the machine to compile for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TargetMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;
using namespace mlir::pool;

/// Features that Linux distributions build for where LLVM's default has less:
/// without them, code for RISC-V passes floats in integer registers, and no
/// library of a distribution could be linked with it.
static StringRef getBaselineFeatures(const llvm::Triple &triple) {
  return triple.isRISCV64() ? "+m,+a,+f,+d,+c" : "";
}

/// LLVM warns of names that it does not know, and goes on without them.
static llvm::Error checkNames(const llvm::Target &target,
                              const llvm::Triple &triple, StringRef cpu,
                              StringRef features) {
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target.createMCSubtargetInfo(triple, "", ""));
  if (!known)
    return llvm::createStringError("'" + triple.str() +
                                   "' is no target for machine code");
  if (!cpu.empty() && !known->isCPUStringValid(cpu))
    return llvm::createStringError("unknown cpu '" + cpu + "' for target '" +
                                   triple.str() + "'");
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

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::pool::createTargetMachine(const LibraryOptions &options) {
  static const bool initialized = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    return true;
  }();
  (void)initialized;

  llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  llvm::Triple triple = host;
  if (!options.triple.empty())
    triple = llvm::Triple(llvm::Triple::normalize(options.triple));
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target || triple.getArch() == llvm::Triple::UnknownArch)
    return llvm::createStringError("unknown target '" + options.triple + "'");
  if (!triple.isArch64Bit() || triple.isGPU() || triple.isBPF() ||
      triple.isWasm() || !target->hasTargetMachine())
    return llvm::createStringError("target '" + triple.str() +
                                   "' has no C programs with 64-bit addresses");

  std::string cpu = options.cpu;
  llvm::SubtargetFeatures features;
  if (cpu == "native") {
    if (triple.getArch() != host.getArch())
      return llvm::createStringError("cpu 'native' is this machine's, which is "
                                     "none of target '" +
                                     triple.str() + "'");
    cpu = llvm::sys::getHostCPUName().str();
    for (auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  } else if (llvm::Error error =
                 checkNames(*target, triple, cpu, options.features)) {
    return std::move(error);
  }
  if (cpu.empty())
    features.addFeaturesVector(
        llvm::SubtargetFeatures(getBaselineFeatures(triple)).getFeatures());
  // Later ones win.
  features.addFeaturesVector(
      llvm::SubtargetFeatures(options.features).getFeatures());

  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features.getString(), llvm::TargetOptions(),
      llvm::Reloc::PIC_, /*CM=*/std::nullopt,
      static_cast<llvm::CodeGenOptLevel>(options.optLevel)));
  if (!machine)
    return llvm::createStringError("no machine code for target '" +
                                   triple.str() + "'");
  return std::move(machine);
}
