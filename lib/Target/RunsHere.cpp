// Checks whether this machine can run code for another target.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Target/TargetMachine.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/RISCVISAInfo.h"

using namespace mlir;
using namespace mlir::pool;

/// Features of x86 whose instructions only operating systems or C intrinsics
/// use. Code that this project compiles does not contain such instructions, and
/// virtual machines often hide these features.
static constexpr StringLiteral kOfSystems[] = {
    "cldemote",  "clflushopt", "clwb",   "clzero",   "enqcmd",    "hreset",
    "invpcid",   "kl",         "lwp",    "mwaitx",   "pconfig",   "pku",
    "prefetchi", "ptwrite",    "rdpid",  "rdpru",    "serialize", "sgx",
    "shstk",     "tsxldtrk",   "uintr",  "usermsr",  "waitpkg",   "wbnoinvd",
    "widekl",    "xsave",      "xsavec", "xsaveopt", "xsaves"};

/// True if compiled code may contain instructions of `feature`. False for
/// features that only tune code, and for those in kOfSystems.
static bool hasInstructions(const llvm::Triple &triple, StringRef feature) {
  // Only the keys of this map are used: all features that LLVM can detect on
  // this machine, present or not.
  static const llvm::StringMap<bool> ofHost = llvm::sys::getHostCPUFeatures();
  if (triple.isX86())
    return ofHost.contains(feature) && !llvm::is_contained(kOfSystems, feature);
  if (triple.isAArch64())
    return llvm::AArch64::targetFeatureToExtension(("+" + feature).str())
        .has_value();
  if (triple.isRISCV())
    return llvm::RISCVISAInfo::isSupportedExtensionFeature(feature);
  // For other architectures, assume that every feature adds instructions.
  return true;
}

llvm::Error mlir::pool::checkRunsHere(const TargetNames &names,
                                      const llvm::TargetMachine &machine) {
  TargetNames ofHost;
  ofHost.cpu = "native";
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> host =
      createTargetMachine(ofHost);
  if (!host)
    return host.takeError();
  llvm::StringSet<> present;
  for (const auto &feature :
       (*host)->getMCSubtargetInfo()->getEnabledProcessorFeatures())
    present.insert(feature.Key);
  SmallVector<StringRef> missing;
  for (const auto &feature :
       machine.getMCSubtargetInfo()->getEnabledProcessorFeatures())
    if (!present.contains(feature.Key) &&
        hasInstructions(machine.getTargetTriple(), feature.Key))
      missing.push_back(feature.Key);
  if (missing.empty())
    return llvm::Error::success();

  std::string who;
  if (!names.cpu.empty() && names.cpu != "native")
    who = "cpu '" + names.cpu + "'";
  if (!names.features.empty())
    who += (who.empty() ? "'" : " with '") + names.features + "'";
  return llvm::createStringError("this machine has no " +
                                 llvm::join(missing, ", ") + ", which " + who +
                                 " needs");
}
