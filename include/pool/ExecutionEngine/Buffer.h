// Memory for arrays that compiled code reads and writes, with or without
// unreadable pages around it.
//
// Sanitizers cannot see generated code. Instead, a guarded buffer touches a
// page that traps. A run with GuardMode::Begin finds accesses before the
// buffer, and a run with GuardMode::End finds accesses behind it, if they hit
// the unreadable page.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_BUFFER_H
#define POOL_EXECUTIONENGINE_BUFFER_H

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>

namespace mlir::pool {

/// The end of a buffer that touches an unreadable page: the first byte (Begin),
/// the last byte (End), or neither without guards (None). A guarded buffer has
/// an unreadable page at its other end too, but unused bytes may lie between
/// the buffer and that page.
enum class GuardMode { None, Begin, End };

/// An owned block of memory. Its address stays when the object is moved.
class Buffer {
public:
  /// Allocates `size` bytes. Without guards the buffer is aligned to 64 bytes
  /// and uninitialised. With guards every byte is 0x7f, which makes elements
  /// large numbers (NaN in f16), so that a read before the first write shows in
  /// results. With `End` the buffer has only the alignment of `size`, because
  /// it ends at the end of a page.
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

  /// True if the unused bytes between a guarded buffer and the unreadable page
  /// at its other end still have their initial value. True without guards.
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
