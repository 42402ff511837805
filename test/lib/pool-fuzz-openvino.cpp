// Imports faulty models of OpenVINO, many in one process.
//
// Each import must give a module, or an error with a place in the file. A
// module is verified. A module of a whole model is also exported, and imported
// again if it has no weights. A run has ten seconds of processor time. An
// import has memory proportional to the file's size. After a crash, the stack
// trace names the run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mutator.h"

#include "pool/Import/OpenVINO/OpenVINO.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <pugixml.hpp>
#include <sys/time.h>

using namespace mlir;
using namespace mlir::pool;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Bytes in use, and their maximum since the last reset.
static size_t used = 0, peak = 0;

static void *allocate(size_t size) {
  void *memory = std::malloc(size);
  if (memory) {
    used += malloc_usable_size(memory);
    peak = std::max(peak, used);
  }
  return memory;
}

static void deallocate(void *memory) {
  used -= malloc_usable_size(memory);
  std::free(memory);
}

void *operator new(size_t size) {
  void *memory = allocate(size);
  if (!memory)
    std::abort();
  return memory;
}
void operator delete(void *memory) noexcept { deallocate(memory); }
void operator delete(void *memory, size_t) noexcept { deallocate(memory); }

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
struct Counts {
  unsigned imported = 0, refused = 0, exported = 0, failures = 0;
};

class Fuzzer {
public:
  /// Importing a file may take at most `kBytes` of memory and `kBytesPerByte`
  /// for each byte of the file. Even a file of only tags, which has the largest
  /// tree, needs less.
  static constexpr size_t kBytesPerByte = 64, kBytes = 1 << 20;

  Fuzzer(StringRef path, Counts &counts) : path(path), counts(counts) {}

  void run(const std::string &text, bool poolLayers);

private:
  void fail(const Twine &what) {
    ++counts.failures;
    llvm::errs() << path << ": " << what << "\n";
  }
  OwningOpRef<ModuleOp> import(StringRef text, bool poolLayers);
  void checkExport(ModuleOp module);

  std::string path;
  Counts &counts;
  MLIRContext context{MLIRContext::Threading::DISABLED};
};
} // namespace

OwningOpRef<ModuleOp> Fuzzer::import(StringRef text, bool poolLayers) {
  unsigned numErrors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    ++numErrors;
    auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
    if (!place || place.getLine() > text.count('\n') + 1)
      fail("an error without a place: " + diagnostic.str());
    return success();
  });
  OpenVINOImportOptions options;
  options.poolLayers = poolLayers;
  OwningOpRef<ModuleOp> module =
      importOpenVINO(llvm::MemoryBufferRef(text, path), &context, options);
  if (bool(module) == (numErrors != 0))
    fail(module ? "a module and an error" : "neither a module nor an error");
  return module;
}

void Fuzzer::checkExport(ModuleOp module) {
  std::string xml, weights;
  {
    ScopedDiagnosticHandler silence(&context,
                                    [](Diagnostic &) { return success(); });
    if (failed(exportOpenVINO(module, xml, weights)))
      return;
  }
  ++counts.exported;
  // Models with constants are not imported again, because that would require a
  // file of their weights.
  if (weights.empty() && !import(xml, /*poolLayers=*/false))
    fail("what was exported is not imported");
}

void Fuzzer::run(const std::string &text, bool poolLayers) {
  size_t before = used;
  peak = used;
  OwningOpRef<ModuleOp> module = import(text, poolLayers);
  if (peak - before > kBytesPerByte * text.size() + kBytes)
    fail(Twine(peak - before) + " bytes in use for a file of " +
         Twine(text.size()));
  if (!module) {
    ++counts.refused;
    return;
  }
  ++counts.imported;
  if (failed(verify(*module)))
    fail("the module is not valid");
  if (!poolLayers)
    checkExport(*module);
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

static unsigned currentRun = 0;

static void reportHang(int) {
  llvm::errs() << "run " << currentRun << " takes more than ten seconds\n";
  std::_Exit(1);
}

/// Starts the time limit of one run: ten seconds of processor time, because the
/// machine may do other work.
static void startClock() {
  itimerval tenSeconds = {{0, 0}, {10, 0}};
  setitimer(ITIMER_PROF, &tenSeconds, nullptr);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::list<std::string> paths(cl::Positional, cl::OneOrMore,
                              cl::desc("<models>"));
  cl::opt<unsigned> runs("runs", cl::init(1000), cl::desc("Number of models"));
  cl::opt<unsigned> first("first", cl::init(0), cl::desc("The first of them"));
  cl::opt<bool> print("print", cl::desc("Print the text of the first"));
  cl::ParseCommandLineOptions(argc, argv, "Imports mutated models\n");
  pugi::set_memory_management_functions(allocate, deallocate);

  std::vector<std::unique_ptr<llvm::MemoryBuffer>> models;
  for (const std::string &path : paths) {
    auto model = llvm::MemoryBuffer::getFile(path);
    if (!model) {
      llvm::errs() << path << ": " << model.getError().message() << "\n";
      return 1;
    }
    models.push_back(std::move(*model));
  }

  std::signal(SIGPROF, reportHang);
  Counts counts;
  std::vector<std::unique_ptr<Fuzzer>> fuzzers(models.size());
  for (unsigned number = first; number < first + runs; ++number) {
    // Make new contexts at times: a context keeps every name and type that it
    // has seen, so its memory grows.
    if ((number - first) % 1000 == 0)
      for (auto [fuzzer, path] : llvm::zip_equal(fuzzers, paths))
        fuzzer = std::make_unique<Fuzzer>(path, counts);
    unsigned model = number % models.size();
    std::string text = test::Mutator(number).mutate(models[model]->getBuffer());
    if (print) {
      llvm::outs() << text;
      return 0;
    }
    llvm::PrettyStackTraceFormat trace("run %u, of %s", number,
                                       paths[model].c_str());
    currentRun = number;
    startClock();
    unsigned failures = counts.failures;
    fuzzers[model]->run(text, number / models.size() % 2);
    if (counts.failures != failures)
      llvm::errs() << "in run " << number << "\n";
  }
  llvm::outs() << runs << " models: " << counts.imported << " imported, "
               << counts.refused << " refused, " << counts.exported
               << " exported, " << counts.failures << " failures\n";
  return counts.failures != 0;
}
