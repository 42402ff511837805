// Memory for arrays that compiled code reads and writes, with or without
// unreadable pages around it.
//
// Sanitizers cannot see generated code. Instead a guarded buffer touches a page
// that traps. Two runs find every access outside: one with the page before the
// first byte, one with the page after the last.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_BUFFER_H
#define POOL_EXECUTIONENGINE_BUFFER_H

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>

namespace mlir::pool {

/// The end of a buffer that touches an unreadable page. There is such a page at
/// either end, but at the other end some unused bytes may lie before it.
enum class GuardMode { None, Begin, End };

/// An owned block of memory. Its address stays when the object is moved.
class Buffer {
public:
  /// Allocates `size` bytes. Without guards they are aligned to 64 bytes and
  /// uninitialised. With guards they are filled with 0x7f, a large number (NaN
  /// in f16), which reveals a read before the first write. With `End` they have
  /// only the alignment of `size`.
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

  /// Makes a guarded buffer read-only, so that writes trap too. Has no effect
  /// without guards.
  void makeReadOnly();

  /// True if nobody wrote to the bytes between a guarded buffer and the page on
  /// its other side.
  bool isSlackIntact() const;

private:
  void swap(Buffer &other) noexcept;

  char *begin = nullptr;
  uint64_t numBytes = 0;
  /// The whole mapping with its unreadable pages; null without guards.
  char *mapping = nullptr;
  uint64_t mappingBytes = 0;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_BUFFER_H
