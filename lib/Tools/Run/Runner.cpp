// Loads arrays, compiles functions, calls them, measures the time of calls and
// writes results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Runner.h"

#include "Npy.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Reference/Interpreter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <chrono>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::run;
using Clock = std::chrono::steady_clock;

llvm::Expected<LoadedJob> Runner::load(const Job &job) {
  llvm::Expected<func::FuncOp> func = findEntry(module, job.entry, "--entry");
  if (!func)
    return func.takeError();
  llvm::Expected<Signature> signature = Signature::get(*func);
  if (!signature)
    return signature.takeError();
  if (job.outputs.size() != signature->results.size())
    return llvm::createStringError(
        "'" + func->getName() + "' has " +
        llvm::Twine(signature->results.size()) + " result(s), but " +
        llvm::Twine(job.outputs.size()) + " output file(s) given; " +
        (options.batch.empty() ? "--output takes" : "'->' precedes") +
        " one for each result");

  // Read all headers before any elements, so that a wrong shape is found early.
  std::vector<NpyReader> readers;
  SmallVector<ArrayType> types;
  for (const std::string &input : job.inputs) {
    llvm::Expected<NpyReader> reader = NpyReader::open(input);
    if (!reader)
      return reader.takeError();
    types.push_back(reader->getType());
    readers.push_back(std::move(*reader));
  }
  if (llvm::Error error = signature->checkArguments(types, job.inputs))
    return std::move(error);

  LoadedJob loaded;
  for (NpyReader &reader : readers) {
    llvm::Expected<Buffer> buffer =
        Buffer::allocate(reader.getNumBytes(), options.guard);
    if (!buffer)
      return llvm::createStringError(reader.getPath() + ": " +
                                     llvm::toString(buffer.takeError()));
    if (llvm::Error error = reader.read(buffer->data()))
      return std::move(error);
    buffer->makeReadOnly();
    loaded.inputs.push_back({reader.getType(), buffer->data()});
    loaded.buffers.push_back(std::move(*buffer));
  }
  loaded.func = *func;
  loaded.signature = std::move(*signature);
  loaded.outputs = job.outputs;
  return std::move(loaded);
}

llvm::Error Runner::prepare(std::vector<std::string> entries) {
  if (options.path == Path::Reference)
    return llvm::Error::success();
  CompileOptions compile;
  compile.path = options.path == Path::Linalg   ? LoweringPath::Linalg
                 : options.path == Path::Affine ? LoweringPath::Affine
                                                : LoweringPath::Vector;
  compile.runtimeChecks = options.runtimeChecks;
  compile.optLevel = options.optLevel;
  compile.cpu = options.cpu;
  compile.features = options.features;
  compile.guard = options.guard;
  compile.threads = options.threads;
  compile.entries = std::move(entries);
  if (options.useCache)
    compile.cache = CodeCache::getDefault();
  llvm::Expected<std::unique_ptr<Program>> compiled =
      Program::findOrCompile(module, compile);
  if (std::string warning = CodeCache::takeWarning(); !warning.empty())
    llvm::WithColor::warning(llvm::errs(), "pool-run") << warning << "\n";
  if (!compiled)
    return compiled.takeError();
  program = std::move(*compiled);
  return llvm::Error::success();
}

namespace {
/// Prints the progress of a long measurement to standard error.
class Progress {
public:
  explicit Progress(unsigned total) : total(total) {}
  ~Progress() {
    if (isShown && isTerminal)
      llvm::errs() << "\n";
  }

  void update(unsigned done) {
    Clock::time_point now = Clock::now();
    // Print rarely, so that a log remains short.
    if (now < next || done == total)
      return;
    next =
        now + (isTerminal ? std::chrono::seconds(1) : std::chrono::seconds(10));
    isShown = true;
    llvm::errs() << (isTerminal ? "\r" : "") << "pool-run: " << done << " of "
                 << total << " calls" << (isTerminal ? "" : "\n");
    llvm::errs().flush();
  }

private:
  unsigned total;
  bool isShown = false;
  bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  Clock::time_point next = Clock::now() + std::chrono::seconds(2);
};
} // namespace

/// Calls `call` `times` times, and `between` before each call except the first.
/// Prints the minimum and the median of the time of a call, without `between`.
/// If `times` is 0, calls `call` once and prints nothing.
static llvm::Error repeat(unsigned times,
                          llvm::function_ref<llvm::Error()> call,
                          llvm::function_ref<void()> between) {
  if (times == 0)
    return call();
  std::vector<double> microseconds;
  // Limit the reserved memory. The vector grows if there are more calls.
  microseconds.reserve(std::min(times, 1u << 20));
  {
    Progress progress(times);
    for (unsigned i = 0; i < times; ++i) {
      if (i != 0)
        between();
      Clock::time_point start = Clock::now();
      llvm::Error error = call();
      Clock::time_point end = Clock::now();
      if (error)
        return error;
      microseconds.push_back(
          std::chrono::duration<double, std::micro>(end - start).count());
      progress.update(i + 1);
    }
  }
  llvm::sort(microseconds);
  size_t middle = microseconds.size() / 2;
  double median = times % 2
                      ? microseconds[middle]
                      : (microseconds[middle - 1] + microseconds[middle]) / 2;
  llvm::outs() << llvm::format("min_us=%.3f median_us=%.3f calls=%u\n",
                               microseconds.front(), median, times);
  return llvm::Error::success();
}

llvm::Error Runner::runCompiled(const LoadedJob &job) {
  llvm::Expected<const Entry *> entry =
      program->lookup(func::FuncOp(job.func).getName());
  if (!entry)
    return entry.takeError();
  std::vector<Buffer> buffers;
  SmallVector<void *> outputs;
  for (auto [i, spec] : llvm::enumerate(job.signature.results)) {
    if (!spec.hasStaticShape()) {
      outputs.push_back(nullptr);
      continue;
    }
    ArrayType type = spec.getArrayType();
    std::optional<int64_t> numBytes = type.getNumBytes();
    if (!numBytes)
      return llvm::createStringError("result " + llvm::Twine(i) + ": " +
                                     type.str() + " is too large");
    llvm::Expected<Buffer> buffer = Buffer::allocate(*numBytes, options.guard);
    if (!buffer)
      return llvm::createStringError("result " + llvm::Twine(i) + ": " +
                                     llvm::toString(buffer.takeError()));
    outputs.push_back(buffer->data());
    buffers.push_back(std::move(*buffer));
  }
  llvm::Expected<Invocation> invocation =
      Invocation::bind(**entry, job.inputs, outputs);
  if (!invocation)
    return invocation.takeError();
  if (llvm::Error error = repeat(
          options.repeat, [&] { return invocation->run(); },
          [&] { invocation->releaseResults(); }))
    return error;
  if (!llvm::all_of(buffers, [](const Buffer &b) { return b.isSlackIntact(); }))
    return llvm::createStringError("compiled code touched memory outside a "
                                   "buffer: it wrote beside a result");

  std::vector<NpyOutput> arrays;
  for (auto [i, path] : llvm::enumerate(job.outputs)) {
    ArrayView result = invocation->getResult(i);
    arrays.push_back(
        {path, result.type, static_cast<const char *>(result.data)});
  }
  return writeNpy(arrays);
}

llvm::Error Runner::runReference(const LoadedJob &job) {
  func::FuncOp func = job.func;
  SmallVector<Tensor> arguments;
  for (auto [type, input] :
       llvm::zip_equal(func.getArgumentTypes(), job.inputs)) {
    auto *data = static_cast<const char *>(input.data);
    arguments.push_back(
        {getElementTypeOrSelf(type), input.type.shape,
         std::vector<char>(data, data + *input.type.getNumBytes())});
  }
  FailureOr<SmallVector<Tensor>> results = failure();
  auto call = [&]() -> llvm::Error {
    results = interpret(func, arguments);
    return succeeded(results)
               ? llvm::Error::success()
               : llvm::createStringError("the reference interpreter failed");
  };
  if (llvm::Error error = repeat(options.repeat, call, [] {}))
    return error;

  std::vector<NpyOutput> arrays;
  for (auto [spec, result, path] :
       llvm::zip_equal(job.signature.results, *results, job.outputs))
    arrays.push_back({path, {spec.dtype, result.shape}, result.data.data()});
  return writeNpy(arrays);
}

llvm::Error Runner::run(const LoadedJob &job) {
  return options.path == Path::Reference ? runReference(job) : runCompiled(job);
}
