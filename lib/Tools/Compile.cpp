// The tool pool-compile. It compiles functions of an MLIR module into an object
// file and a C header; see --help.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "Module.h"

#include "pool/ExecutionEngine/Library.h"
#include "pool/InitAll.h"
#include "pool/Support/ListingOption.h"
#include "pool/Support/OutputFiles.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace mlir::pool;
namespace cl = llvm::cl;

static constexpr char kCompileOverview[] =
    R"(Compiles functions of an MLIR module for programs in C.

The module may hold pool operations and any of upstream's that lower to LLVM.
All files are written, or none is.
)";

static constexpr char kCompileExtraHelp[] = R"(
EXAMPLE:

  $ cat pool.mlir
  func.func @half(%x: tensor<?x3x8x8xf32>) -> tensor<?x3x4x4xf32> {
    %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
           : tensor<?x3x8x8xf32> -> tensor<?x3x4x4xf32>
    return %y : tensor<?x3x4x4xf32>
  }
  $ pool-compile pool.mlir -o pool.o --emit-header=pool.h
  $ cc main.c pool.o -lm

  where main.c includes pool.h, which declares

  void pool_half(const float *arg0, const int64_t arg0_shape[4],
                 float **result0, int64_t result0_shape[4]);

INTERFACE:

  Arguments come first, then results, in order. Arrays are pointers to
  row-major elements. All extents follow an array of dynamic shape. Results of
  static shape and scalars are written to the caller's memory. The function
  allocates other results; release them with free(). f16 and bf16 are passed as
  their bits. No result may overlap anything else.
  A failed check calls pool_check_failed(message). A program may define it; the
  object's default prints to standard error and aborts.

TARGET:

  Without --mcpu and --mattr the code runs on every processor of the target's
  architecture, as a library of a distribution does. --mcpu=native uses all
  that this machine has.

EXIT CODE:

  0  all files are written
  1  something failed: the module, a file, the target
  2  the command line is wrong
)";

namespace {
struct CommandLine {
  cl::OptionCategory category{"pool-compile options"};
  cl::opt<std::string> file{cl::Positional, cl::Required, cl::cat(category),
                            cl::desc("FILE"), cl::value_desc("FILE")};
  cl::opt<std::string> output{
      "o", cl::cat(category), cl::value_desc("OUT"),
      cl::desc("File for the code; - is standard output")};
  ListingOption<cl::opt<LibraryFormat>> format{
      "emit", cl::cat(category), cl::desc("Format of OUT:"),
      cl::init(LibraryFormat::Object),
      cl::values(clEnumValN(LibraryFormat::Object, "obj",
                            "a position-independent object file (default)"),
                 clEnumValN(LibraryFormat::Assembly, "asm", "assembly"),
                 clEnumValN(LibraryFormat::LLVM, "llvm",
                            "LLVM IR as text, optimised"))};
  cl::opt<std::string> header{"emit-header", cl::cat(category),
                              cl::value_desc("OUT.h"),
                              cl::desc("File for the declarations in C")};
  cl::list<std::string> entries{
      "entry", cl::cat(category), cl::value_desc("NAME"),
      cl::desc("Function to compile; repeat for more (default: all public "
               "ones)")};
  cl::opt<std::string> prefix{
      "prefix", cl::cat(category), cl::init("pool_"), cl::value_desc("NAME"),
      cl::desc("Prefix of the functions' names in C (default pool_)")};
  cl::opt<std::string> triple{
      "target", cl::cat(category), cl::value_desc("TRIPLE"),
      cl::desc("Triple to compile for, like aarch64-linux-gnu (default: "
               "this machine)")};
  cl::opt<std::string> cpu{"mcpu", cl::cat(category), cl::value_desc("CPU"),
                           cl::desc("Processor of that machine, or native")};
  cl::opt<std::string> features{
      "mattr", cl::cat(category), cl::value_desc("+A,-B"),
      cl::desc("Features to add to the processor or remove")};
  ListingOption<cl::opt<LoweringPath>> path{
      "path", cl::cat(category), cl::desc("How pool operations become loops:"),
      cl::init(LoweringPath::Vector),
      cl::values(clEnumValN(LoweringPath::Vector, "vector",
                            "as loops over vectors (default)"),
                 clEnumValN(LoweringPath::Linalg, "linalg",
                            "through linalg, for every type and shape"),
                 clEnumValN(LoweringPath::Affine, "affine",
                            "as affine loops over windows that are clipped "
                            "to the input"))};
  ListingOption<cl::opt<ThreadModel>> threads{
      "threads", cl::cat(category),
      cl::desc("Threads that run the iterations of parallel loops:"),
      cl::init(ThreadModel::None),
      cl::values(
          clEnumValN(ThreadModel::None, "none", "the calling thread (default)"),
          clEnumValN(ThreadModel::OpenMP, "omp",
                     "OpenMP's threads, if there is enough work; link "
                     "the program with -lomp"))};
  cl::opt<bool> runtimeChecks{
      "runtime-checks", cl::cat(category), cl::init(true),
      cl::desc(
          "Check at run time the constraints on dynamic extents (default)")};
  cl::opt<unsigned> optLevel{"O",
                             cl::Prefix,
                             cl::cat(category),
                             cl::init(3),
                             cl::value_desc("0..3"),
                             cl::desc("Optimisation level (default 3)")};
  cl::extrahelp extraHelp{kCompileExtraHelp};
};
} // namespace

/// Returns an error message if the options are incomplete or contradict each
/// other. Returns an empty string if they are valid.
static StringRef check(const CommandLine &line) {
  if (line.output.empty() && line.header.empty())
    return "nothing to do: -o or --emit-header names a file";
  if (line.output.empty() && line.format.getNumOccurrences())
    return "--emit has no effect without -o";
  if (line.output == "-" && line.header == "-")
    return "code and header cannot both go to standard output";
  if (line.optLevel > 3)
    return "-O takes a level from 0 to 3";
  if (line.output == "-" && line.format == LibraryFormat::Object &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return "an object file is nothing for a terminal";
  return "";
}

static llvm::Error compile(ModuleOp module, const CommandLine &line) {
  LibraryOptions options;
  options.path = line.path;
  options.threads = line.threads;
  options.runtimeChecks = line.runtimeChecks;
  options.optLevel = line.optLevel;
  options.entries.assign(line.entries.begin(), line.entries.end());
  options.prefix = line.prefix;
  options.target = {line.triple, line.cpu, line.features};
  options.separateMaskedLoads = line.format == LibraryFormat::LLVM;
  llvm::Expected<std::unique_ptr<Library>> library =
      Library::compile(module, options);
  if (!library)
    return library.takeError();

  // Generate all contents in memory before the first file is written.
  std::vector<OutputFile> files;
  auto add = [&](const std::string &path, std::string contents) {
    files.push_back({path == "-" ? "/dev/stdout" : path,
                     [contents = std::move(contents)](raw_ostream &os) {
                       os << contents;
                     }});
  };
  if (!line.output.empty()) {
    llvm::Expected<SmallVector<char, 0>> code =
        (*library)->generate(line.format);
    if (!code)
      return code.takeError();
    add(line.output, std::string(code->begin(), code->end()));
  }
  if (!line.header.empty())
    add(line.header, (*library)->generateHeader(line.header));
  return writeFiles(files);
}

int mlir::pool::compileMain(int argc, char **argv) {
  pool::addVersionPrinter();
  pool::removeForeignOptions();
  CommandLine line;
  if (!cl::ParseCommandLineOptions(argc, argv, kCompileOverview, &llvm::errs()))
    return kUsage;
  if (StringRef problem = check(line); !problem.empty())
    return fail("pool-compile", problem, kUsage);
  ModuleFile file("pool-compile", line.file);
  if (!file.module)
    return kFailure;
  if (llvm::Error error = compile(*file.module, line))
    return fail("pool-compile", llvm::toString(std::move(error)));
  return kSuccess;
}
