// Serializes compiled modules, and computes their keys in the cache.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramImage.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BinaryByteStream.h"
#include "llvm/Support/BinaryStreamReader.h"
#include "llvm/Support/BinaryStreamWriter.h"
#include "llvm/TargetParser/Host.h"

#include <elf.h>
#include <link.h>

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// A shared library, or the program itself, in the memory of this process.
struct LoadedObject {
  /// Any address inside this library or program.
  const void *address;
  /// The build-id that the linker wrote. Empty if there is none.
  std::string buildId;
};
} // namespace

/// Rounds `size` up to a multiple of 4 bytes, to which names and descriptions
/// in ELF notes are padded.
static size_t padToWord(size_t size) { return (size + 3) & ~size_t(3); }

/// Returns the build-id in the ELF notes at `begin`, or an empty string if
/// there is none.
static std::string findBuildId(const char *begin, size_t size) {
  const char *end = begin + size;
  while (static_cast<size_t>(end - begin) > sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, begin, sizeof(note));
    const char *name = begin + sizeof(note);
    const char *description = name + padToWord(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID &&
        StringRef(name, note.n_namesz) == StringRef("GNU", 4))
      return std::string(description, note.n_descsz);
    begin = description + padToWord(note.n_descsz);
  }
  return "";
}

static int visitLoadedObject(dl_phdr_info *info, size_t, void *data) {
  auto &wanted = *static_cast<LoadedObject *>(data);
  auto address = reinterpret_cast<ElfW(Addr)>(wanted.address);
  ArrayRef<ElfW(Phdr)> segments(info->dlpi_phdr, info->dlpi_phnum);
  if (llvm::none_of(segments, [&](const ElfW(Phdr) & segment) {
        return segment.p_type == PT_LOAD &&
               address - info->dlpi_addr - segment.p_vaddr < segment.p_memsz;
      }))
    return 0;
  for (const ElfW(Phdr) &segment : segments)
    if (segment.p_type == PT_NOTE && wanted.buildId.empty())
      wanted.buildId = findBuildId(
          reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr),
          segment.p_memsz);
  return 1;
}

/// Returns the build-id of the library or program that contains `address`, or
/// an empty string if it has none.
static std::string getBuildId(const void *address) {
  LoadedObject object{address, ""};
  dl_iterate_phdr(visitLoadedObject, &object);
  return object.buildId;
}

/// Describes the builds of pool-mlir, MLIR and LLVM, and the host's processor,
/// because machine code depends on all of them. Returns an empty string if one
/// of these libraries has no build-id, because then two builds of it could not
/// be told apart.
static const std::string &getEnvironment() {
  static const std::string environment = [] {
    std::string result;
    llvm::raw_string_ostream os(result);
    // pool-mlir, MLIR and LLVM may be separate libraries, so include all three.
    auto *ofMLIR = static_cast<InFlightDiagnostic (*)(Location)>(&emitError);
    for (const void *address :
         {reinterpret_cast<const void *>(&getImageKey),
          reinterpret_cast<const void *>(ofMLIR),
          reinterpret_cast<const void *>(&llvm::sys::getHostCPUName)}) {
      std::string buildId = getBuildId(address);
      if (buildId.empty()) {
        CodeCache::warn("machine code is not kept: a library was linked "
                        "without a build-id");
        return std::string();
      }
      os << llvm::toHex(buildId) << '\n';
    }
    os << LLVM_VERSION_STRING << '\n'
       << llvm::sys::getProcessTriple() << '\n'
       << llvm::sys::getHostCPUName() << '\n';
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    SmallVector<StringRef> names;
    for (auto &feature : features)
      if (feature.second)
        names.push_back(feature.first());
    llvm::sort(names);
    llvm::interleaveComma(names, os);
    return result;
  }();
  return environment;
}

std::string mlir::pool::getImageKey(const CodeOptions &options,
                                    ArrayRef<std::string> entries,
                                    StringRef source) {
  std::string key;
  if (getEnvironment().empty())
    return key;
  llvm::raw_string_ostream os(key);
  os << getEnvironment() << '\n';
  options.print(os);
  os << '\n' << entries.size();
  for (const std::string &entry : entries)
    os << ' ' << entry.size() << ' ' << entry;
  os << '\n' << source;
  return key;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

namespace {
/// Serializes values into memory, so no function can fail.
class Writer {
public:
  void add(uint64_t number) {
    llvm::cantFail(writer.writeInteger<uint64_t>(number));
  }
  void add(StringRef text) {
    add(uint64_t(text.size()));
    llvm::cantFail(writer.writeFixedString(text));
  }
  void add(ArrayRef<ValueSpec> specs) {
    add(uint64_t(specs.size()));
    for (const ValueSpec &spec : specs) {
      add(StringRef(spec.text));
      add(uint64_t(spec.isTensor));
      add(uint64_t(spec.dtype.kind));
      add(uint64_t(spec.dtype.size));
      add(uint64_t(spec.shape.size()));
      for (int64_t extent : spec.shape)
        add(static_cast<uint64_t>(extent));
    }
  }

  std::string take() {
    ArrayRef<uint8_t> bytes = stream.data();
    return std::string(reinterpret_cast<const char *>(bytes.data()),
                       bytes.size());
  }

private:
  llvm::AppendingBinaryByteStream stream{llvm::endianness::little};
  llvm::BinaryStreamWriter writer{stream};
};

/// Reads back what a `Writer` wrote. Each function fails if the bytes end too
/// early.
class Reader {
public:
  explicit Reader(StringRef bytes) : reader(bytes, llvm::endianness::little) {}

  llvm::Error get(uint64_t &number) { return reader.readInteger(number); }
  llvm::Error get(StringRef &text) {
    uint64_t size;
    if (llvm::Error error = getCount(size))
      return error;
    return reader.readFixedString(text, size);
  }
  llvm::Error get(SmallVectorImpl<ValueSpec> &specs);
  /// Reads the number of items that follow. Fails if it exceeds the number of
  /// bytes that are left, because an item has at least one byte.
  llvm::Error getCount(uint64_t &count) {
    if (llvm::Error error = get(count))
      return error;
    if (count > reader.bytesRemaining())
      return llvm::createStringError("the image is too short");
    return llvm::Error::success();
  }

private:
  llvm::BinaryStreamReader reader;
};
} // namespace

llvm::Error Reader::get(SmallVectorImpl<ValueSpec> &specs) {
  uint64_t count;
  if (llvm::Error error = getCount(count))
    return error;
  for (uint64_t i = 0; i < count; ++i) {
    ValueSpec &spec = specs.emplace_back();
    StringRef text;
    uint64_t isTensor, kind, size, rank;
    if (llvm::Error error = get(text))
      return error;
    for (uint64_t *number : {&isTensor, &kind, &size})
      if (llvm::Error error = get(*number))
        return error;
    if (llvm::Error error = getCount(rank))
      return error;
    spec.text = text.str();
    spec.isTensor = isTensor;
    spec.dtype = {static_cast<DType::Kind>(kind), static_cast<uint8_t>(size)};
    for (uint64_t d = 0; d < rank; ++d) {
      uint64_t extent;
      if (llvm::Error error = get(extent))
        return error;
      spec.shape.push_back(static_cast<int64_t>(extent));
    }
  }
  return llvm::Error::success();
}

std::string ProgramImage::write() const {
  Writer writer;
  writer.add(uint64_t(functions.size()));
  for (const Function &function : functions) {
    writer.add(StringRef(function.name));
    writer.add(function.signature.arguments);
    writer.add(function.signature.results);
  }
  writer.add(object);
  return writer.take();
}

llvm::Expected<ProgramImage> ProgramImage::read(StringRef bytes) {
  Reader reader(bytes);
  ProgramImage image;
  uint64_t count;
  if (llvm::Error error = reader.getCount(count))
    return std::move(error);
  for (uint64_t i = 0; i < count; ++i) {
    Function &function = image.functions.emplace_back();
    StringRef name;
    if (llvm::Error error = reader.get(name))
      return std::move(error);
    function.name = name.str();
    for (auto *specs :
         {&function.signature.arguments, &function.signature.results})
      if (llvm::Error error = reader.get(*specs))
        return std::move(error);
  }
  if (llvm::Error error = reader.get(image.object))
    return std::move(error);
  return image;
}
