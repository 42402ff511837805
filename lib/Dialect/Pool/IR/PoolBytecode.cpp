// Bytecode of the dialect: its version and, for each operation, the dictionary
// of its properties. docs/Reference/Bytecode.md states the promises and how to
// raise the version.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PoolBytecode.h"
#include "SharedMethods.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
struct PoolDialectVersion : DialectVersion {
  explicit PoolDialectVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

/// Writes and checks the version of the dialect. Attributes of the dialect use
/// MLIR's default encoding, text. Most attributes are enumerations: their
/// keywords do not change, while the numbers of their cases might.
struct PoolBytecodeInterface : BytecodeDialectInterface {
  explicit PoolBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(PoolDialect::getBytecodeVersion());
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    constexpr uint64_t latest = PoolDialect::getBytecodeVersion();
    if (number < 1 || number > latest) {
      reader.emitError("version ")
          << number << " of the pool dialect is not supported, only 1 to "
          << latest
          << (number > latest ? ": a newer pool-mlir has written this" : "");
      return nullptr;
    }
    return std::make_unique<PoolDialectVersion>(number);
  }
};
} // namespace

void pool::detail::addBytecodeInterface(PoolDialect &dialect) {
  dialect.addInterfaces<PoolBytecodeInterface>();
}

// Accept bytecode without a version, because a writer that does not know the
// dialect, such as another project's Python bindings, writes none. The
// dictionary means the same as in text.
LogicalResult pool::detail::readProperties(DialectBytecodeReader &reader,
                                           OperationState &state,
                                           OpaqueProperties properties) {
  DictionaryAttr dictionary;
  if (failed(reader.readAttribute(dictionary)))
    return failure();
  return state.name.setOpPropertiesFromAttribute(
      state.name, properties, dictionary, [&] {
        return reader.emitError("invalid properties ")
               << dictionary << " for op " << state.name << ": ";
      });
}
