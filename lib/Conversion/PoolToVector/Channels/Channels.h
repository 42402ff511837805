// The strategies for channels-last buffers, whose lanes are channels, of one
// column or of several.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELS_H

#include "Reduce/WindowStrategy.h"

namespace mlir::pool {

FailureOr<Candidate> planChannels(MLIRContext *context, const Problem &problem,
                                  std::string &reason);
LogicalResult checkChannelsPlan(PlanAttr plan, const Problem &problem,
                                PlanScope &scope, std::string &reason);
void emitChannels(WindowKernel &kernel, PlanAttr plan);

FailureOr<Candidate> planFewChannels(MLIRContext *context,
                                     const Problem &problem,
                                     std::string &reason);
LogicalResult checkFewChannelsPlan(PlanAttr plan, const Problem &problem,
                                   PlanScope &scope, std::string &reason);
void emitFewChannels(WindowKernel &kernel, PlanAttr plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_CHANNELS_H
