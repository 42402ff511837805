// Pools a volume in a file larger than memory. Takes 3-D maxima of f32 from one
// raw file to another, in windows of 3 x 3 x 3 with stride 2 and pads of 1.
//
//   out-of-core INPUT OUTPUT DEPTHxHEIGHTxWIDTH PARTS
//
// The result is cut into slabs. A partition says which planes of the input a
// slab needs, halo included, and which pads the slab has. Both files are mapped
// into memory, and compiled code reads and writes them in place. The memory of
// finished pages is given back to the system.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Program.h"
#include "pool/InitAll.h"
#include "pool/Partition/Partition.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <fcntl.h>
#include <map>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using llvm::formatv;

[[noreturn]] static void fail(const Twine &message) {
  llvm::errs() << "out-of-core: " << message << "\n";
  exit(1);
}

template <typename T>
static T check(llvm::Expected<T> result) {
  if (!result)
    fail(llvm::toString(result.takeError()));
  return std::move(*result);
}

namespace {
/// A file of f32 mapped into memory.
class MappedFile {
public:
  MappedFile(const char *path, int64_t count, bool isOutput)
      : numBytes(count * sizeof(float)) {
    int file =
        open(path, isOutput ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY, 0666);
    struct stat status;
    if (file < 0 || fstat(file, &status))
      fail(Twine(path) + ": " + strerror(errno));
    if (!isOutput && status.st_size != numBytes)
      fail(formatv("{0} has {1} bytes, must have {2}", path, status.st_size,
                   numBytes)
               .str());
    if (isOutput && ftruncate(file, numBytes))
      fail(Twine(path) + ": " + strerror(errno));
    int access = isOutput ? PROT_READ | PROT_WRITE : PROT_READ;
    void *memory = mmap(nullptr, numBytes, access, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
      fail(Twine(path) + ": " + strerror(errno));
    close(file);
    data = static_cast<float *>(memory);
  }
  MappedFile(const MappedFile &) = delete;
  ~MappedFile() { munmap(data, numBytes); }

  /// Writes the whole pages before element `end` to the file and frees their
  /// memory. A later access reads them from the file.
  void release(int64_t end) {
    int64_t page = sysconf(_SC_PAGESIZE);
    int64_t bytes = end * sizeof(float) / page * page;
    char *from = reinterpret_cast<char *>(data) + released;
    if (bytes <= released)
      return;
    msync(from, bytes - released, MS_SYNC);
    madvise(from, bytes - released, MADV_DONTNEED);
    released = bytes;
  }

  float *data = nullptr;

private:
  int64_t numBytes, released = 0;
};

/// The pooling of a tensor of `shape`. `padBegin` and `padEnd` are the pads of
/// dimension 2; all other pads are 1.
struct Pooling {
  SmallVector<int64_t> shape, result;
  int64_t padBegin = 1, padEnd = 1;

  std::string str() const {
    return formatv("func.func @pool(%x: tensor<{0}xf32>) -> tensor<{1}xf32> {{"
                   "\n  %y = pool.max_pool %x kernel [3, 3, 3] "
                   "strides [2, 2, 2] pads_begin [{2}, 1, 1] "
                   "pads_end [{3}, 1, 1]\n      : tensor<{0}xf32> -> "
                   "tensor<{1}xf32>\n  return %y : tensor<{1}xf32>\n}",
                   llvm::join(map_range(shape, llvm::itostr), "x"),
                   llvm::join(map_range(result, llvm::itostr), "x"), padBegin,
                   padEnd);
  }
};
} // namespace

int main(int argc, char **argv) {
  SmallVector<StringRef, 3> words;
  SmallVector<int64_t> shape = {1, 1};
  int64_t count = 0;
  if (argc == 5)
    StringRef(argv[3]).split(words, 'x');
  for (StringRef word : words)
    if (word.getAsInteger(10, shape.emplace_back()) || shape.back() < 2)
      words.clear();
  if (words.size() != 3 || StringRef(argv[4]).getAsInteger(10, count) ||
      count < 1)
    fail("usage: out-of-core INPUT OUTPUT DEPTHxHEIGHTxWIDTH PARTS");

  MLIRContext context(pool::getExecutionRegistry());

  // The whole operation, whose result is cut into slabs.
  Pooling whole{shape, shape};
  for (int64_t d : {2, 3, 4})
    whole.result[d] = (shape[d] - 1) / 2 + 1;
  auto module = parseSourceString<ModuleOp>(whole.str(), &context);
  if (!module)
    fail("the operation is not valid");
  auto function = *module->getOps<func::FuncOp>().begin();
  SmallVector<SmallVector<int64_t>> sizes;
  for (int64_t extent : whole.result)
    sizes.push_back({extent});
  sizes[2] = pool::getEqualParts(whole.result[2], count);
  FailureOr<pool::Partition> partition =
      pool::partition(&function.front().front(), sizes);
  if (failed(partition))
    fail("the operation cannot be cut");

  int64_t inPlane = shape[3] * shape[4];
  int64_t outPlane = whole.result[3] * whole.result[4];
  MappedFile input(argv[1], shape[2] * inPlane, /*isOutput=*/false);
  MappedFile output(argv[2], whole.result[2] * outPlane, /*isOutput=*/true);

  // Slabs with the same shape and pads share a kernel.
  std::map<std::string, std::unique_ptr<pool::Program>> programs;
  for (const pool::PartDim &part : partition->dims[2].parts) {
    if (!part.result.size)
      continue;
    Pooling slab{shape, whole.result, part.padBegin, part.padEnd};
    slab.shape[2] = part.input.size;
    slab.result[2] = part.result.size;
    std::unique_ptr<pool::Program> &program = programs[slab.str()];
    if (!program) {
      auto own = parseSourceString<ModuleOp>(slab.str(), &context);
      program = check(pool::Program::compile(*own, pool::CompileOptions()));
    }
    float *from = input.data + part.input.offset * inPlane;
    float *to = output.data + part.result.offset * outPlane;
    pool::Invocation invocation = check(
        pool::Invocation::bind(*check(program->lookup("pool")),
                               {{{pool::DType(), slab.shape}, from}}, {to}));
    if (llvm::Error error = invocation.run())
      fail(llvm::toString(std::move(error)));
    // Keep this slab's last planes, because the next slab needs them.
    input.release((part.input.getEnd() - 3) * inPlane);
    output.release(part.result.getEnd() * outPlane);
  }
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  llvm::outs() << formatv("{0} slabs, {1} kernels, {2} MiB of memory at most\n",
                          partition->dims[2].parts.size(), programs.size(),
                          usage.ru_maxrss / 1024);
  return 0;
}
