// The tool pool-translate. It translates between OpenVINO models and MLIR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "pool/Import/OpenVINO/OpenVINO.h"
#include "pool/InitAll.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

/// Prints which Python function imports a model if `argument` asks for an
/// import that this tool does not have. Returns false, and prints nothing, for
/// all other arguments.
static bool rejectImport(StringRef argument) {
  StringRef format =
      llvm::StringSwitch<StringRef>(argument.ltrim('-').split('=').first)
          .Case("import-onnx", "ONNX")
          .Case("import-tflite", "TFLite")
          .Default("");
  if (!argument.starts_with("-") || format.empty())
    return false;
  llvm::WithColor::error(llvm::errs(), "pool-translate")
      << "models of " << format << " are imported by Python's pool_mlir.import_"
      << format.lower() << "; pool-translate reads models of OpenVINO, by "
      << "--import-openvino\n";
  return true;
}

int mlir::pool::translateMain(int argc, char **argv) {
  if (llvm::any_of(ArrayRef(argv, argc), rejectImport))
    return EXIT_FAILURE;
  mlir::pool::addVersionPrinter();
  mlir::pool::registerOpenVINOTranslations();
  return failed(
      mlir::mlirTranslateMain(argc, argv, "Pooling translation driver"));
}
