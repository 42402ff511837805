// Memory with and without guard pages. Guard pages need mmap and mprotect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Buffer.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/mman.h>

using namespace mlir::pool;

static constexpr char kFill = 0x7f;
static constexpr uint64_t kAlignment = 64;
/// Largest size of a buffer in bytes. It is more than any host can address, and
/// small enough that the sums below do not overflow.
static constexpr uint64_t kMaxBytes = std::numeric_limits<int64_t>::max() / 2;

static uint64_t getPageSize() {
  static const uint64_t pageSize = llvm::sys::Process::getPageSizeEstimate();
  return pageSize;
}

static llvm::Error makeAllocationError(uint64_t size) {
  return llvm::createStringError("cannot allocate " + llvm::Twine(size) +
                                 " bytes");
}

llvm::Expected<Buffer> Buffer::allocate(uint64_t size, GuardMode mode) {
  if (size > kMaxBytes)
    return makeAllocationError(size);
  Buffer buffer;
  buffer.numBytes = size;
  if (mode == GuardMode::None) {
    uint64_t rounded = llvm::alignTo(std::max<uint64_t>(size, 1), kAlignment);
    buffer.begin = static_cast<char *>(std::aligned_alloc(kAlignment, rounded));
    if (!buffer.begin)
      return makeAllocationError(size);
    return std::move(buffer);
  }

  uint64_t page = getPageSize();
  uint64_t dataBytes = llvm::alignTo(size, page);
  buffer.mappingBytes = dataBytes + 2 * page;
  void *mapping = mmap(nullptr, buffer.mappingBytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return makeAllocationError(size);
  buffer.mapping = static_cast<char *>(mapping);
  char *pages = buffer.mapping + page;
  if (dataBytes && mprotect(pages, dataBytes, PROT_READ | PROT_WRITE))
    return makeAllocationError(size);
  std::memset(pages, kFill, dataBytes);
  buffer.begin = mode == GuardMode::Begin ? pages : pages + dataBytes - size;
  return std::move(buffer);
}

Buffer::~Buffer() {
  if (mapping)
    munmap(mapping, mappingBytes);
  else
    std::free(begin);
}

void Buffer::swap(Buffer &other) noexcept {
  std::swap(begin, other.begin);
  std::swap(numBytes, other.numBytes);
  std::swap(mapping, other.mapping);
  std::swap(mappingBytes, other.mappingBytes);
}

void Buffer::makeReadOnly() {
  uint64_t page = getPageSize();
  // mprotect cannot fail here: it only removes a permission from pages of this
  // object.
  if (mapping && mappingBytes > 2 * page)
    (void)mprotect(mapping + page, mappingBytes - 2 * page, PROT_READ);
}

bool Buffer::isSlackIntact() const {
  if (!mapping)
    return true;
  uint64_t page = getPageSize();
  auto isFill = [](char c) { return c == kFill; };
  return std::all_of(mapping + page, begin, isFill) &&
         std::all_of(begin + numBytes, mapping + mappingBytes - page, isFill);
}
