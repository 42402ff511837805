// Compiles modules for other programs, into a relocatable object with a C
// interface and the header that declares it.
//
// Each public function becomes a C function that returns void. Its name is a
// prefix, followed by the MLIR function's name with `_` in place of every
// character that is neither an ASCII letter nor a digit. The parameters are the
// arguments in order, then the results in order:
//
//   a tensor argument of static shape    const T *data
//   a tensor argument of dynamic shape   const T *data, const int64_t shape[R]
//   a scalar argument                    T value
//   a tensor result of static shape      T *data        the caller's buffer
//   a tensor result of dynamic shape     T **data, int64_t shape[R]
//   a scalar result                      T *value
//
// - Arrays are row-major and without gaps. The function only reads its
//   arguments. A result must not overlap an argument or another result.
// - `shape` has all R extents of the array, including those that are static.
// - The function allocates a result of dynamic shape; the caller must free()
//   each one.
// - T is float, double, [u]int8_t to [u]int64_t, bool for i1 and int64_t for
//   index. f16 and bf16 are passed as their bits in a uint16_t.
//
// With run-time checks, the function compares the given extents with the types
// and with the needs of the operations. It always checks that allocations
// succeed. If a check fails, the function calls `void pool_check_failed(const
// char *message)`. The object has a weak definition of that handler, which
// prints the message to standard error and aborts. A program may define its own
// handler, which must not return. The handler may exit or longjmp; after a
// jump, memory that the call allocated is never freed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_LIBRARY_H
#define POOL_EXECUTIONENGINE_LIBRARY_H

#include "pool/ExecutionEngine/Signature.h"
#include "pool/Pipelines/Pipelines.h"
#include "pool/Target/TargetNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::pool {

struct LibraryOptions {
  LoweringPath path = LoweringPath::Vector;
  /// Selects the threads that run parallel loops. With OpenMP, the program must
  /// link libomp; the program or OMP_NUM_THREADS sets the number of threads.
  ThreadModel threads = ThreadModel::None;
  /// If true, compiled code checks those constraints of operations that the
  /// verifier cannot check, for example because an extent is unknown.
  bool runtimeChecks = true;
  /// Level of LLVM's optimizations and code generation, 0 to 3.
  unsigned optLevel = 3;
  /// Names of the public functions to export. If empty, all public functions
  /// are exported. Functions that the exported ones do not use are not
  /// compiled.
  std::vector<std::string> entries;
  /// Prefix of the C functions' names. Must be a C identifier.
  std::string prefix = "pool_";
  /// The machine that the code is compiled for.
  TargetNames target;
  /// If true, emits no masked load that can crash LLVM 22's x86 code generator.
  /// Set this if LLVM 22 will compile the result of LibraryFormat::LLVM. The
  /// other formats do not need it. See the option `separate-masked-loads` of
  /// `pool-to-llvm`.
  bool separateMaskedLoads = false;
};

enum class LibraryFormat {
  /// A relocatable object file with position-independent code.
  Object,
  Assembly,
  /// Optimized LLVM IR in text form.
  LLVM,
};

/// A compiled module.
class Library {
public:
  /// Compiles a copy of `module`. Fails if LLVM does not know the target, if an
  /// entry does not exist, if no array can hold an argument or result, if two
  /// functions would get one C name, or if the module cannot be lowered. Errors
  /// in the module are also reported to the diagnostic handler of its context.
  static llvm::Expected<std::unique_ptr<Library>>
  compile(ModuleOp module, const LibraryOptions &options);
  ~Library();

  /// Returns the contents of a file of format `format`. Each call runs LLVM's
  /// code generation again.
  llvm::Expected<SmallVector<char, 0>> generate(LibraryFormat format) const;

  /// Returns the contents of the C header. The name of its include guard is
  /// derived from `fileName`.
  std::string generateHeader(StringRef fileName) const;

private:
  struct Impl;
  explicit Library(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_LIBRARY_H
