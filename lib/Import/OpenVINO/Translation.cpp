// --import-openvino and its options, for mlirTranslateMain.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Import/OpenVINO/OpenVINO.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Exists from the registration on, so that it is no global of every program.
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

void pool::registerOpenVINOTranslations() {
  static Options options;
  TranslateToMLIRRegistration import(
      "import-openvino", "import a model of OpenVINO (.xml)",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        OpenVINOImportOptions importOptions;
        importOptions.poolLayers = options.poolLayers;
        importOptions.weightsPath = options.weights;
        return OwningOpRef<Operation *>(
            importOpenVINO(sources.getMemoryBuffer(sources.getMainFileID())
                               ->getMemBufferRef(),
                           context, importOptions)
                .release());
      },
      registerOpenVINODialects);
}
