// Modules compiled for other programs: a relocatable object with a C interface,
// and the header that declares it.
//
// Each public function becomes a C function that returns nothing. Its name is a
// prefix and the MLIR function's name. Parameters are the arguments in order,
// then the results in order:
//
//   a tensor argument of static shape    const T *data
//   a tensor argument of dynamic shape   const T *data, const int64_t shape[R]
//   a scalar argument                    T value
//   a tensor result of static shape      T *data        the caller's buffer
//   a tensor result of dynamic shape     T **data, int64_t shape[R]
//   a scalar result                      T *value
//
// - Arrays are row-major and without gaps. Arguments are only read. No result
//   may overlap another array.
// - A shape has all extents, also the static ones.
// - A result of dynamic shape is a separate allocation; the caller frees it.
// - T is float, double, [u]int8_t to [u]int64_t, bool for i1 and int64_t for
//   index. f16 and bf16 are passed as their bits in a uint16_t.
//
// Run-time checks compare extents with the type and with the operations. Checks
// for failed allocations are always there. A failed check calls
// `void pool_check_failed(const char *message)`. The object has a weak
// definition that prints to standard error and aborts. A program may define
// this function itself. The program's function must not return. It may exit or
// jump; a jump leaks the memory that the call had allocated.
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
  /// The threads that run parallel loops. With OpenMP, the program or
  /// OMP_NUM_THREADS sets their number, and the program must link libomp.
  ThreadModel threads = ThreadModel::None;
  /// Check at run time the constraints that the verifier could not check.
  bool runtimeChecks = true;
  /// Level 0 to 3 of LLVM's optimisations and code generation.
  unsigned optLevel = 3;
  /// The public functions to export; all if empty. Functions that the exported
  /// ones do not use are not compiled.
  std::vector<std::string> entries;
  /// Prefix of the functions' names, a C identifier.
  std::string prefix = "pool_";
  /// The machine to compile for.
  TargetNames target;
  /// Emit no masked load that can crash LLVM 22's code generator for X86.
  /// Needed for LibraryFormat::LLVM, if that generator is to compile the IR.
  /// See the option `separate-masked-loads` of `pool-to-llvm`.
  bool separateMaskedLoads = false;
};

enum class LibraryFormat {
  /// A relocatable object file with position-independent code.
  Object,
  Assembly,
  /// Optimised LLVM IR in text form.
  LLVM,
};

/// A compiled module.
class Library {
public:
  /// Compiles `module`. Fails in the cases in which Program::compile fails.
  /// Also fails if the name of a function cannot become a C name, or if LLVM
  /// does not know the target.
  static llvm::Expected<std::unique_ptr<Library>>
  compile(ModuleOp module, const LibraryOptions &options);
  ~Library();

  /// Returns the contents of a file of format `format`. Each call generates the
  /// code anew.
  llvm::Expected<SmallVector<char, 0>> generate(LibraryFormat format) const;

  /// Returns the contents of the C header. Its include guard is made of
  /// `fileName`.
  std::string generateHeader(StringRef fileName) const;

private:
  struct Impl;
  explicit Library(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_LIBRARY_H
