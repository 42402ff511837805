// Errors of the layer API. An error has a message, and the status that the C
// function returns.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CAPI_LAYER_LAYERERROR_H
#define POOL_LIB_CAPI_LAYER_LAYERERROR_H

#include "pool-c/Layer.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::pool::capi {

class LayerError : public llvm::ErrorInfo<LayerError> {
public:
  LayerError(PoolLayerStatus status, const llvm::Twine &message)
      : status(status), text(message.str()) {}

  PoolLayerStatus getStatus() const { return status; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  static char ID;

private:
  PoolLayerStatus status;
  std::string text;
};

inline llvm::Error makeError(PoolLayerStatus status,
                             const llvm::Twine &message) {
  return llvm::make_error<LayerError>(status, message);
}

/// Makes an error about a field of a structure. Its message is `field`, a
/// space, and `what`.
inline llvm::Error makeFieldError(const llvm::Twine &field,
                                  const llvm::Twine &what) {
  return makeError(PoolLayerStatusInvalidParameter, field + " " + what);
}

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_LAYERERROR_H
