// Finds and loads LLVM's OpenMP run-time library.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenMP.h"

#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <sys/auxv.h>

using namespace mlir;
using namespace mlir::pool;

/// Returns the directory of the library or program that contains this code.
/// Shipped builds have their own libomp in this directory or in `../lib`.
static std::string getOwnDirectory() {
  auto *self = reinterpret_cast<void *>(&getOwnDirectory);
  Dl_info info;
  link_map *library = nullptr;
  // `l_name` is empty if the program itself contains this code.
  if (dladdr1(self, &info, reinterpret_cast<void **>(&library),
              RTLD_DL_LINKMAP) &&
      library->l_name[0])
    return llvm::sys::path::parent_path(library->l_name).str();
  // Without /proc, getMainExecutable needs the path with which the program was
  // started.
  auto *started = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  std::string program = llvm::sys::fs::getMainExecutable(started, self);
  return llvm::sys::path::parent_path(program).str();
}

/// The loaded library. Null until all its functions have been found.
static std::atomic<const OpenMP *> loaded = nullptr;

llvm::Expected<const OpenMP *> OpenMP::get() {
  static std::string message;
  static const OpenMP *const library = []() -> const OpenMP * {
    static OpenMP result;
    // Look for a function that only the libraries of LLVM and Intel define,
    // because code that LLVM generates cannot use GCC's library.
    if (dlsym(RTLD_DEFAULT, "__kmpc_fork_call")) {
      result.handle = RTLD_DEFAULT;
    } else {
      // Load with RTLD_LOCAL: LLVM's library also defines the functions of
      // GCC's library, which other code of the process may use.
      std::string own = getOwnDirectory();
      for (const std::string &name :
           {own + "/libomp-pool.so", own + "/../lib/libomp-pool.so",
            std::string("libomp.so.5"), std::string("libomp.so"),
            std::string(POOL_OPENMP_LIBRARY)}) {
        result.handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (result.handle)
          break;
      }
      if (!result.handle) {
        const char *why = dlerror();
        message = why ? why : "not found";
        return nullptr;
      }
    }
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          dlsym(result.handle, name));
      if (!function)
        message = std::string("it has no ") + name;
    };
    find(result.setNumThreads, "omp_set_num_threads");
    find(result.getMaxThreads, "omp_get_max_threads");
    find(result.inParallel, "omp_in_parallel");
    find(result.getThread, "omp_get_thread_num");
    find(result.getNumThreads, "omp_get_num_threads");
    find(result.forkCall, "__kmpc_fork_call");
    if (!message.empty())
      return nullptr;
    loaded = &result;
    return &result;
  }();
  if (!library)
    return llvm::createStringError(
        "OpenMP's run-time library cannot be loaded: " + message);
  return library;
}

bool OpenMP::isInParallel() {
  const OpenMP *library = loaded;
  return library && library->inParallel();
}

llvm::Expected<llvm::orc::SymbolMap>
OpenMP::getSymbols(llvm::MemoryBufferRef object,
                   llvm::orc::MangleAndInterner interner) const {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(object);
  if (!file)
    return file.takeError();
  llvm::orc::SymbolMap symbols;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) ||
        !name->starts_with("__kmpc_"))
      continue;
    if (void *address = dlsym(handle, name->str().c_str()))
      symbols[interner(*name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                  llvm::JITSymbolFlags::Exported |
                                      llvm::JITSymbolFlags::Callable};
  }
  return symbols;
}

namespace {
/// The data that `fork` passes to each thread.
struct Fork {
  OpenMP::Body body;
  void *argument;
  int (*getThread)();
  int (*getNumThreads)();
};

/// Has the layout of the library's `ident_t`, the source location of a parallel
/// region.
struct SourceLocation {
  int32_t reserved1 = 0;
  /// KMP_IDENT_KMPC: compiled code calls the library through `__kmpc_`
  /// functions.
  int32_t flags = 2;
  int32_t reserved2 = 0;
  int32_t reserved3 = 0;
  const char *source = ";unknown;unknown;0;0;;";
};
} // namespace

static void runOnThread(int32_t *, int32_t *, Fork *fork) {
  fork->body(fork->argument, fork->getThread(), fork->getNumThreads());
}

void OpenMP::fork(Body body, void *argument) const {
  static SourceLocation location;
  Fork fork{body, argument, getThread, getNumThreads};
  forkCall(&location, /*numArguments=*/1, reinterpret_cast<void *>(runOnThread),
           &fork);
}

OpenMP::ThreadCount::ThreadCount(const OpenMP &library, unsigned count)
    : library(library), before(library.getMaxThreads()) {
  library.setNumThreads(count);
}

OpenMP::ThreadCount::~ThreadCount() { library.setNumThreads(before); }
