// Registers --import-openvino and --export-openvino, with their options, for
// mlirTranslateMain.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Import/OpenVINO/OpenVINO.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "pool/Support/OutputFiles.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Command-line options of the translations. They are created at registration:
/// as global variables, they would be options of every program that links this
/// library.
struct Options {
  llvm::cl::opt<bool> poolLayers{
      "pool-layers",
      llvm::cl::desc("Import one function for each pooling layer of any "
                     "model, and nothing else of it")};
  llvm::cl::opt<std::string> weights{
      "weights", llvm::cl::value_desc("file"),
      llvm::cl::desc("The constants of the model, where they do not stand "
                     "beside it in a file that ends in .bin")};
};
} // namespace

/// True if a line of `text` is too long to show. For an error,
/// mlirTranslateMain prints the whole line, and below it a blank for each
/// column before the error.
static bool hasLongLine(StringRef text) {
  constexpr size_t kMaxShown = 1000;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    if (line.size() > kMaxShown)
      return true;
    text = rest;
  }
  return false;
}

static LogicalResult printShortly(Diagnostic &diagnostic) {
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    llvm::errs() << place.getFilename().getValue() << ":" << place.getLine()
                 << ":" << place.getColumn() << ": ";
  llvm::errs() << "error: " << diagnostic << "\n";
  return success();
}

/// Returns the path of mlirTranslateMain's output file, or `-` for standard
/// output. Looks up the option -o, because a translation gets only a stream.
static std::string getOutputPath() {
  auto &registered = llvm::cl::getRegisteredOptions();
  auto option = registered.find("o");
  if (option == registered.end())
    return "-";
  return *static_cast<llvm::cl::opt<std::string> *>(option->second);
}

/// Flushes standard output. Returns the stream's error, and clears it: an error
/// that stays in the stream aborts the process when the stream is destroyed.
static std::error_code flushStandardOutput() {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  return error;
}

/// Writes the model to the output file, and its constants to the file that
/// `options` name. If the output file is standard output, writes the model to
/// `os`.
static LogicalResult exportTo(ModuleOp module, raw_ostream &os,
                              const Options &options) {
  // Write the output file by its path, not by `os`, so that a failure writes
  // neither of the two files.
  std::string output = getOutputPath(), path = options.weights;
  if (output != "-")
    return exportOpenVINO(module, output, OpenVINOExportOptions{path});
  std::string xml, weights;
  if (failed(exportOpenVINO(module, xml, weights)))
    return failure();
  if (path.empty() && !weights.empty())
    return module.emitError("the model has constants: -o names its file, or "
                            "--weights theirs");
  os << xml;
  if (std::error_code error = flushStandardOutput())
    return module.emitError("cannot write standard output: ")
           << error.message();
  if (path.empty())
    return success();
  if (llvm::Error error =
          writeFiles({{path, [&](raw_ostream &file) { file << weights; }}}))
    return module.emitError(llvm::toString(std::move(error)));
  return success();
}

void pool::registerOpenVINOTranslations() {
  static Options options;
  TranslateToMLIRRegistration importer(
      "import-openvino", "import a model of OpenVINO (.xml)",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        OpenVINOImportOptions importOptions;
        importOptions.poolLayers = options.poolLayers;
        importOptions.poolLayersName = "--pool-layers";
        importOptions.weightsPath = options.weights;
        llvm::MemoryBufferRef text =
            sources.getMemoryBuffer(sources.getMainFileID())->getMemBufferRef();
        std::optional<ScopedDiagnosticHandler> handler;
        if (hasLongLine(text.getBuffer()))
          handler.emplace(context, printShortly);
        return OwningOpRef<Operation *>(
            importOpenVINO(text, context, importOptions).release());
      },
      registerOpenVINODialects);
  TranslateFromMLIRRegistration exporter(
      "export-openvino", "export a function as a model of OpenVINO (.xml)",
      [](ModuleOp module, raw_ostream &os) {
        return exportTo(module, os, options);
      },
      registerOpenVINODialects);
}
