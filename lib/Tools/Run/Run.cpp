// The tool pool-run. It runs functions of an MLIR module on NumPy arrays; see
// --help.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "../Module.h"
#include "CommandLine.h"
#include "Runner.h"

#include "mlir/Support/FileUtilities.h"
#include "pool/InitAll.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/StringSaver.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::run;

static ExitCode fail(llvm::Error error) {
  return fail("pool-run", llvm::toString(std::move(error)));
}

static ExitCode runOne(Runner &runner, CommandLine &line) {
  llvm::Expected<LoadedJob> job =
      runner.load({line.entry, line.inputs, line.outputs});
  if (!job)
    return fail(job.takeError());
  if (llvm::Error error = runner.prepare({job->func.getName().str()}))
    return fail(std::move(error));
  if (llvm::Error error = runner.run(*job))
    return fail(std::move(error));
  return kSuccess;
}

/// Parses a line `ENTRY INPUT... -> OUTPUT...`. Returns none if the line is
/// empty or a comment. Fails if the line has another form.
static llvm::Expected<std::optional<Job>> parseJob(StringRef line) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(line, saver, words);
  if (words.empty() || words[0][0] == '#')
    return std::nullopt;
  auto *arrow =
      llvm::find_if(words, [](StringRef word) { return word == "->"; });
  if (arrow == words.end() || arrow == words.begin())
    return llvm::createStringError("expected ENTRY INPUT... -> OUTPUT...");
  Job job;
  job.entry = words.front();
  job.inputs.assign(words.begin() + 1, arrow);
  job.outputs.assign(arrow + 1, words.end());
  return job;
}

static ExitCode runBatch(Runner &runner, const CommandLine &line,
                         ModuleOp module) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(line.batch, &message);
  if (!file)
    return fail("pool-run", message);

  ExitCode result = kSuccess;
  auto report = [&](size_t number, llvm::Error error) {
    result = fail("pool-run", line.batch + ":" + llvm::Twine(number) + ": " +
                                  llvm::toString(std::move(error)));
  };
  std::vector<std::pair<size_t, Job>> jobs;
  llvm::SetVector<StringRef> entries;
  SmallVector<StringRef> lines;
  file->getBuffer().split(lines, '\n');
  for (auto [i, text] : llvm::enumerate(lines)) {
    llvm::Expected<std::optional<Job>> job = parseJob(text);
    if (!job) {
      report(i + 1, job.takeError());
      continue;
    }
    if (!*job)
      continue;
    llvm::Expected<func::FuncOp> func = findEntry(module, (*job)->entry);
    if (!func) {
      report(i + 1, func.takeError());
      continue;
    }
    entries.insert(func->getName());
    jobs.emplace_back(i + 1, std::move(**job));
  }
  if (jobs.empty())
    return result;

  std::vector<std::string> names;
  for (StringRef name : entries)
    names.push_back(name.str());
  if (llvm::Error error = runner.prepare(std::move(names)))
    return fail(std::move(error));
  for (auto &[number, job] : jobs) {
    llvm::Expected<LoadedJob> loaded = runner.load(job);
    if (!loaded)
      report(number, loaded.takeError());
    else if (llvm::Error error = runner.run(*loaded))
      report(number, std::move(error));
  }
  return result;
}

int mlir::pool::runMain(int argc, char **argv) {
  // Do not use llvm::InitLLVM. If compiled code has damaged the heap, its
  // signal handler would hang while it prints a stack trace.
  pool::addVersionPrinter();
  pool::removeForeignOptions();
  CommandLine line;
  if (!line.parse(argc, argv))
    return kUsage;
  ModuleFile file("pool-run", line.file);
  if (!file.module)
    return kFailure;
  Runner runner(*file.module, line);
  return line.batch.empty() ? runOne(runner, line)
                            : runBatch(runner, line, *file.module);
}
