// Entry point of the compiled part of the Python package pool_mlir.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Call.h"
#include "Functions.h"
#include "Kernel.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::pool::python;

static constexpr char kSetNumThreads[] =
    R"(Lets each later call run on at most n threads, 1 to 1024; 1 at first.

What is too small to gain from threads runs on one, and results are the same to
the bit. More than one needs LLVM's OpenMP library (libomp). Threads of Python
that call at the same time have n threads each. Raises ValueError for any other
number.)";

static constexpr char kCacheInfo[] =
    R"(How the cache of compiled kernels fares: a dict of `hits`, `misses` (kernels
compiled, or found wrong), `maxsize` and `currsize`.

A kernel serves calls with the same function, attributes, element types, shapes,
layouts in memory and number of threads. The ones used last are kept.)";

NB_MODULE(_pool_mlir, m) {
  importNumPy();
  m.attr("__version__") = POOL_VERSION;
  addExtremumFunctions(m);
  addWindowFunctions(m);
  addAdaptiveFunctions(m);
  addScatterFunctions(m);
  addCompile(m);
  addImport(m);
  addDescribe(m);
  m.def("set_num_threads", &setNumThreads, "n"_a, kSetNumThreads);
  m.def("get_num_threads", &getNumThreads,
        "The number of threads that set_num_threads allowed.");
  m.def(
      "cache_info",
      [] {
        KernelCache::Info info = KernelCache::get().getInfo();
        nb::dict result;
        result["hits"] = info.hits;
        result["misses"] = info.misses;
        result["maxsize"] = info.maxSize;
        result["currsize"] = info.size;
        return result;
      },
      kCacheInfo);
  m.def(
      "cache_clear", [] { KernelCache::get().clear(); },
      nb::call_guard<nb::gil_scoped_release>(),
      "Forgets every compiled kernel.");
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
      "n"_a, "Keeps at most n kernels from now on; 256 at first.");
}
