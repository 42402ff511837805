// Reading damaged bytecode must never crash in the dialect. Flips bits in the
// parts of bytecode that the dialect reads: version, properties, text of
// attributes, and all names. Each flipped bit must give an error or a valid
// module. Upstream reads the other parts and does crash;
// docs/Reference/Bytecode.md says where.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlir;

namespace {

constexpr char kModule[] = R"mlir(
  func.func @main(%x: tensor<1x2x6x7xf32>, %out: tensor<1x2x5x6xf32>,
                  %n: index) {
    %v, %i = pool.max_pool %x kernel [3, 3] strides [2, 1] dilations [1, 2]
        pads_begin [1, 0] pads_end [0, 2] rounding_type ceil axis 2
        : tensor<1x2x6x7xf32> -> tensor<1x2x3x5xf32>, tensor<1x2x3x5xi64>
    %a = pool.avg_pool %x kernel [2, 2] divisor kernel divisor_override 3
        : tensor<1x2x6x7xf32> -> tensor<1x2x5x6xf32>
    %u = pool.max_unpool %v, %i extents(%n) axis 2
        : tensor<1x2x3x5xf32>, tensor<1x2x3x5xi64> -> tensor<1x2x6x?xf32>
    %w = pool.window_reduce <max> ins(%x : tensor<1x2x6x7xf32>)
        outs(%out : tensor<1x2x5x6xf32>) kernel [2, 2] strides [1, 1]
        dilations [1, 1] pads_begin [0, %n] pads_end [0, 0]
        -> tensor<1x2x5x6xf32>
    return
  }
)mlir";

/// Numbers of sections in upstream's format.
enum Section { kStrings = 0, kDialects = 1, kAttributes = 2, kProperties = 8 };

/// Reads the variable-width integer at `position` and moves past it.
uint64_t readVarInt(StringRef data, size_t &position) {
  auto first = static_cast<unsigned char>(data[position]);
  // The number of trailing zeros is the number of bytes that follow; a zero
  // byte precedes a whole 64-bit number.
  unsigned numMore = first == 0 ? 8 : llvm::countr_zero(first);
  uint64_t value = 0;
  for (unsigned i = numMore; i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(data[position + i]);
  position += 1 + numMore;
  return numMore == 8 ? value : (value << 8 | first) >> (numMore + 1);
}

/// Returns, for the number of each section, the position of its first byte and
/// the position after its last.
std::map<unsigned, std::pair<size_t, size_t>> findSections(StringRef data) {
  std::map<unsigned, std::pair<size_t, size_t>> sections;
  size_t position = 4;
  readVarInt(data, position);
  position = data.find('\0', position) + 1;
  while (position < data.size()) {
    auto id = static_cast<unsigned char>(data[position++]);
    uint64_t length = readVarInt(data, position);
    if (id & 0x80)
      position = llvm::alignTo(position, readVarInt(data, position));
    sections[id & 0x7f] = {position, position + length};
    position += length;
  }
  return sections;
}

class MutationTest : public ::testing::Test {
protected:
  MutationTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<pool::PoolDialect, func::FuncDialect>();
    ParserConfig config(&context);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kModule, config);
    llvm::raw_string_ostream os(bytecode);
    EXPECT_TRUE(module && succeeded(writeBytecodeToFile(*module, os)));
    sections = findSections(bytecode);
  }

  /// Reads bytecode, verifies and prints it. Returns the errors, or an empty
  /// string.
  std::string read(StringRef data) {
    std::string errors;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
    });
    Block block;
    LogicalResult result = readBytecodeFile(
        llvm::MemoryBufferRef(data, "bytecode"), &block, &context);
    EXPECT_EQ(succeeded(result), errors.empty()) << errors;
    for (Operation &op : block)
      op.print(llvm::nulls());
    return errors;
  }

  /// Reads the bytecode with each bit of [begin, end) flipped in turn.
  void flip(size_t begin, size_t end) {
    ASSERT_LT(begin, end);
    for (size_t i = begin; i < end; ++i)
      for (unsigned bit = 0; bit < 8; ++bit) {
        std::string mutated = bytecode;
        mutated[i] ^= 1 << bit;
        ++(read(mutated).empty() ? numAccepted : numRefused);
      }
  }

  void TearDown() override {
    RecordProperty("accepted", numAccepted);
    RecordProperty("refused", numRefused);
  }

  MLIRContext context;
  std::string bytecode;
  std::map<unsigned, std::pair<size_t, size_t>> sections;
  int numAccepted = 0, numRefused = 0;
};

TEST_F(MutationTest, ReadsWhatWasWritten) { EXPECT_EQ(read(bytecode), ""); }

TEST_F(MutationTest, Version) {
  // Find the section of the dialect's version, among the dialects. Its number
  // is 7. Its length, 1, and the version, 1, are both the varint 0x03.
  size_t version = bytecode.find(StringRef("\x07\x03\x03").str());
  ASSERT_TRUE(version >= sections[kDialects].first &&
              version < sections[kDialects].second);
  flip(version + 2, version + 3);
  EXPECT_EQ(numAccepted, 0);
}

TEST_F(MutationTest, Strings) {
  auto [begin, end] = sections[kStrings];
  flip(begin, end);
  EXPECT_GT(numRefused, numAccepted);
}

TEST_F(MutationTest, Properties) {
  auto [begin, end] = sections[kProperties];
  flip(begin, end);
}

TEST_F(MutationTest, TextOfAttributes) {
  auto [begin, end] = sections[kAttributes];
  for (size_t text = begin;
       (text = bytecode.find("#pool.", text)) != std::string::npos &&
       text < end;
       ++text)
    flip(text, bytecode.find('\0', text));
  EXPECT_GT(numRefused, 1000);
}

} // namespace
