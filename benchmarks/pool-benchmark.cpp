// Times functions of an MLIR module with Google Benchmark: compiling a
// function, calling it for the first time, and calling it again.
//
// Everything runs in this process through pool/ExecutionEngine/Program.h, as in
// a program that uses the library. benchmarks/run.py costs reads the output.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "pool/ExecutionEngine/Program.h"
#include "pool/InitAll.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>

using namespace mlir;
using namespace mlir::pool;

static constexpr char kUsage[] =
    R"(usage: pool-benchmark FILE.mlir [--path=PATH] [--threads=N] [--benchmark_...]

Times every public function of FILE.mlir that has no scalar arguments; dynamic
extents are taken to be 16. For a function f there are
  compile/f     one function lowered and compiled, everything else warm
  first_call/f  the first call of what was just compiled
  run/f         further calls
PATH is that of pool-opt's --pool-to-llvm, N the threads of a call (default 1).
--benchmark_filter=REGEX chooses, --benchmark_format=json is for programs; --help
lists what else Google Benchmark takes.
)";

/// Extent of dimensions that are dynamic in the module
static constexpr int64_t kDynamicExtent = 16;
/// Number of first calls that are timed. Each needs a compilation, which is not
/// timed. Google Benchmark would otherwise repeat call and compilation for much
/// longer.
static constexpr int64_t kFirstCalls = 3;

static int fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "pool-benchmark") << message << "\n";
  return 1;
}

/// Fills `data` with small numbers. Integers are below 127, so they are valid
/// indices except for the smallest tensors.
static void fill(char *data, DType type, int64_t count) {
  for (int64_t i = 0; i < count; ++i, data += type.size) {
    if (type.kind != DType::Kind::Float && type.kind != DType::Kind::BFloat) {
      uint64_t bits = type.kind == DType::Kind::Bool ? i & 1 : i % 127;
      memcpy(data, &bits, type.size);
      continue;
    }
    llvm::APFloat value(static_cast<double>(i * 7919 % 4093) / 256 - 8);
    const llvm::fltSemantics &semantics =
        type.kind == DType::Kind::BFloat ? llvm::APFloat::BFloat()
        : type.size == 2                 ? llvm::APFloat::IEEEhalf()
        : type.size == 4                 ? llvm::APFloat::IEEEsingle()
                                         : llvm::APFloat::IEEEdouble();
    bool losesInfo;
    value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    uint64_t bits = value.bitcastToAPInt().getZExtValue();
    memcpy(data, &bits, type.size);
  }
}

namespace {
/// One function in a module of its own.
struct Subject {
  std::string name;
  OwningOpRef<ModuleOp> module;
  Signature signature;
  CompileOptions options;
};

/// A compiled function on buffers of its own.
class Bound {
public:
  static llvm::Expected<std::unique_ptr<Bound>> create(const Subject &subject);

  llvm::Error run() { return invocation->run(); }
  int64_t numBytes() const { return bytes; }

private:
  llvm::Expected<char *> allocate(const ArrayType &type);

  std::unique_ptr<Program> program;
  std::vector<Buffer> buffers;
  std::optional<Invocation> invocation;
  int64_t bytes = 0;
};
} // namespace

llvm::Expected<char *> Bound::allocate(const ArrayType &type) {
  std::optional<int64_t> size = type.getNumBytes();
  if (!size)
    return llvm::createStringError("too large");
  llvm::Expected<Buffer> buffer = Buffer::allocate(*size, GuardMode::None);
  if (!buffer)
    return buffer.takeError();
  bytes += *size;
  buffers.push_back(std::move(*buffer));
  return buffers.back().data();
}

llvm::Expected<std::unique_ptr<Bound>> Bound::create(const Subject &subject) {
  auto bound = std::make_unique<Bound>();
  llvm::Expected<std::unique_ptr<Program>> program =
      Program::compile(*subject.module, subject.options);
  if (!program)
    return program.takeError();
  bound->program = std::move(*program);
  llvm::Expected<const Entry *> entry = bound->program->lookup(subject.name);
  if (!entry)
    return entry.takeError();

  SmallVector<ArrayView> inputs;
  for (const ValueSpec &spec : subject.signature.arguments) {
    ArrayType type{spec.dtype, spec.shape};
    int64_t count = 1;
    for (int64_t &extent : type.shape) {
      if (ShapedType::isDynamic(extent))
        extent = kDynamicExtent;
      count *= extent;
    }
    llvm::Expected<char *> data = bound->allocate(type);
    if (!data)
      return data.takeError();
    fill(*data, type.dtype, count);
    inputs.push_back({type, *data});
  }
  SmallVector<void *> outputs;
  for (const ValueSpec &spec : subject.signature.results) {
    outputs.push_back(nullptr);
    if (spec.isTensor && !spec.hasStaticShape())
      continue;
    llvm::Expected<char *> data = bound->allocate({spec.dtype, spec.shape});
    if (!data)
      return data.takeError();
    outputs.back() = *data;
  }
  llvm::Expected<Invocation> invocation =
      Invocation::bind(**entry, inputs, outputs);
  if (!invocation)
    return invocation.takeError();
  bound->invocation.emplace(std::move(*invocation));
  return std::move(bound);
}

static void skip(benchmark::State &state, llvm::Error error) {
  state.SkipWithError(llvm::toString(std::move(error)).c_str());
}

static void timeCompile(benchmark::State &state, const Subject &subject) {
  for (auto _ : state) {
    llvm::Expected<std::unique_ptr<Program>> program =
        Program::compile(*subject.module, subject.options);
    if (!program)
      return skip(state, program.takeError());
    benchmark::DoNotOptimize(program->get());
  }
}

static void timeFirstCall(benchmark::State &state, const Subject &subject) {
  using Clock = std::chrono::steady_clock;
  for (auto _ : state) {
    llvm::Expected<std::unique_ptr<Bound>> bound = Bound::create(subject);
    if (!bound)
      return skip(state, bound.takeError());
    Clock::time_point begin = Clock::now();
    if (llvm::Error error = (*bound)->run())
      return skip(state, std::move(error));
    state.SetIterationTime(
        std::chrono::duration<double>(Clock::now() - begin).count());
  }
}

static void timeRun(benchmark::State &state, const Subject &subject) {
  llvm::Expected<std::unique_ptr<Bound>> bound = Bound::create(subject);
  if (!bound)
    return skip(state, bound.takeError());
  for (auto _ : state)
    if (llvm::Error error = (*bound)->run())
      return skip(state, std::move(error));
  state.SetBytesProcessed(state.iterations() * (*bound)->numBytes());
}

/// Returns the public functions of `module` whose arguments are all tensors.
/// Each is copied to a module of its own. It is an error if there is none.
static llvm::Expected<std::vector<Subject>>
getSubjects(ModuleOp module, const CompileOptions &options) {
  std::vector<Subject> subjects;
  for (func::FuncOp func : module.getOps<func::FuncOp>()) {
    if (func.isPrivate() || func.isDeclaration())
      continue;
    llvm::Expected<Signature> signature = Signature::get(func);
    if (!signature)
      return signature.takeError();
    if (!llvm::all_of(signature->arguments,
                      [](const ValueSpec &spec) { return spec.isTensor; }))
      continue;
    OwningOpRef<ModuleOp> own = ModuleOp::create(func.getLoc());
    own->push_back(func.clone());
    subjects.push_back(
        {func.getName().str(), std::move(own), std::move(*signature), options});
  }
  if (subjects.empty())
    return llvm::createStringError("no public function over tensors");
  return std::move(subjects);
}

static void registerBenchmarks(const std::vector<Subject> &subjects) {
  for (const Subject &subject : subjects) {
    auto add = [&](const char *kind, auto function) {
      return benchmark::RegisterBenchmark(
          (std::string(kind) + "/" + subject.name).c_str(),
          [&subject, function](benchmark::State &state) {
            function(state, subject);
          });
    };
    add("compile", timeCompile)->Unit(benchmark::kMillisecond);
    add("first_call", timeFirstCall)
        ->UseManualTime()
        ->Iterations(kFirstCalls)
        ->Unit(benchmark::kMicrosecond);
    add("run", timeRun)->Unit(benchmark::kMicrosecond);
  }
}

/// Parses a value of the option `path` of --pool-to-llvm.
static llvm::Expected<LoweringPath> parsePath(StringRef name) {
  std::unique_ptr<PoolToLLVMOptions> parsed;
  if (llvm::all_of(name, llvm::isAlpha))
    parsed = PoolToLLVMOptions::createFromString(("path=" + name).str());
  if (!parsed)
    return llvm::createStringError("--path=" + name +
                                   ": no path of --pool-to-llvm");
  return parsed->path;
}

static void printHelp() {
  llvm::outs() << kUsage << "\n";
  llvm::outs().flush();
  benchmark::PrintDefaultHelp();
}

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv, printHelp);
  std::string file;
  CompileOptions options;
  options.runtimeChecks = false;
  for (StringRef argument : llvm::ArrayRef(argv + 1, argc - 1)) {
    if (argument.consume_front("--path=")) {
      llvm::Expected<LoweringPath> path = parsePath(argument);
      if (!path)
        return fail(llvm::toString(path.takeError()));
      options.path = *path;
    } else if (argument.consume_front("--threads=")) {
      if (argument.getAsInteger(10, options.threads) || options.threads < 1 ||
          options.threads > kMaxThreads)
        return fail("--threads takes a number from 1 to " +
                    llvm::Twine(kMaxThreads));
    } else if (argument.starts_with("-") || !file.empty()) {
      return fail("unknown argument '" + argument + "'; --help explains");
    } else {
      file = argument.str();
    }
  }
  if (file.empty()) {
    llvm::errs() << kUsage;
    return 2;
  }

  MLIRContext context(getExecutionRegistry());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return 1;
  llvm::Expected<std::vector<Subject>> subjects = getSubjects(*module, options);
  if (!subjects)
    return fail(file + ": " + llvm::toString(subjects.takeError()));
  registerBenchmarks(*subjects);
  if (benchmark::RunSpecifiedBenchmarks() == 0)
    return fail("--benchmark_filter matches no benchmark");
  return 0;
}
