// Makes faulty texts for importers. The same seed and original text always give
// the same faulty text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TEST_LIB_MUTATOR_H
#define POOL_TEST_LIB_MUTATOR_H

#include "llvm/ADT/StringRef.h"

#include <random>
#include <string>

namespace mlir::pool::test {

/// Damages an XML text: changes bytes, values of attributes, text between tags,
/// whole elements, and their nesting.
class Mutator {
public:
  explicit Mutator(uint64_t seed) : random(seed) {}

  /// Returns `text` after one to four changes.
  std::string mutate(llvm::StringRef text);

private:
  /// Returns a random number below `bound`, which is at least 1.
  size_t pick(size_t bound) { return random() % bound; }
  void changeBytes(std::string &text);
  void changeRange(std::string &text);
  void changeValue(std::string &text);
  void changeElement(std::string &text);
  void insertWord(std::string &text);
  void nest(std::string &text);

  std::mt19937_64 random;
};

} // namespace mlir::pool::test

#endif // POOL_TEST_LIB_MUTATOR_H
