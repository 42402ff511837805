// Entry point of the compiled module of the Python package pool_mlir.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Call.h"
#include "Functions.h"
#include "Kernel.h"
#include "Source.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

static constexpr char kSetNumThreads[] =
    R"(Lets each later call use at most n threads, from 1 to 1024. The default is 1.

A call that is too small to gain from threads uses one. Results do not depend on n,
bit by bit. More than one thread needs LLVM's OpenMP library (libomp). If several
Python threads call at the same time, each call uses n threads. Raises ValueError for
any other number.)";

static constexpr char kCacheInfo[] =
    R"(Returns facts about the cache of compiled kernels: a dict of `hits`, `misses`
(calls that compiled a kernel, or failed to), `maxsize` and `currsize`.

A kernel serves calls with the same function, attributes, element types, shapes,
layouts in memory and number of threads. The kernels used last are kept.

`disk` is a dict about the machine code that is kept for later processes:
`directory`, `hits` and `misses` of this process, and `files`, `bytes` and
`maxbytes` of the directory. It is None without such a cache.)";

static constexpr char kCacheClear[] =
    R"(Drops every compiled kernel. disk=True also removes the machine code on disk,
which all processes share; it raises OSError if that fails.)";

/// Returns facts about the cache on disk as a dict, or None if there is no such
/// cache.
static nb::object getDiskInfo() {
  CodeCache *cache = CodeCache::getDefault();
  warnOfCache();
  if (!cache)
    return nb::none();
  CodeCache::Info info = cache->getInfo();
  nb::dict result;
  result["directory"] = cache->getDirectory().str();
  result["hits"] = info.hits;
  result["misses"] = info.misses;
  result["files"] = info.numFiles;
  result["bytes"] = info.numBytes;
  result["maxbytes"] = info.maxBytes;
  return result;
}

static void clearCaches(bool disk) {
  auto clear = [&]() -> llvm::Error {
    nb::gil_scoped_release release;
    KernelCache::get().clear();
    CodeCache *cache = disk ? CodeCache::getDefault() : nullptr;
    return cache ? cache->clear() : llvm::Error::success();
  };
  if (llvm::Error error = clear())
    raise(std::move(error), PyExc_OSError);
}

NB_MODULE(_pool_mlir, m) {
  importNumPy();
  // Caches in Python keep operations until the process ends, so nanobind would
  // report them as leaks.
  nb::set_leak_warnings(false);
  m.attr("__version__") = POOL_VERSION;
  addPoolingFunctions(m);
  addOperation(m);
  addCompile(m);
  addImport(m);
  addDescribe(m);
  addFfi(m);
  addInferTypes(m);
  addPartition(m);
  addPlans(m);
  addTools(m);
  m.def(
      "_integers",
      [](nb::handle object, const std::string &name, size_t count) {
        nb::list integers;
        for (int64_t value :
             getIntegers(object, name.c_str(), count).value_or(Extents()))
          integers.append(value);
        return integers;
      },
      "object"_a, "name"_a, "count"_a,
      "Returns a list of integers, or one integer for all of count dimensions, "
      "as the pooling functions read it.");
  m.def("_write_files", &saveFiles, "paths"_a, "contents"_a,
        "Writes each of contents, bytes, to its path: all files or none.");
  m.def("set_num_threads", &setNumThreads, "n"_a, kSetNumThreads);
  m.def("get_num_threads", &getNumThreads,
        "Returns the number of threads that set_num_threads allows.");
  m.def(
      "cache_info",
      [] {
        KernelCache::Info info = KernelCache::get().getInfo();
        nb::dict result;
        result["hits"] = info.hits;
        result["misses"] = info.misses;
        result["maxsize"] = info.maxSize;
        result["currsize"] = info.size;
        result["disk"] = getDiskInfo();
        return result;
      },
      kCacheInfo);
  m.def("cache_clear", &clearCaches, nb::kw_only(), "disk"_a = false,
        kCacheClear);
  m.def(
      "set_cache_size",
      [](int64_t size) {
        if (size < 0)
          raise(PyExc_ValueError, "the size of the cache must be at least 0, "
                                  "but is " +
                                      llvm::Twine(size));
        nb::gil_scoped_release release;
        KernelCache::get().setMaxSize(size);
      },
      "n"_a, "Keeps at most n kernels from now on. The default is 256.");
  explainCalls(m);
  nb::list names;
  for (nb::handle key : nb::list(m.attr("__dict__").attr("keys")()))
    if (!StringRef(nb::str(key).c_str()).starts_with("_"))
      names.append(key);
  m.attr("__all__") = names;
}
