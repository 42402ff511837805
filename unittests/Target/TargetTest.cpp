// Facts about machines that lowering derives from their names: registers, masks
// and caches. A wrong fact would give slow code or code that does not run. Also
// tests which machines' code this machine can run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Target/Target.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "pool/Target/ResolveTarget.h"
#include "pool/Target/TargetMachine.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pool;

namespace {

constexpr char kX86[] = "x86_64-linux-gnu";
constexpr char kArm[] = "aarch64-linux-gnu";
constexpr char kRISCV[] = "riscv64-linux-gnu";

struct Machine {
  TargetNames names;
  int64_t vectorBits, numVectorRegisters, cacheLineBytes;
};

TEST(TargetTest, Machines) {
  const Machine machines[] = {
      {{kX86, "", ""}, 128, 16, 64},
      {{kX86, "x86-64", ""}, 128, 16, 64},
      {{kX86, "x86-64-v2", ""}, 128, 16, 64},
      {{kX86, "x86-64-v3", ""}, 256, 16, 64},
      // LLVM's vectorizer prefers 256 bits for these; we use 512.
      {{kX86, "x86-64-v4", ""}, 512, 32, 64},
      {{kX86, "skylake-avx512", ""}, 512, 32, 64},
      {{kX86, "znver5", ""}, 512, 32, 64},
      // AVX without AVX2 has integer vectors of 128 bits only. AVX-512 without
      // BW has no vectors of 512 bits for small integers.
      {{kX86, "sandybridge", ""}, 128, 16, 64},
      {{kX86, "knl", ""}, 256, 16, 64},
      {{kX86, "", "+avx2"}, 256, 16, 64},
      {{kX86, "x86-64-v4", "-avx512f"}, 256, 16, 64},
      {{kX86, "x86-64-v4", "+prefer-256-bit"}, 256, 32, 64},
      {{kX86, "x86-64-v2", "+prefer-256-bit"}, 128, 16, 64},
      {{kArm, "", ""}, 128, 32, 64},
      // Processors with SVE of 128, 256 and 512 bits. Our code does not depend
      // on the length of SVE's vectors, so all count as 128.
      {{kArm, "neoverse-n2", ""}, 128, 32, 64},
      {{kArm, "neoverse-v2", ""}, 128, 32, 64},
      {{kArm, "neoverse-v1", ""}, 128, 32, 64},
      {{kArm, "a64fx", ""}, 128, 32, 256},
      {{kArm, "", "+sve2"}, 128, 32, 64},
      {{kArm, "", "-neon"}, 128, 16, 64},
      {{kRISCV, "", ""}, 128, 16, 64},
      {{kRISCV, "", "+v"}, 128, 32, 64},
      {{kRISCV, "", "+v,+zvl256b"}, 256, 32, 64},
      {{kRISCV, "sifive-x280", ""}, 512, 32, 64},
      // For zve64x, 32 registers of 64 bits count as 16 pairs. For zve32x, LLVM
      // does not use the registers of 32 bits.
      {{kRISCV, "", "+zve64x"}, 128, 16, 64},
      {{kRISCV, "", "+zve32x"}, 128, 16, 64},
      {{"powerpc64le-linux-gnu", "", ""}, 128, 64, 128},
      {{"s390x-linux-gnu", "", ""}, 128, 16, 256},
  };
  for (const Machine &machine : machines) {
    SCOPED_TRACE(machine.names.triple + " " + machine.names.cpu + " " +
                 machine.names.features);
    llvm::Expected<Target> target = Target::get(machine.names);
    ASSERT_TRUE(static_cast<bool>(target))
        << llvm::toString(target.takeError());
    EXPECT_EQ(target->vectorBits, machine.vectorBits);
    EXPECT_EQ(target->numVectorRegisters, machine.numVectorRegisters);
    EXPECT_EQ(target->cacheLineBytes, machine.cacheLineBytes);
  }
}

TEST(TargetTest, Masks) {
  // More bits than any lane has: the machine has no fast masks.
  constexpr int64_t kNone = 128;
  struct {
    TargetNames names;
    int64_t loadBits, storeBits;
    bool masksBF16 = false, masksPairs = true;
  } machines[] = {
      {{kX86, "x86-64-v2", ""}, kNone, kNone, false, false},
      // Masked stores of AVX2 are slow on some processors.
      {{kX86, "x86-64-v3", ""}, 32, kNone},
      {{kX86, "znver3", ""}, 32, kNone},
      {{kX86, "knl", ""}, 32, kNone},
      {{kX86, "sandybridge", ""}, 32, kNone},
      {{kX86, "x86-64-v4", ""}, 8, 8},
      {{kX86, "x86-64-v4", "+prefer-256-bit"}, 8, 8},
      {{kX86, "znver4", ""}, 8, 8, true},
      {{kArm, "", ""}, kNone, kNone, false, false},
      {{kArm, "neoverse-v2", ""}, 8, 8, true, false},
      {{kRISCV, "", "+v"}, 8, 8},
  };
  for (const auto &machine : machines) {
    SCOPED_TRACE(machine.names.triple + " " + machine.names.cpu);
    llvm::Expected<Target> target = Target::get(machine.names);
    ASSERT_TRUE(static_cast<bool>(target))
        << llvm::toString(target.takeError());
    EXPECT_EQ(target->leastMaskedLoadBits, machine.loadBits);
    EXPECT_EQ(target->leastMaskedStoreBits, machine.storeBits);
    EXPECT_EQ(target->masksBF16, machine.masksBF16);
    EXPECT_EQ(target->masksPairs, machine.masksPairs);
    // Masked loads of AVX, which have lanes of 32 bits or more, wait for memory
    // as if nothing were prefetched, so they are not fast.
    EXPECT_EQ(target->hasFastMaskedLoads(32, 4, /*isBF16=*/false),
              machine.loadBits < 32);
  }
  for (int64_t bits : {128, 256, 512}) {
    Target target = Target::getGeneric(bits);
    EXPECT_EQ(target.leastMaskedLoadBits, bits == 128   ? kNone
                                          : bits == 256 ? 32
                                                        : 8);
    EXPECT_EQ(target.leastMaskedStoreBits, bits == 512 ? 8 : kNone);
    EXPECT_EQ(target.hasFastMaskedLoads(8, 8, /*isBF16=*/false), bits == 512);
    EXPECT_EQ(target.hasFastMaskedLoads(64, 1, /*isBF16=*/false), bits == 512);
  }
}

TEST(TargetTest, MaskRegisters) {
  constexpr int64_t kNone = 128;
  struct {
    TargetNames names;
    /// 0 for LLVM's width.
    int64_t givenBits, vectorBits, numVectorRegisters, registerBits, loadBits;
  } machines[] = {
      {{kX86, "x86-64-v3", ""}, 0, 256, 16, kNone, 32},
      {{kX86, "x86-64-v4", ""}, 0, 512, 32, 8, 8},
      {{kX86, "x86-64-v4", ""}, 256, 256, 32, 8, 8},
      // AVX10 with 256 bits
      {{kX86, "", "+avx10.1,+prefer-256-bit"}, 0, 256, 32, 8, 8},
      // SVE2: LLVM keeps vectors of fixed length in NEON's registers, whose
      // masks are as wide as the lanes. Vectors of 256 bits take two registers,
      // for which there are no masked accesses.
      {{kArm, "", "+sve2"}, 0, 128, 32, kNone, 8},
      {{kArm, "", "+sve2"}, 256, 256, 32, kNone, kNone},
      {{kRISCV, "", "+v,+zvl256b"}, 0, 256, 32, 8, 8},
      {{kRISCV, "", "+v,+zvl512b"}, 0, 512, 32, 8, 8},
      {{kRISCV, "", ""}, 0, 128, 16, kNone, kNone},
  };
  for (const auto &machine : machines) {
    SCOPED_TRACE(machine.names.triple + " " + machine.names.cpu + " " +
                 machine.names.features);
    llvm::Expected<Target> target =
        Target::get(machine.names, machine.givenBits);
    ASSERT_TRUE(static_cast<bool>(target))
        << llvm::toString(target.takeError());
    EXPECT_EQ(target->vectorBits, machine.vectorBits);
    EXPECT_EQ(target->numVectorRegisters, machine.numVectorRegisters);
    EXPECT_EQ(target->leastMaskRegisterBits, machine.registerBits);
    EXPECT_EQ(target->hasMaskRegisters(/*laneBits=*/16),
              machine.registerBits == 8);
    EXPECT_EQ(target->leastMaskedLoadBits, machine.loadBits);
  }
  for (int64_t bits : {128, 256, 512})
    EXPECT_EQ(Target::getGeneric(bits).hasMaskRegisters(/*laneBits=*/8),
              bits == 512);
}

TEST(TargetTest, Caches) {
  // LLVM assumes the same caches for all x86 processors. For aarch64, LLVM
  // knows no caches, and Target's defaults equal those of x86.
  for (const TargetNames &names :
       {TargetNames{kX86, "x86-64-v4", ""}, TargetNames{kArm, "", ""}}) {
    llvm::Expected<Target> target = Target::get(names);
    ASSERT_TRUE(static_cast<bool>(target))
        << llvm::toString(target.takeError());
    EXPECT_EQ(target->firstCacheBytes, 32 * 1024);
    EXPECT_EQ(target->firstCacheWays, 8);
    EXPECT_EQ(target->secondCacheBytes, 256 * 1024);
    EXPECT_EQ(target->getFirstCacheWayBytes(), 4096);
  }
}

TEST(TargetTest, Host) {
  const Target &host = Target::getHost();
  EXPECT_GE(host.vectorBits, 128);
  EXPECT_GE(host.numVectorRegisters, 16);
  llvm::Expected<Target> native = Target::get({"", "native", ""});
  ASSERT_TRUE(static_cast<bool>(native));
  EXPECT_EQ(native->vectorBits, host.vectorBits);
  // The baseline target: every processor of the architecture runs its code.
  llvm::Expected<Target> least = Target::get(TargetNames());
  ASSERT_TRUE(static_cast<bool>(least));
  EXPECT_LE(least->vectorBits, host.vectorBits);
}

/// Returns the error of `createTargetMachine`.
std::string getError(const TargetNames &names) {
  auto machine = createTargetMachine(names);
  return machine ? "" : llvm::toString(machine.takeError());
}

TEST(TargetTest, UnknownNames) {
  EXPECT_EQ(getError({"pdp11", "", ""}), "unknown target 'pdp11'");
  EXPECT_EQ(getError({kArm, "haswell", ""}),
            "unknown cpu 'haswell' for target 'aarch64-unknown-linux-gnu'");
  EXPECT_NE(getError({"", "native", "+moon"}).find("unknown feature '+moon'"),
            std::string::npos);
  // For these names LLVM would end the process, so createTargetMachine must
  // refuse them.
  EXPECT_EQ(getError({kX86, "pentium4", ""}),
            "target 'x86_64-unknown-linux-gnu' with cpu 'pentium4' and "
            "features '': there is no 64-bit code");
  for (const char *features : {"-64bit", "+32bit", "+v,+zfinx"})
    EXPECT_NE(getError({kRISCV, "", features}), "") << features;
  for (const char *features : {"+soft-float", "-sse2", "-sse"})
    EXPECT_NE(getError({kX86, "", features})
                  .find("there are no registers for floats"),
              std::string::npos)
        << features;
  for (const char *triple : {"x86_64-linux-gnux32", "aarch64-linux-gnu_ilp32"})
    EXPECT_NE(getError({triple, "", ""})
                  .find("has no C programs with 64-bit addresses"),
              std::string::npos)
        << triple;
}

TEST(TargetTest, RunsHere) {
  auto check = [](const TargetNames &names) {
    auto machine = createTargetMachine(names);
    return machine ? llvm::toString(checkRunsHere(names, **machine))
                   : llvm::toString(machine.takeError());
  };
  EXPECT_EQ(check({"", "native", ""}), "");
  EXPECT_EQ(check(TargetNames()), "");
#ifdef __x86_64__
  // One feature exists only in AMD's processors, the other only in Intel's, so
  // this machine lacks at least one.
  std::string error = check({"", "x86-64", "+tbm,+avx512fp16"});
  EXPECT_EQ(error.find("this machine has no "), 0u) << error;
  EXPECT_NE(error.find(", which cpu 'x86-64' with '+tbm,+avx512fp16' needs"),
            std::string::npos)
      << error;
  // Tuning flags do not restrict where code can run.
  EXPECT_EQ(check({"", "x86-64", "+prefer-256-bit,+fast-gather"}), "");
#endif
}

TEST(TargetTest, Options) {
  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  auto resolve = [&](const TargetNames &names, int64_t bits) {
    return resolveTarget(names, bits, &context);
  };
  FailureOr<Target> open = resolve({}, 0);
  ASSERT_TRUE(succeeded(open));
  EXPECT_EQ(open->vectorBits, 512);
  FailureOr<Target> bits = resolve({}, 256);
  ASSERT_TRUE(succeeded(bits));
  EXPECT_EQ(bits->vectorBits, 256);
  EXPECT_EQ(bits->numVectorRegisters, 16);
  FailureOr<Target> both = resolve({kX86, "x86-64-v4", ""}, 256);
  ASSERT_TRUE(succeeded(both));
  EXPECT_EQ(both->vectorBits, 256);
  EXPECT_EQ(both->numVectorRegisters, 32);
  for (int64_t wrong : {-64, 32, 96, 131072}) {
    EXPECT_TRUE(failed(resolve({}, wrong)));
    EXPECT_EQ(message,
              "vector-bits must be a power of two from 64 to 65536, but is " +
                  std::to_string(wrong));
  }
  EXPECT_TRUE(failed(resolve({kArm, "haswell", ""}, 0)));
  EXPECT_EQ(message,
            "target=aarch64-linux-gnu mcpu=haswell: unknown cpu 'haswell' for "
            "target 'aarch64-unknown-linux-gnu'");
}

} // namespace
