// Memory for arrays that compiled code reads and writes, with or without
// unreadable pages around it.
//
// Sanitizers cannot see generated code. Instead a guarded buffer lies flush
// against a page that traps: one run with the page before the first byte and
// one with the page after the last show every access outside.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_BUFFER_H
#define POOL_EXECUTIONENGINE_BUFFER_H

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>

namespace mlir::pool {

/// The end of a buffer that touches an unreadable page. Both neighbouring pages
/// are unreadable in either case; the mode says which side is exact to the
/// byte.
enum class GuardMode { None, Begin, End };

/// An owned block of memory. Its address stays when the object is moved.
class Buffer {
public:
  /// Allocates `size` bytes. Without guards they are aligned to 64 bytes and
  /// uninitialised. With guards they are filled with 0x7f, a large number in
  /// every type, so that a read before the first write shows; at the `End` they
  /// have only the alignment that `size` has.
  static llvm::Expected<Buffer> allocate(uint64_t size, GuardMode mode);

  Buffer() = default;
  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  char *data() const { return begin; }
  uint64_t size() const { return numBytes; }

  /// Makes a guarded buffer read-only, so that writes trap too. No effect
  /// without guards.
  void makeReadOnly();

  /// True if the bytes between a guarded buffer and the inexact side's page
  /// still are what `allocate` made them.
  bool isSlackIntact() const;

private:
  void swap(Buffer &other) noexcept;

  char *begin = nullptr;
  uint64_t numBytes = 0;
  /// With guards, the whole mapping, unreadable pages included.
  char *mapping = nullptr;
  uint64_t mappingBytes = 0;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_BUFFER_H
