// Memory for arrays that compiled code reads and writes, with or without guard
// pages. A guard page is a page of memory that traps on every access.
//
// Sanitizers do not instrument generated code. Guard pages replace them: the
// first byte of a guarded buffer directly follows a guard page (Begin), or its
// last byte directly precedes a guard page (End):
//
//   Begin   |guard page|buffer......|slack|guard page|
//   End     |guard page|slack|buffer......|guard page|
//
// An access that hits a guard page ends the call with an error. To find
// accesses on both sides of a buffer, run once with Begin and once with End.
// Slack is the rest of the buffer's last (Begin) or first (End) page. An access
// to slack does not trap, but isSlackIntact() finds writes to it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_BUFFER_H
#define POOL_EXECUTIONENGINE_BUFFER_H

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>

namespace mlir::pool {

/// The end of a buffer that lies directly beside a guard page: its first byte
/// (Begin) or its last byte (End). None means a buffer without guard pages.
enum class GuardMode { None, Begin, End };

/// A block of memory that this object owns. Moving the object does not change
/// the block's address.
class Buffer {
public:
  /// Allocates `size` bytes. Fails if they cannot be allocated. Without guards,
  /// the buffer is aligned to 64 bytes and uninitialized. With guards, every
  /// byte is 0x7f: floats are then very large (NaN in f16), so results show
  /// that an element was read before it was written. With `End` the buffer ends
  /// at the end of a page, so its alignment is the largest power of two that
  /// divides `size`.
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

  /// Makes the pages of a guarded buffer read-only, so that a write to the
  /// buffer traps. Has no effect without guards.
  void makeReadOnly();

  /// True if the slack of a guarded buffer still has its initial value, so that
  /// nothing was written beside the buffer. Always true without guards.
  bool isSlackIntact() const;

private:
  void swap(Buffer &other) noexcept;

  char *begin = nullptr;
  uint64_t numBytes = 0;
  /// The whole mapping, including both guard pages. Null without guards.
  char *mapping = nullptr;
  uint64_t mappingBytes = 0;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_BUFFER_H
