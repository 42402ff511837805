// compile(), and calls of compiled functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Call.h"
#include "Compiled.h"
#include "Diagnostics.h"
#include "Docstrings.h"
#include "Functions.h"
#include "Plans.h"
#include "Results.h"
#include "Scalar.h"
#include "Source.h"

#include "mlir/Bytecode/Encoding.h"
#include "pool/Support/OutputFiles.h"

#include <deque>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

//===----------------------------------------------------------------------===//
// compile
//===----------------------------------------------------------------------===//

/// Returns the bytecode of a module or operation of any Python bindings of
/// MLIR, in a version that this MLIR reads.
static nb::object getBytecode(nb::handle operation) {
  nb::object buffer = nb::module_::import_("io").attr("BytesIO")();
  operation.attr("write_bytecode")(
      buffer, "desired_version"_a = static_cast<int>(bytecode::kVersion));
  return buffer.attr("getvalue")();
}

/// True if `source` is a path: an os.PathLike, or a string without a line break
/// and without `{`. The text of a module with a function has one of these
/// characters.
static bool isPath(nb::handle source) {
  if (PyUnicode_Check(source.ptr()))
    return toString(source).find_first_of("\n{") == std::string::npos;
  return nb::hasattr(source, "__fspath__");
}

static std::vector<std::string> getEntries(nb::handle entry) {
  if (entry.is_none())
    return {};
  if (PyUnicode_Check(entry.ptr()))
    return {toString(entry)};
  std::vector<std::string> entries;
  if (!nb::try_cast(entry, entries))
    raise(PyExc_TypeError,
          "entry must be a name, a list of names or None, not " +
              llvm::Twine(nb::inst_name(entry).c_str()));
  return entries;
}

/// Compiles the functions `entries` of a module, without holding the GIL.
static llvm::Expected<Compiled> compile(Compiled::Origin origin,
                                        std::vector<std::string> entries) {
  nb::gil_scoped_release release;
  return Compiled::compile(std::move(origin), std::move(entries));
}

static Compiled compile(nb::handle source, nb::handle entry,
                        const std::string &cpu,
                        std::optional<int64_t> threads) {
  std::vector<std::string> entries = getEntries(entry);
  unsigned numThreads = threads ? checkThreads(*threads) : getNumThreads();
  std::string text, name = "<string>";
  nb::object bytecode;
  if (nb::object operation = nb::getattr(source, "operation", source);
      nb::hasattr(operation, "write_bytecode")) {
    bytecode = getBytecode(operation);
    source = bytecode;
  }
  if (isPath(source)) {
    name = getPath(source);
    text = readFile(name);
  } else if (PyUnicode_Check(source.ptr())) {
    text = nb::cast<std::string>(source);
  } else if (PyBytes_Check(source.ptr())) {
    text.assign(PyBytes_AsString(source.ptr()), PyBytes_Size(source.ptr()));
  } else {
    raise(PyExc_TypeError,
          "expected a module, its text, its bytecode or a path, not " +
              llvm::Twine(nb::inst_name(source).c_str()));
  }
  llvm::Expected<Compiled> compiled =
      compile({text, name, cpu, numThreads}, std::move(entries));
  if (!compiled)
    raise(compiled.takeError(), PyExc_RuntimeError);
  warnOfCache();
  return std::move(*compiled);
}

//===----------------------------------------------------------------------===//
// Pickles
//===----------------------------------------------------------------------===//

/// Returns what pickle stores: _recompile and its arguments. Machine code is
/// not stored, because another machine may have another processor.
static nb::tuple reduce(const Compiled &compiled) {
  const Compiled::Origin &origin = compiled.getOrigin();
  return nb::make_tuple(
      nb::module_::import_("pool_mlir._pool_mlir").attr("_recompile"),
      nb::make_tuple(nb::bytes(origin.source.data(), origin.source.size()),
                     origin.name, compiled.getEntries(), origin.cpu,
                     origin.threads, POOL_VERSION));
}

/// Compiles again what reduce() stored, to unpickle it. `version` is the
/// version of the package that pickled it. If compilation fails and this
/// package has another version, the error names both.
static Compiled recompile(const nb::bytes &source, const std::string &name,
                          std::vector<std::string> entries,
                          const std::string &cpu, int64_t threads,
                          const std::string &version) {
  llvm::Expected<Compiled> compiled =
      compile({std::string(source.c_str(), source.size()), name, cpu,
               checkThreads(threads)},
              std::move(entries));
  if (!compiled && version != POOL_VERSION)
    raise(PyExc_ValueError,
          "pool-mlir " POOL_VERSION " cannot compile the functions that " +
              llvm::Twine("pool-mlir ") + version +
              " has pickled; compile them from their source instead: " +
              llvm::toString(compiled.takeError()));
  if (!compiled)
    raise(compiled.takeError(), PyExc_RuntimeError);
  warnOfCache();
  return std::move(*compiled);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// Arguments of one call in the form that compiled code reads.
class Arguments {
public:
  Arguments(const Signature &signature, nb::args args);

  ArrayRef<ArrayView> getViews() const { return views; }
  ArrayRef<const BorrowedArray *> getArrays() const { return arrays; }

  /// Copies arrays that are not row-major. Needs no GIL.
  llvm::Error copy();

private:
  void addArray(nb::handle object, const char *name);

  SmallVector<ArrayView> views;
  SmallVector<const BorrowedArray *> arrays;
  std::deque<BorrowedArray> borrowed;
  std::deque<Scalar> scalars;
  /// Arrays that are not row-major, each with its index in `views`. `copy`
  /// makes this view refer to a row-major copy.
  SmallVector<std::pair<const BorrowedArray *, unsigned>> strided;
  std::vector<Buffer> copies;
};
} // namespace

Arguments::Arguments(const Signature &signature, nb::args args) {
  if (args.size() != signature.arguments.size())
    raise(PyExc_TypeError,
          "the function takes " + llvm::Twine(signature.arguments.size()) +
              " argument(s), but " + llvm::Twine(args.size()) + " given");
  for (size_t i = 0; i < args.size(); ++i) {
    const ValueSpec &spec = signature.arguments[i];
    std::string name = "argument " + std::to_string(i);
    nb::object object = args[i];
    if (spec.isTensor || !isNumber(object)) {
      addArray(object, name.c_str());
      continue;
    }
    Scalar &scalar = scalars.emplace_back(getScalar(object, spec, name));
    views.push_back({spec.getArrayType(), scalar.bytes});
  }
}

void Arguments::addArray(nb::handle object, const char *name) {
  BorrowedArray &array =
      borrowed.emplace_back(object, name, BorrowedArray::Access::Read);
  arrays.push_back(&array);
  std::optional<Extents> strides = array.getElementStrides();
  if (!strides || !isRowMajor(array.shape, *strides))
    strided.push_back({&array, views.size()});
  views.push_back(
      {{array.dtype, {array.shape.begin(), array.shape.end()}}, array.data});
}

llvm::Error Arguments::copy() {
  for (auto [array, place] : strided) {
    std::optional<int64_t> numBytes = views[place].type.getNumBytes();
    llvm::Expected<Buffer> buffer =
        Buffer::allocate(numBytes.value_or(-1), GuardMode::None);
    if (!buffer) {
      llvm::consumeError(buffer.takeError());
      return llvm::createStringError(
          std::make_error_code(std::errc::not_enough_memory),
          "out of memory for a copy of an array that is not row-major");
    }
    copyRowMajor(array->data, array->shape, array->strides, array->dtype.size,
                 buffer->data());
    views[place].data = buffer->data();
    copies.push_back(std::move(*buffer));
  }
  return llvm::Error::success();
}

/// Calls the only function of `compiled` on `args`. The docstring of
/// `__call__`, kCallDoc, describes arguments, results and exceptions.
static nb::object callEntry(const Compiled &compiled, nb::args args,
                            nb::handle out) {
  llvm::Expected<const Entry *> entry = compiled.getEntry();
  if (!entry)
    raise(entry.takeError(), PyExc_ValueError);
  const Signature &signature = (*entry)->signature;
  Arguments arguments(signature, args);
  Results results(out, signature.results.size(), arguments.getArrays());
  SmallVector<void *> outputs;
  std::deque<Scalar> scalars;
  for (const ValueSpec &spec : signature.results) {
    if (spec.isTensor && spec.hasStaticShape()) {
      results.add(spec.getArrayType());
      outputs.push_back(results.getPointers().back());
    } else if (spec.isTensor) {
      results.addLater("the function makes a result of dynamic shape");
      outputs.push_back(nullptr);
    } else {
      results.addLater("the result is a number");
      outputs.push_back(scalars.emplace_back().bytes);
    }
  }

  // The invocation owns the results of dynamic shape. Their arrays keep the
  // invocation alive.
  auto invocation = std::make_unique<std::optional<Invocation>>();
  auto run = [&]() -> llvm::Error {
    nb::gil_scoped_release release;
    if (llvm::Error error = arguments.copy())
      return error;
    llvm::Expected<Invocation> bound =
        Invocation::bind(**entry, arguments.getViews(), outputs);
    if (!bound)
      return bound.takeError();
    invocation->emplace(std::move(*bound));
    return (*invocation)->run();
  };
  if (llvm::Error error = run())
    raise(std::move(error), PyExc_ValueError);

  // The invocation points into the program, so keep both.
  struct Owner {
    Compiled compiled;
    std::unique_ptr<std::optional<Invocation>> invocation;
  };
  Invocation &call = **invocation;
  nb::object owner;
  if (llvm::any_of(signature.results, [](const ValueSpec &spec) {
        return spec.isTensor && !spec.hasStaticShape();
      }))
    owner = nb::capsule(
        new Owner{compiled, std::move(invocation)},
        [](void *object) noexcept { delete static_cast<Owner *>(object); });
  for (auto [i, spec] : llvm::enumerate(signature.results)) {
    if (!spec.isTensor)
      results.set(i, getNumber(outputs[i], spec));
    else if (!spec.hasStaticShape())
      results.set(i,
                  wrapArray(call.getResult(i), owner, results.getLikeness()));
  }
  return results.getObject();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static nb::list getPlan(const Compiled &compiled) {
  auto run = [&] {
    nb::gil_scoped_release release;
    return compiled.getPlans();
  };
  llvm::Expected<std::vector<OperationPlan>> plans = run();
  if (!plans)
    raise(plans.takeError(), PyExc_RuntimeError);
  return getDicts(*plans);
}

static std::string getLLVM(const Compiled &compiled) {
  auto run = [&]() -> llvm::Expected<std::string> {
    nb::gil_scoped_release release;
    llvm::Expected<std::unique_ptr<Library>> library =
        compiled.makeLibrary(LibraryOptions());
    if (!library)
      return library.takeError();
    llvm::Expected<SmallVector<char, 0>> text =
        (*library)->generate(LibraryFormat::LLVM);
    if (!text)
      return text.takeError();
    return std::string(text->begin(), text->end());
  };
  llvm::Expected<std::string> text = run();
  if (!text)
    raise(text.takeError(), PyExc_RuntimeError);
  return std::move(*text);
}

static void saveObject(const Compiled &compiled, nb::handle path,
                       nb::handle header, const std::string &target,
                       const std::string &cpu) {
  std::string objectPath = getPath(path);
  std::optional<std::string> headerPath;
  if (!header.is_none())
    headerPath = getPath(header);
  auto run = [&]() -> llvm::Error {
    nb::gil_scoped_release release;
    LibraryOptions options;
    options.target.triple = target;
    options.target.cpu = cpu;
    llvm::Expected<std::unique_ptr<Library>> library =
        compiled.makeLibrary(std::move(options));
    if (!library)
      return makeInvalid(llvm::toString(library.takeError()));
    llvm::Expected<SmallVector<char, 0>> object =
        (*library)->generate(LibraryFormat::Object);
    if (!object)
      return object.takeError();
    SmallVector<OutputFile> files;
    files.push_back({objectPath, [&](raw_ostream &os) {
                       os.write(object->data(), object->size());
                     }});
    if (headerPath)
      files.push_back({*headerPath, [&](raw_ostream &os) {
                         os << (*library)->generateHeader(*headerPath);
                       }});
    return writeFiles(files);
  };
  if (llvm::Error error = run())
    raise(std::move(error), PyExc_OSError);
}

void mlir::pool::python::addCompile(nb::module_ &module) {
  nb::class_<Compiled>(module, "Compiled", kCompiledDoc)
      .def("__call__", &callEntry, "args"_a, nb::kw_only(),
           "out"_a = nb::none(), kCallDoc)
      .def(
          "__getitem__",
          [](const Compiled &compiled, const std::string &entry) {
            llvm::Expected<Compiled> selected = compiled.select(entry);
            if (!selected)
              raise(PyExc_KeyError, llvm::toString(selected.takeError()));
            return std::move(*selected);
          },
          "entry"_a, "Returns an object with only the function `entry`.")
      .def("__repr__",
           [](const Compiled &compiled) {
             return "<pool_mlir.Compiled: " + compiled.str() + ">";
           })
      .def("__reduce__", &reduce)
      .def_prop_ro(
          "entries",
          [](const Compiled &compiled) {
            return nb::tuple(nb::cast(compiled.getEntries()));
          },
          "The names of the functions, in the order of the module.")
      .def_prop_ro(
          "compile_times",
          [](const Compiled &compiled) {
            const CompileTimes &times = compiled.getCompileTimes();
            nb::dict result;
            result["mlir_passes"] = times.mlirPasses;
            result["llvm_passes"] = times.llvmPasses;
            result["code_generation"] = times.codeGeneration;
            result["linking"] = times.linking;
            return result;
          },
          "Seconds that each stage of compiling the module took: {name: "
          "seconds}, in the order of the stages.")
      .def_prop_ro("mlir", &Compiled::getMLIR, "The module as MLIR's text.")
      .def_prop_ro("plan", &getPlan, kPlanDoc)
      .def_prop_ro("llvm", &getLLVM,
                   "Optimised LLVM IR of the functions, for the processor that "
                   "they were compiled for, with the C interface of "
                   "save_object.")
      .def("save_object", &saveObject, "path"_a, nb::kw_only(),
           "header"_a = nb::none(), "target"_a = "", "cpu"_a = "",
           kSaveObjectDoc);
  module.def("_recompile", &recompile, "source"_a, "name"_a, "entries"_a,
             "cpu"_a, "threads"_a, "version"_a);
  module.def("compile",
             nb::overload_cast<nb::handle, nb::handle, const std::string &,
                               std::optional<int64_t>>(&compile),
             "source"_a, "entry"_a = nb::none(), nb::kw_only(), "cpu"_a = "",
             "threads"_a = nb::none(), kCompileDoc);
}
